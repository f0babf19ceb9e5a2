// Operations on tables: list, create, change, delete, duplicate.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { tables } from '../../../protocol/operations/tables.ts';
import { tableSchemas } from '../../../protocol/schemas/tables.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, isText, readPage } from '../../api/pages.ts';
import type { Tx } from '../../storage/database.ts';
import { countStaleRows, findTableWork } from '../../storage/tables/computed.ts';
import { countUnembeddedRows } from '../../storage/tables/row-vectors.ts';
import { countRows, countRowsBetween } from '../../storage/tables/rows.ts';
import { findTable, listTables, type TableRow } from '../../storage/tables/tables.ts';
import { duplicateTable } from '../duplicate.ts';
import { startedJob } from '../jobs/jobs.ts';
import { type OpenTable, openTable } from '../open-table.ts';
import { serializeTable } from '../serializers.ts';
import {
  changeTable,
  createTable,
  existingTable,
  heldTable,
  removeTable,
  renameTableColumn,
} from '../structure.ts';
import { handle } from './services.ts';

export const tableHandlers = [
  handle(tables.listTables, async ({ tx, caller, input }) => {
    // The maximum by default, because some clients do not request further pages of this list.
    const size = input.pageSize ?? limits.maxPageSize;
    const before = decodeCursor('tables', input.nextToken, isText);
    const { rows, meta } = await readPage({
      kind: 'tables',
      size,
      after: before,
      sortKey: (row: TableRow) => row.id,
      weigh: ({ schema, tags }) => schema.length + tags.length,
      read: (from, limit) => tablesWith(tx, caller.botId, input.tags ?? {}, from, limit),
    });
    return { body: { tables: rows.map(serializeTable), meta } };
  }),

  handle(tables.createTable, async ({ tx, caller, input, services }) => {
    await tx.lock(`bot:${caller.botId}`);
    const { record } = await createTable(tx, caller.botId, input, services.now());
    tx.afterCommit(() => services.tables.onTableChanged(record.id));
    return { body: { table: serializeTable(record) }, resource: record.id };
  }),

  handle(tables.getTable, async ({ tx, caller, params }) => {
    return { body: await counted(tx, await existingTable(tx, caller.botId, params.table)) };
  }),

  handle(tables.getOrCreateTable, async ({ tx, caller, params, input, services }) => {
    await tx.lock(`bot:${caller.botId}`);
    const record = await findTable(tx, caller.botId, params.table);
    if (record) return { body: { ...(await counted(tx, openTable(record))), created: false } };
    if (!v.is(tableSchemas.tableName, params.table)) {
      throw new ApiError('InvalidPayload', 'table: A new table needs a name that ends with "Table".');
    }
    const table = await createTable(tx, caller.botId, { ...input, name: params.table }, services.now());
    tx.afterCommit(() => services.tables.onTableChanged(table.record.id));
    return { body: { ...(await counted(tx, table)), created: true }, resource: table.record.id };
  }),

  handle(tables.updateTable, async ({ tx, caller, params, input, services }) => {
    const before = await heldTable(tx, caller.botId, params.table);
    const { table, staleColumns, job } = await changeTable(tx, before, input, services.now());
    if (job) tx.afterCommit(services.tables.onJobAdded);
    tx.afterCommit(services.tables.computed.wake);
    tx.afterCommit(() => services.tables.onTableChanged(table.record.id));
    return {
      body: { table: serializeTable(table.record), ...(staleColumns.length > 0 ? { staleColumns } : {}) },
    };
  }),

  handle(tables.renameTableColumn, async ({ tx, caller, params, input, services }) => {
    const before = await heldTable(tx, caller.botId, params.table);
    const { record } = await renameTableColumn(tx, before, input.name, input.newName, services.now());
    tx.afterCommit(() => services.tables.onTableChanged(record.id));
    return { body: { table: serializeTable(record) } };
  }),

  handle(tables.deleteTable, async ({ tx, caller, params, services }) => {
    await removeTable(tx, await heldTable(tx, caller.botId, params.table));
    tx.afterCommit(services.tables.onRemoved);
    return { body: {} };
  }),

  handle(tables.duplicateTable, async ({ tx, caller, params, input, services }) => {
    await tx.lock(`bot:${caller.botId}`);
    const source = await heldTable(tx, caller.botId, params.table);
    const { table, rows, job } = await duplicateTable(tx, source, input, services.now());
    if (job) tx.afterCommit(services.tables.onJobAdded);
    tx.afterCommit(() => services.tables.onTableChanged(table.record.id));
    return {
      body: { table: serializeTable(table.record), rows, ...(job ? { job: startedJob(job) } : {}) },
      resource: table.record.id,
    };
  }),
];

async function counted(tx: Tx, { record }: OpenTable) {
  const { id, storeId } = record;
  // The rows that a sweep has not reached yet are all stale.
  const { afterRow = 0, lastRow = 0 } = (await findTableWork(tx, id, 'sweep')) ?? {};
  const unswept = lastRow > afterRow ? await countRowsBetween(tx, storeId, afterRow, lastRow) : 0;
  const stale = unswept + (await countStaleRows(tx, storeId, afterRow, lastRow));
  return {
    table: serializeTable(record),
    rows: await countRows(tx, storeId),
    stale,
    indexing: await countUnembeddedRows(tx, storeId),
  };
}

/** The number of tables per read, because their schemas can be large. */
const step = 20;

/** Returns up to `limit` tables with these tags, newest first. */
async function tablesWith(
  tx: Tx,
  botId: string,
  tags: Record<string, string>,
  before: string | undefined,
  limit: number,
): Promise<TableRow[]> {
  const required = Object.entries(tags);
  const found: TableRow[] = [];
  for (let from = before; ; ) {
    const rows = await listTables(tx, botId, from, step);
    for (const row of rows) {
      const own: Record<string, string> = JSON.parse(row.tags);
      if (required.every(([key, value]) => Object.hasOwn(own, key) && own[key] === value)) found.push(row);
    }
    from = rows.at(-1)?.id;
    if (found.length >= limit || rows.length < step) return found.slice(0, limit);
  }
}
