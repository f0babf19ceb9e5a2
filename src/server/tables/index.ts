// The Tables API: tables, rows, queries, jobs for import and export, and how CSV is written. Other folders import this file only.
export { createTables } from './compose.ts';
export type { ModelOptions } from './computed/model.ts';
export { computedSettings } from './computed/settings.ts';
export { byteOrderMark, csvLine, marked } from './jobs/csv.ts';

export { tablesHandlers } from './operations/index.ts';
export type { TablesServices } from './operations/services.ts';
export type { ComputedWork } from './table-service-interface.ts';
export { isDeeper } from './values.ts';
