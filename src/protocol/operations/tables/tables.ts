// Operations of the Tables API: tables.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { queries } from '../../schemas/query.ts';
import { tableSchemas } from '../../schemas/tables.ts';
import { mutation, operations, query } from '../operation.ts';

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
