// Operations of the Tables API: rows.
import * as v from 'valibot';
import { tableSchemas } from '../../schemas/tables.ts';
import { mutation, operations, query } from '../operation.ts';

const writtenRows = v.object({ rows: v.array(tableSchemas.row), ...tableSchemas.report });

export const rows = operations({
  getTableRow: query({
    route: 'GET /{table}/row',
    summary: 'Gives a row.',
    auth: 'bot',
    permission: 'rows.read',
    errors: ['ResourceNotFound', 'InvalidQuery'],
    input: v.object({ id: tableSchemas.rowId }),
    output: v.object({ row: tableSchemas.row }),
  }),

  findTableRows: query({
    route: 'POST /{table}/rows/find',
    summary: 'Finds rows by a filter and by words, ordered, grouped and cut into pages as asked.',
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
  }),

  createTableRows: mutation({
    route: 'POST /{table}/rows',
    summary: 'Adds rows. Those that do not fit are left out, and told in `errors`.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    input: tableSchemas.newRows,
    output: writtenRows,
  }),

  updateTableRows: mutation({
    route: 'PUT /{table}/rows',
    summary: 'Changes rows by their ids. Columns that are not given stay as they are.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    input: tableSchemas.newRows,
    output: writtenRows,
  }),

  upsertTableRows: mutation({
    route: 'POST /{table}/rows/upsert',
    summary:
      'Changes the rows that are there, by `keyColumn` (`id` when nothing is said), and adds the others.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound', 'LimitExceeded'],
    input: tableSchemas.upsert,
    output: v.object({
      inserted: v.array(tableSchemas.row),
      updated: v.array(tableSchemas.row),
      ...tableSchemas.report,
    }),
  }),

  deleteTableRows: mutation({
    route: 'POST /{table}/rows/delete',
    summary: 'Deletes rows by their ids, or all; by a filter after the answer, as a job.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    input: tableSchemas.removal,
    output: v.object({ deletedRows: v.number(), job: v.exactOptional(tableSchemas.startedJob) }),
  }),
});
