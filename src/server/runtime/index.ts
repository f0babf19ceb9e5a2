// The Runtime API: the operations of a bot that runs outside of this process. Other folders import this file only.
export { runtimeHandlers } from './operations/index.ts';
export type { RuntimeServices } from './operations/services.ts';
