// Operations of the Tables API: tables, rows and jobs.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { schemas } from '../schemas/chat.ts';
import { queries } from '../schemas/query.ts';
import { tableSchemas } from '../schemas/tables.ts';
import { maybe } from '../schemas/values.ts';
import { mutation, operations, query } from './operation.ts';

const tableBody = v.object({ table: tableSchemas.table });
const countedTable = v.object({ table: tableSchemas.table, ...tableSchemas.counts });

export const tables = operations({
  listTables: query({
    route: 'GET /',
    summary:
      'Lists the tables of the bot, newest first; with `tags`, those that have all of them. ' +
      `Without \`pageSize\`, ${limits.maxPageSize} a page.`,
    auth: 'bot',
    permission: 'tables.read',
    errors: ['InvalidQuery'],
    input: v.object({ ...queries.sizedPage, tags: maybe(tableSchemas.tagQuery) }),
    output: v.object({ tables: v.array(tableSchemas.table), meta: schemas.meta }),
    sample: { tags: { team: 'sales' } },
    examples: [{ pageSize: 2, tags: { a: 'b' } }],
  }),

  createTable: mutation({
    route: 'POST /',
    summary: 'Creates a table. `schema` is a JSON schema, or an example of a row.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['AlreadyExists', 'InvalidJsonSchema', 'QuotaExceeded'],
    input: tableSchemas.newTable,
    output: tableBody,
    sample: { name: 'OrdersTable', schema: { customer: 'Ada', total: 42.5 } },
    examples: [
      { name: 'of-<<user>>Table', schema: { name: 'Ann', age: 3 }, tags: { a: 'b' } },
      {
        name: 'Table',
        schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      },
    ],
  }),

  getTable: query({
    route: 'GET /{table}',
    summary: 'Returns a table by its name or its id, with its number of rows.',
    auth: 'bot',
    permission: 'tables.read',
    errors: ['ResourceNotFound'],
    output: countedTable,
    examples: [{ table: '<<table>>' }],
  }),

  getOrCreateTable: mutation({
    route: 'POST /{table}',
    summary:
      'Returns the table with this name, and creates it if it does not exist. An existing table is not changed.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['InvalidJsonSchema', 'QuotaExceeded'],
    input: tableSchemas.tableFields,
    output: v.object({ ...countedTable.entries, created: v.boolean() }),
    sample: { table: '<<table>>', schema: { customer: 'Ada', total: 42.5 } },
    examples: [{ table: '<<table>>', schema: { a: 1 }, factor: 2, keyColumn: 'a' }],
  }),

  updateTable: mutation({
    route: 'PUT /{table}',
    summary:
      'Changes a table. A column that is null in `schema` is removed. A column whose type changes loses its ' +
      'data.',
    auth: 'bot',
    permission: 'tables.write',
    errors: [
      'ResourceNotFound',
      'AlreadyExists',
      'InvalidJsonSchema',
      'ResourceLockedConflict',
      'RelationConflict',
      'LimitExceeded',
    ],
    input: tableSchemas.tableChanges,
    output: v.object({ table: tableSchemas.table, staleColumns: maybe(v.array(v.string())) }),
    sample: { table: '<<table>>', schema: { type: 'object', properties: { city: { type: 'string' } } } },
    examples: [
      {
        table: '<<table>>',
        schema: { type: 'object', properties: { extra: { type: 'number' }, gone: null } },
      },
      { table: '<<table>>', factor: 2, tags: { a: 'b' } },
    ],
  }),

  renameTableColumn: mutation({
    route: 'PUT /{table}/column',
    summary: 'Renames a column. Its data stays.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['ResourceNotFound', 'AlreadyExists', 'InvalidJsonSchema', 'ResourceLockedConflict'],
    input: tableSchemas.renaming,
    output: tableBody,
    sample: { table: '<<table>>', name: 'customer', newName: 'customerName' },
    examples: [{ table: '<<table>>', name: 'name', newName: 'name' }],
  }),

  deleteTable: mutation({
    route: 'DELETE /{table}',
    summary: 'Deletes a table with its rows and jobs.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ table: '<<table>>' }],
  }),

  duplicateTable: mutation({
    route: 'POST /{table}/duplicate',
    summary: 'Creates a table with the same columns. Its rows are copied after the response.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['ResourceNotFound', 'AlreadyExists', 'QuotaExceeded'],
    input: tableSchemas.duplication,
    output: v.object({
      table: tableSchemas.table,
      rows: v.number(),
      job: maybe(tableSchemas.startedJob),
    }),
    sample: { table: '<<table>>', tableName: 'OrdersCopyTable' },
    examples: [
      { table: '<<table>>', schemaOnly: true },
      { table: '<<table>>', tableName: 'twin-of-<<user>>Table' },
    ],
  }),
});

/** Jobs in a response. */
export const jobsMost = 100;
const jobBody = v.object({ job: tableSchemas.job });

export const jobs = operations({
  exportTable: mutation({
    route: 'GET /{table}/export',
    summary: 'Starts to export a table to a file of the bot, as CSV (default) or JSON.',
    auth: 'bot',
    // An export creates a file, so reading permission is not sufficient.
    permission: 'rows.write',
    errors: ['ResourceNotFound', 'InvalidQuery'],
    input: tableSchemas.exportQuery,
    output: jobBody,
    examples: [{ table: '<<table>>', format: 'json', compress: true }],
  }),

  importTable: mutation({
    route: 'POST /{table}/import',
    summary:
      'Starts to import the rows of a file of the bot: CSV, JSON or JSON Lines, optionally compressed with ' +
      'gzip.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    input: tableSchemas.importBody,
    output: jobBody,
    examples: [{ table: '<<table>>', fileId: '<<file>>' }],
  }),

  getTableJobs: query({
    route: 'GET /{table}/jobs',
    summary: `Lists the jobs of a table, also those that fill it: the newest ${jobsMost}.`,
    auth: 'bot',
    permission: 'tables.read',
    errors: ['ResourceNotFound'],
    output: v.object({ jobs: v.array(tableSchemas.job), meta: schemas.meta }),
    examples: [{ table: '<<table>>' }],
  }),
});

const writtenRows = v.object({ rows: v.array(tableSchemas.row), ...tableSchemas.report });

export const rows = operations({
  getTableRow: query({
    route: 'GET /{table}/row',
    summary: 'Returns a row.',
    auth: 'bot',
    permission: 'rows.read',
    errors: ['ResourceNotFound', 'InvalidQuery'],
    input: v.object({ id: tableSchemas.rowId }),
    output: v.object({ row: tableSchemas.row }),
    examples: [{ table: '<<table>>', id: 1 }],
  }),

  findTableRows: query({
    route: 'POST /{table}/rows/find',
    isHeavy: true,
    summary:
      'Finds rows by a filter and by search (words and meaning); sorts, groups and paginates them as requested.',
    auth: 'bot',
    permission: 'rows.read',
    errors: ['ResourceNotFound', 'LimitExceeded'],
    input: tableSchemas.rowQuery,
    output: v.object({
      rows: v.array(tableSchemas.foundRow),
      hasMore: v.boolean(),
      offset: v.number(),
      limit: v.number(),
      warnings: tableSchemas.warnings,
    }),
    sample: { table: '<<table>>', filter: { total: { $gt: 40 } }, orderBy: 'total', limit: 10 },
    examples: [
      { table: '<<table>>' },
      {
        table: '<<table>>',
        filter: { $or: [{ name: { $regex: '^(a+)+$', $options: 'i' } }, { 'more.x': { $in: [1, null] } }] },
        select: ['name', 'more.x'],
        orderBy: 'age',
        orderDirection: 'desc',
      },
      { table: '<<table>>', search: 'Ann Bea', limit: 2, offset: 1 },
      { table: '<<table>>', group: { name: 'key', age: ['sum', 'unique'] } },
    ],
  }),

  createTableRows: mutation({
    route: 'POST /{table}/rows',
    summary: 'Adds rows. Invalid rows are not added and are reported in `errors`.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    input: tableSchemas.newRows,
    output: writtenRows,
    sample: { table: '<<table>>', rows: [{ customer: 'Ada', total: 42.5 }] },
    examples: [
      { table: '<<table>>', rows: [{ name: 'Ann', age: 3, more: { x: [1, { y: null }] } }, { name: 1 }] },
    ],
  }),

  updateTableRows: mutation({
    route: 'PUT /{table}/rows',
    summary: 'Changes rows by their ids. Omitted columns are unchanged.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    input: tableSchemas.changedRows,
    output: writtenRows,
    sample: { table: '<<table>>', rows: [{ id: 1, total: 40 }] },
    examples: [{ table: '<<table>>', rows: [{ id: 1, age: 4 }] }],
  }),

  upsertTableRows: mutation({
    route: 'POST /{table}/rows/upsert',
    summary: 'Changes the existing rows, which are found by `keyColumn` (default `id`), and adds the others.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound', 'LimitExceeded'],
    input: tableSchemas.upsert,
    output: v.object({
      inserted: v.array(tableSchemas.row),
      updated: v.array(tableSchemas.row),
      ...tableSchemas.report,
    }),
    sample: { table: '<<table>>', rows: [{ customer: 'Ada', total: 40 }], keyColumn: 'customer' },
    examples: [
      { table: '<<table>>', rows: [{ name: 'Bea', age: 5 }], keyColumn: 'name' },
      { table: '<<table>>', rows: [{ id: 7, name: 'Cem' }] },
    ],
  }),

  deleteTableRows: mutation({
    route: 'POST /{table}/rows/delete',
    summary:
      'Deletes rows by their ids, or all rows. Deleting by a filter continues as a job after the response.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    input: tableSchemas.removal,
    output: v.object({ deletedRows: v.number(), job: maybe(tableSchemas.startedJob) }),
    examples: [
      { table: '<<table>>', ids: [1, 2] },
      { table: '<<table>>', filter: { age: { $gt: 3 } } },
      { table: '<<table>>', deleteAllRows: true },
    ],
  }),
});

export const tablesOperations = {
  ...tables,
  ...jobs,
  ...rows,
};
