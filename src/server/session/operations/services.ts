// The services that the handlers of the Session API use in addition to the request. composition/app.ts provides them.
import { createHandle } from '../../api/handler.ts';
import type { Passwords } from '../../auth/passwords.ts';
import type { MemberSettings } from '../../auth/settings.ts';
import type { SignInMails } from '../../notifications/sign-in-mails.ts';
import type { Database } from '../../storage/database.ts';
import type { Attempts } from '../attempts.ts';
import type { Background } from '../background.ts';
import type { Oidc } from '../oidc.ts';

export interface SessionServices {
  /** The database, for steps before the transaction of a request. */
  db: Database;
  passwords: Passwords;
  attempts: Attempts;
  background: Pick<Background, 'add'>;
  /** Sends links; undefined without SMTP_URL. */
  mails: SignInMails | undefined;
  /** Whether members can have passwords, and links by which they sign in (OIDC_ONLY). */
  hasPasswords: boolean;
  /** Signs members in with another service; undefined without OIDC_ISSUER. */
  oidc: Oidc | undefined;
  settings: MemberSettings;
  now(): number;
}

/** Joins an operation of the Session API with its handler. */
export const { handle } = createHandle<SessionServices>();
