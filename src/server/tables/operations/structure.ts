// Operations on tables themselves: list, make, change, delete, duplicate.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { readPage } from '../../api/page.ts';
import { queries } from '../../api/query-schemas.ts';
import { schemas } from '../../api/schemas.ts';
import { type Operation, reading, writing } from '../../operations/operation.ts';
import type { Tx } from '../../storage/database.ts';
import { countRows } from '../../storage/tables/rows.ts';
import { findTable, listTables, type TableRow } from '../../storage/tables/tables.ts';
import { duplicateTable } from '../duplicate.ts';
import { startedJob } from '../jobs/jobs.ts';
import { tableSchemas } from '../schemas.ts';
import { type OpenTable, openTable, toTable } from '../serializers.ts';
import { changeTable, createTable, existingTable, removeTable, renameTableColumn } from '../structure.ts';

const tableBody = v.object({ table: tableSchemas.table });
const countedTable = v.object({ table: tableSchemas.table, ...tableSchemas.counts });

export const structureOperations: readonly Operation[] = [
  reading({
    id: 'listTables',
    method: 'GET',
    path: '',
    summary:
      'Lists the tables of the bot, newest first; with `tags`, those that have all of them. ' +
      `Without \`pageSize\`, ${limits.maxPageSize} a page.`,
    auth: 'bot',
    permission: 'tables.read',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object({ ...queries.sizedPage, tags: v.exactOptional(tableSchemas.tagQuery) }),
    response: v.object({ tables: v.array(tableSchemas.table), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      // The most: some clients know no second page of this list.
      const size = query.pageSize ?? limits.maxPageSize;
      const before = decodeCursor('tables', query.nextToken, isText);
      const { rows, meta } = await readPage({
        kind: 'tables',
        size,
        after: before,
        sortKey: (row: TableRow) => row.id,
        weigh: ({ schema, tags }) => schema.length + tags.length,
        read: (from, limit) => tablesWith(tx, caller.botId, query.tags ?? {}, from, limit),
      });
      return { body: { tables: rows.map(toTable), meta } };
    },
  }),

  writing({
    id: 'createTable',
    method: 'POST',
    path: '',
    summary: 'Makes a table. `schema` is a JSON schema, or an example of a row.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['AlreadyExists', 'InvalidJsonSchema', 'QuotaExceeded'],
    status: 200,
    body: tableSchemas.newTable,
    response: tableBody,
    async run({ tx, caller, body, services }) {
      const { record } = await createTable(tx, caller.botId, body, services.now());
      return { body: { table: toTable(record) }, resource: record.id };
    },
  }),

  reading({
    id: 'getTable',
    method: 'GET',
    path: '/{table}',
    summary: 'Gives a table, by its name or its id, and how many rows it has.',
    auth: 'bot',
    permission: 'tables.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response: countedTable,
    async run({ tx, caller, params }) {
      return { body: await counted(tx, await existingTable(tx, caller.botId, params.table)) };
    },
  }),

  writing({
    id: 'getOrCreateTable',
    method: 'POST',
    path: '/{table}',
    summary:
      'Gives the table of this name, and makes it when there is none. One that is there is not changed.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['InvalidJsonSchema', 'QuotaExceeded'],
    status: 200,
    body: tableSchemas.tableFields,
    response: v.object({ ...countedTable.entries, created: v.boolean() }),
    async run({ tx, caller, params, body, services }) {
      const record = await findTable(tx, caller.botId, params.table ?? '');
      if (record) return { body: { ...(await counted(tx, openTable(record))), created: false } };
      if (!v.is(tableSchemas.tableName, params.table)) {
        throw new ApiError('InvalidPayload', 'table: A new table needs a name that ends with "Table".');
      }
      const table = await createTable(tx, caller.botId, { ...body, name: params.table }, services.now());
      return { body: { ...(await counted(tx, table)), created: true }, resource: table.record.id };
    },
  }),

  writing({
    id: 'updateTable',
    method: 'PUT',
    path: '/{table}',
    summary:
      'Changes a table. A column that is null in `schema` is removed; one that changes its type loses its data.',
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
    status: 200,
    body: tableSchemas.tableChanges,
    response: tableBody,
    async run({ tx, caller, params, body, services }) {
      const before = await existingTable(tx, caller.botId, params.table);
      const { table, job } = await changeTable(tx, before, body, services.now());
      if (job) tx.afterCommit(services.tables.jobs.wake);
      return { body: { table: toTable(table.record) } };
    },
  }),

  writing({
    id: 'renameTableColumn',
    method: 'PUT',
    path: '/{table}/column',
    summary: 'Gives a column another name. Its data stays.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['ResourceNotFound', 'AlreadyExists', 'InvalidJsonSchema', 'ResourceLockedConflict'],
    status: 200,
    body: tableSchemas.renaming,
    response: tableBody,
    async run({ tx, caller, params, body, services }) {
      const before = await existingTable(tx, caller.botId, params.table);
      const { record } = await renameTableColumn(tx, before, body.name, body.newName, services.now());
      return { body: { table: toTable(record) } };
    },
  }),

  writing({
    id: 'deleteTable',
    method: 'DELETE',
    path: '/{table}',
    summary: 'Deletes a table with its rows and jobs.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params, services }) {
      await removeTable(tx, await existingTable(tx, caller.botId, params.table));
      tx.afterCommit(services.tables.onRemoved);
      return { body: {} };
    },
  }),

  writing({
    id: 'duplicateTable',
    method: 'POST',
    path: '/{table}/duplicate',
    summary: 'Makes a table with the same columns, and fills it with the same rows after the answer.',
    auth: 'bot',
    permission: 'tables.write',
    errors: ['ResourceNotFound', 'AlreadyExists', 'QuotaExceeded'],
    status: 200,
    body: tableSchemas.duplication,
    response: v.object({
      table: tableSchemas.table,
      rows: v.number(),
      job: v.exactOptional(tableSchemas.startedJob),
    }),
    async run({ tx, caller, params, body, services }) {
      const source = await existingTable(tx, caller.botId, params.table);
      const { table, rows, job } = await duplicateTable(tx, source, body, services.now());
      if (job) tx.afterCommit(services.tables.jobs.wake);
      return {
        body: { table: toTable(table.record), rows, ...(job ? { job: startedJob(job) } : {}) },
        resource: table.record.id,
      };
    },
  }),
];

async function counted(tx: Tx, { record }: OpenTable) {
  return { table: toTable(record), rows: await countRows(tx, record.storeId), stale: 0, indexing: 0 };
}

/** Tables read at a time: their schemas may be large. */
const step = 20;

/** Up to `limit` tables that have these tags, newest first. */
async function tablesWith(
  tx: Tx,
  botId: string,
  tags: Record<string, string>,
  before: string | undefined,
  limit: number,
): Promise<TableRow[]> {
  const wanted = Object.entries(tags);
  const found: TableRow[] = [];
  for (let from = before; ; ) {
    const rows = await listTables(tx, botId, from, step);
    for (const row of rows) {
      const own: Record<string, string> = JSON.parse(row.tags);
      if (wanted.every(([key, value]) => Object.hasOwn(own, key) && own[key] === value)) found.push(row);
    }
    from = rows.at(-1)?.id;
    if (found.length >= limit || rows.length < step) return found.slice(0, limit);
  }
}
