// Sign-in of members to the pages of the server. Other folders import this file only.
export { createAttempts } from './attempts.ts';
export { sessionHandlers } from './operations/index.ts';
export type { SessionServices } from './services.ts';
