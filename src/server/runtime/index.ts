// The Runtime API: what a bot outside of this process does in its conversations. Other folders import this file only.
export { runtimeOperations } from './operations/index.ts';
