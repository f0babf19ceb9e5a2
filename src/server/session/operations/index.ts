// The handlers of all operations of the Session API.
import type { Handler } from '../../api/handler.ts';
import { linkHandlers } from './links.ts';
import { oidcHandlers } from './oidc.ts';
import type { SessionServices } from './services.ts';
import { sessionsHandlers } from './sessions.ts';
import { signInHandlers } from './sign-in.ts';

export const sessionHandlers: readonly Handler<SessionServices>[] = [
  ...signInHandlers,
  ...linkHandlers,
  ...oidcHandlers,
  ...sessionsHandlers,
];
