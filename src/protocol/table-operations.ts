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
  listTables: [
    { nextToken?: string; pageSize?: number; tags?: Record<string, string> },
    Page<'tables', Table>,
  ];
  getTable: [In, { table: Table } & TableCounts];
  createTable: [TableFields, { table: Table }];
  getOrCreateTable: [In & Omit<TableFields, 'name'>, { table: Table; created: boolean } & TableCounts];
  updateTable: [In & TableChanges, { table: Table }];
  renameTableColumn: [In & { name: string; newName: string }, { table: Table }];
  deleteTable: [In, Empty];
  duplicateTable: [
    In & { tableName?: string; schemaOnly?: boolean; factor?: number },
    { table: Table; rows: number; job?: StartedJob },
  ];
  exportTable: [In & { format?: 'csv' | 'json'; compress?: boolean }, { job: TableJob }];
  importTable: [In & { fileId: string }, { job: TableJob }];
  getTableJobs: [In, { jobs: TableJob[] }];
  getTableRow: [In & { id: number }, { row: Row }];
  findTableRows: [In & RowQuery, FoundRows];
  createTableRows: [In & { rows: RowFields[]; waitComputed?: boolean }, { rows: Row[] } & RowReport];
  updateTableRows: [
    In & { rows: (RowFields & { id: number })[]; waitComputed?: boolean },
    { rows: Row[] } & RowReport,
  ];
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
