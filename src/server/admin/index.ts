// The Admin API: workspaces, members, tokens, bots, visitors and the audit trail. Other folders import this file only.
export { ensureFirstWorkspace, issueSetupLink } from './first-start.ts';
export { adminHandlers } from './operations/index.ts';
export type { AdminServices } from './operations/services.ts';
