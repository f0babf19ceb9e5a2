// The Admin API: workspaces, members, tokens, bots, visitors and the audit trail. Other folders import this file only.
export { ensureBot, ensureWorkspace } from './first-start.ts';
export { adminOperations } from './operations/index.ts';
export { adminComponents } from './schemas.ts';
