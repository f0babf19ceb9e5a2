// Background deletion of what has expired or was deleted. Other folders import this file only.
export { createCleanup } from './cleanup.ts';
export { retentionDefaults } from './retention.ts';
export { retentionSettings } from './settings.ts';
