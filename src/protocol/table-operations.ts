// The words of the Tables API: every operation with its method, path, input and output. No behaviour.
import type { Route } from './operations.ts';
import type { Page } from './page.ts';
import type {
  FoundRows,
  Row,
  RowFields,
  RowFilter,
  RowQuery,
  RowReport,
  StartedJob,
  Table,
  TableChanges,
  TableCounts,
  TableFields,
  TableJob,
} from './table.ts';

type Empty = Record<never, never>;
/** The name or the id of a table. */
type In = { table: string };

/** Input (path parameters, then body or query) and output of every operation. */
export interface TableOperations {
  /** Lists the tables of the bot, newest first; with `tags`, those that have all of them. */
  listTables: [
    { nextToken?: string; pageSize?: number; tags?: Record<string, string> },
    Page<'tables', Table>,
  ];
  /** Gives a table, by its name or its id, and how many rows it has. */
  getTable: [In, { table: Table } & TableCounts];
  /** Makes a table. `schema` is a JSON schema, or an example of a row. */
  createTable: [TableFields, { table: Table }];
  /** Gives the table of this name, and makes it when there is none. One that is there is not changed. */
  getOrCreateTable: [In & Omit<TableFields, 'name'>, { table: Table; created: boolean } & TableCounts];
  /** Changes a table. A column that is null in `schema` is removed; one that changes its type loses its data. */
  updateTable: [In & TableChanges, { table: Table }];
  /** Gives a column another name. Its data stays. */
  renameTableColumn: [In & { name: string; newName: string }, { table: Table }];
  /** Deletes a table with its rows and jobs. */
  deleteTable: [In, Empty];
  /** Makes a table with the same columns, and fills it with the same rows after the answer. */
  duplicateTable: [
    In & { tableName?: string; schemaOnly?: boolean; factor?: number },
    { table: Table; rows: number; job?: StartedJob },
  ];
  /** Begins to write a table into a file of the bot, CSV (when nothing is said) or JSON. */
  exportTable: [In & { format?: 'csv' | 'json'; compress?: boolean }, { job: TableJob }];
  /** Begins to add the rows of a file of the bot: CSV, JSON or JSON Lines, packed with gzip or not. */
  importTable: [In & { fileId: string }, { job: TableJob }];
  /** Lists the newest hundred jobs of a table, also those that fill it; there is no second page. */
  getTableJobs: [In, Page<'jobs', TableJob>];
  /** Gives a row. */
  getTableRow: [In & { id: number }, { row: Row }];
  /** Finds rows by a filter and by words, ordered, grouped and cut into pages as asked. */
  findTableRows: [In & RowQuery, FoundRows];
  /** Adds rows. Those that do not fit are left out, and told in `errors`. */
  createTableRows: [In & { rows: RowFields[]; waitComputed?: boolean }, { rows: Row[] } & RowReport];
  /** Changes rows by their ids. Columns that are not given stay as they are. */
  updateTableRows: [
    In & { rows: (RowFields & { id: number })[]; waitComputed?: boolean },
    { rows: Row[] } & RowReport,
  ];
  /** Changes the rows that are there, by `keyColumn` (`id` when nothing is said), and adds the others. */
  upsertTableRows: [
    In & { rows: RowFields[]; keyColumn?: string; waitComputed?: boolean },
    { inserted: Row[]; updated: Row[] } & RowReport,
  ];
  /** One of the three. Deleting by `filter` goes on after the answer, as a job. */
  deleteTableRows: [
    In & { ids?: number[]; filter?: RowFilter; deleteAllRows?: true },
    { deletedRows: number; job?: StartedJob },
  ];
}

/** Method and path, below the address of the server. */
export const tableOperations = {
  listTables: 'GET /v1/tables',
  getTable: 'GET /v1/tables/{table}',
  createTable: 'POST /v1/tables',
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
} as const satisfies Record<keyof TableOperations, Route>;
