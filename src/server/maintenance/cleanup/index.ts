// Background deletion of what has expired or was deleted. Other folders import this file only.
export { createCleanup } from './cleanup-job.ts';
export { retentionDefaults, retentionSettings } from './retention.ts';
