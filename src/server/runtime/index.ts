// The Runtime API: what a bot outside of this process does in its conversations. Other folders import this file only.
export { runtimeHandlers } from './operations/index.ts';
export type { RuntimeServices } from './operations/services.ts';
