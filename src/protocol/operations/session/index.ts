// All operations of the Session API, in the order of the documentation.
import { oidc } from './oidc.ts';
import { sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';

export const sessionOperations = { ...signIn, ...oidc, ...sessions };
