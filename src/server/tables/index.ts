// The Tables API: tables, rows, queries, and jobs for import and export. Other folders import this file only.
export { createTableJobs } from './jobs/jobs.ts';
export { tablesHandlers } from './operations/index.ts';
export type { TablesServices } from './operations/services.ts';
export { isDeeper } from './query/depth.ts';
export { fullTextSearch } from './query/search.ts';
export { createTableFiles } from './stored-files.ts';
