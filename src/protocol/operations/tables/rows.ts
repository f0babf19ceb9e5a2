// Operations of the Tables API: rows.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { tableSchemas } from '../../schemas/tables.ts';
import { mutation, operations, query } from '../operation.ts';

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
