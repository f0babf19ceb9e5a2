// Routes and methods of the Tables API, generated from src/protocol/operations/tables by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { FoundRow } from '../../protocol/table.ts';
import type { PageMeta } from '../../protocol/types/query.ts';
import type { Row, RowQuery, StartedJob, Table, TableChanges, TableFields, TableJob } from '../../protocol/types/tables.ts';
import type { Arguments, ListArguments } from '../platform/api-client.ts';
import type { Items } from '../core/pages.ts';

export const tablesApi = {
  needs: 'botId',
  tokenOnly: [],
  routes: {
    listTables: 'GET /v1/tables',
    createTable: 'POST /v1/tables',
    getTable: 'GET /v1/tables/{table}',
    getOrCreateTable: 'POST /v1/tables/{table}',
    updateTable: 'PUT /v1/tables/{table}',
    renameTableColumn: 'PUT /v1/tables/{table}/column',
    deleteTable: 'DELETE /v1/tables/{table}',
    duplicateTable: 'POST /v1/tables/{table}/duplicate',
    exportTable: 'GET /v1/tables/{table}/export',
    importTable: 'POST /v1/tables/{table}/import',
    getTableJobs: 'GET /v1/tables/{table}/jobs',
    getTableRow: 'GET /v1/tables/{table}/row',
    findTableRows: 'POST /v1/tables/{table}/rows/find',
    createTableRows: 'POST /v1/tables/{table}/rows',
    updateTableRows: 'PUT /v1/tables/{table}/rows',
    upsertTableRows: 'POST /v1/tables/{table}/rows/upsert',
    deleteTableRows: 'POST /v1/tables/{table}/rows/delete',
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {
    listTables: 'tables',
  },
} as const;

/** Every operation of the Tables API as a method. */
export interface TablesMethods {
  /**
   * Lists the tables of the bot, newest first; with `tags`, those that have all of them. Without
   * `pageSize`, 1000 a page.
   */
  listTables(...args: Arguments<{ nextToken?: string; pageSize?: number; tags?: Record<string, string> }>): Promise<{ tables: Table[]; meta: PageMeta }>;
  /** Creates a table. `schema` is a JSON schema, or an example of a row. */
  createTable(...args: Arguments<TableFields>): Promise<{ table: Table }>;
  /** Returns a table by its name or its id, with its number of rows. */
  getTable(...args: Arguments<{ table: string }>): Promise<{ table: Table; rows: number; stale: number; indexing: number }>;
  /**
   * Returns the table with this name, and creates it if it does not exist. An existing table is not
   * changed.
   */
  getOrCreateTable(...args: Arguments<{ table: string; schema: Record<string, unknown>; factor?: number; frozen?: boolean; keyColumn?: string | null; tags?: Record<string, string>; isComputeEnabled?: boolean }>): Promise<{ table: Table; rows: number; stale: number; indexing: number; created: boolean }>;
  /**
   * Changes a table. A column that is null in `schema` is removed. A column whose type changes loses its
   * data.
   */
  updateTable(...args: Arguments<{ table: string } & TableChanges>): Promise<{ table: Table; staleColumns?: string[] }>;
  /** Renames a column. Its data stays. */
  renameTableColumn(...args: Arguments<{ table: string; name: string; newName: string }>): Promise<{ table: Table }>;
  /** Deletes a table with its rows and jobs. */
  deleteTable(...args: Arguments<{ table: string }>): Promise<Record<never, never>>;
  /** Creates a table with the same columns. Its rows are copied after the response. */
  duplicateTable(...args: Arguments<{ table: string; tableName?: string; schemaOnly?: boolean; factor?: number }>): Promise<{ table: Table; rows: number; job?: StartedJob }>;
  /** Starts to export a table to a file of the bot, as CSV (default) or JSON. */
  exportTable(...args: Arguments<{ table: string; format?: 'csv' | 'json'; compress?: boolean }>): Promise<{ job: TableJob }>;
  /**
   * Starts to import the rows of a file of the bot: CSV, JSON or JSON Lines, optionally compressed with
   * gzip.
   */
  importTable(...args: Arguments<{ table: string; fileId: string }>): Promise<{ job: TableJob }>;
  /** Lists the jobs of a table, also those that fill it: the newest 100. */
  getTableJobs(...args: Arguments<{ table: string }>): Promise<{ jobs: TableJob[]; meta: PageMeta }>;
  /** Returns a row. */
  getTableRow(...args: Arguments<{ table: string; id: number }>): Promise<{ row: Row }>;
  /**
   * Finds rows by a filter and by search (words and meaning); sorts, groups and paginates them as
   * requested.
   */
  findTableRows(...args: Arguments<{ table: string } & RowQuery>): Promise<{ rows: FoundRow[]; hasMore: boolean; offset: number; limit: number; warnings?: string[] }>;
  /** Adds rows. Invalid rows are not added and are reported in `errors`. */
  createTableRows(...args: Arguments<{ table: string; rows: Record<string, unknown>[]; waitComputed?: boolean }>): Promise<{ rows: Row[]; warnings?: string[]; errors?: string[] }>;
  /** Changes rows by their ids. Omitted columns are unchanged. */
  updateTableRows(...args: Arguments<{ table: string; rows: { id: number; [column: string]: unknown }[]; waitComputed?: boolean }>): Promise<{ rows: Row[]; warnings?: string[]; errors?: string[] }>;
  /** Changes the existing rows, which are found by `keyColumn` (default `id`), and adds the others. */
  upsertTableRows(...args: Arguments<{ table: string; rows: Record<string, unknown>[]; keyColumn?: string; waitComputed?: boolean }>): Promise<{ inserted: Row[]; updated: Row[]; warnings?: string[]; errors?: string[] }>;
  /** Deletes rows by their ids, or all rows. Deleting by a filter continues as a job after the response. */
  deleteTableRows(...args: Arguments<{ table: string; ids?: number[]; filter?: Record<string, unknown>; deleteAllRows?: true }>): Promise<{ deletedRows: number; job?: StartedJob }>;
}

/** Every list of the Tables API as an async iterable over all pages. */
export interface TablesLists {
  /**
   * Lists the tables of the bot, newest first; with `tags`, those that have all of them. Without
   * `pageSize`, 1000 a page.
   */
  tables(...args: ListArguments<{ nextToken?: string; pageSize?: number; tags?: Record<string, string> }>): Items<Table>;
}
