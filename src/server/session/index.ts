// Sign-in of members to the pages of the server. Other folders import this file only.
export { createSignIn, type SignIn } from './create-sign-in.ts';
export { oidcSettings, readOidc } from './oidc.ts';
export { sessionHandlers } from './operations/index.ts';
export type { SessionServices } from './operations/services.ts';
