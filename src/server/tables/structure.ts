// Creates, changes and deletes tables: names, columns, keys. Rows of a deleted table are queued for removal.
import { limits } from '../../protocol/limits.ts';
import type { TableChanges, TableFields, TableSchema } from '../../protocol/types/tables.ts';
import { ApiError } from '../api/errors.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import { enqueueDeletion } from '../storage/deletions.ts';
import { redactResponses, rowsOf } from '../storage/idempotency.ts';
import { createId } from '../storage/ids.ts';
import { findTableWork } from '../storage/tables/computed.ts';
import type { TableJobRow } from '../storage/tables/jobs.ts';
import {
  clearKeys,
  countRows,
  hasMoreRows,
  lastRowId,
  rowsInOrder,
  setKeyValues,
} from '../storage/tables/rows.ts';
import {
  countTables,
  deleteTable,
  findTable,
  insertTable,
  type TableRow,
  tableOfId,
  updateTable,
} from '../storage/tables/tables.ts';
import { assertComputed, changeSchema, readSchema, renameColumn } from './columns.ts';
import type { Hold } from './computed/cells.ts';
import { definitionsOf } from './computed/definitions.ts';
import { markTable } from './computed/marking.ts';
import { addJob } from './jobs/jobs.ts';
import { cellOf, keyValueOf, nextLayout, type OpenTable, openTable } from './open-table.ts';

/** Returns a table of the bot by name or id. Throws 404. */
export async function existingTable(tx: Tx, botId: string, idOrName = ''): Promise<OpenTable> {
  const record = await findTable(tx, botId, idOrName);
  if (!record) throw new ApiError('ResourceNotFound', 'The table does not exist.');
  return withHold(tx, openTable(record));
}

/** Does the same, and holds the lock of the table: its columns, rows and next row id do not change meanwhile. */
export async function heldTable(tx: WriteTx, botId: string, idOrName = ''): Promise<OpenTable> {
  const { record } = await existingTable(tx, botId, idOrName);
  await tx.lock(`table:${record.id}`);
  return existingTable(tx, botId, record.id);
}

/** Returns a table of any bot; undefined when it was deleted. */
export async function openTableOfId(tx: Tx, id: string): Promise<OpenTable | undefined> {
  const record = await tableOfId(tx, id);
  return record && withHold(tx, openTable(record));
}

/** Adds why the cells of the table wait that need the language model. */
async function withHold(tx: Tx, table: OpenTable): Promise<OpenTable> {
  if (!definitionsOf(table).some(({ action }) => action === 'ai')) return table;
  const { status, reason } = (await findTableWork(tx, table.record.id, 'model')) ?? {};
  return status && reason ? { ...table, hold: { status: status as Hold['status'], reason } } : table;
}

export async function createTable(
  tx: WriteTx,
  botId: string,
  fields: TableFields,
  now: number,
): Promise<OpenTable> {
  await assertTableQuota(tx, botId);
  await assertFree(tx, botId, fields.name);
  const schema = readSchema(fields.schema);
  assertKeyColumn(schema, fields.keyColumn ?? null);
  assertComputed(schema, fields.keyColumn ?? null);
  const record: TableRow = {
    id: createId('table', now),
    botId,
    storeId: createId('rows', now),
    name: fields.name,
    factor: fields.factor ?? 1,
    frozen: fields.frozen ? 1 : 0,
    keyColumn: fields.keyColumn ?? null,
    schema: JSON.stringify(schema),
    layout: JSON.stringify(nextLayout({ next: 1, keys: {} }, schema, [])),
    tags: JSON.stringify(fields.tags ?? {}),
    computeEnabled: fields.isComputeEnabled === undefined ? 2 : Number(fields.isComputeEnabled),
    nextRow: 1,
    createdAt: now,
    updatedAt: now,
  };
  await insertTable(tx, record);
  return openTable(record);
}

/**
 * Changes the given fields. Data of columns that are removed or change their type is hidden at once, and a job removes
 * it.
 */
export async function changeTable(
  tx: WriteTx,
  before: OpenTable,
  changes: TableChanges,
  now: number,
): Promise<{ table: OpenTable; staleColumns: string[]; job?: TableJobRow }> {
  const { record } = before;
  assertNotFrozen(record, changes);
  const { name = record.name, factor = record.factor } = changes;
  if (name !== record.name) await assertFree(tx, record.botId, name);
  if (factor < record.factor) throw new ApiError('InvalidPayload', 'factor: It can only grow.');
  const { schema, cleared } = changes.schema
    ? changeSchema(before.schema, changes.schema)
    : { schema: before.schema, cleared: [] };
  const hasKeyColumn = record.keyColumn !== null && Object.hasOwn(schema.properties, record.keyColumn);
  const keyColumn =
    changes.keyColumn === undefined ? (hasKeyColumn ? record.keyColumn : null) : changes.keyColumn;
  assertKeyColumn(schema, keyColumn);
  assertComputed(schema, keyColumn);
  const layout = nextLayout(before.layout, schema, cleared);
  const table: OpenTable = {
    schema,
    layout,
    record: {
      ...record,
      name,
      factor,
      keyColumn,
      frozen: (changes.frozen ?? record.frozen) ? 1 : 0,
      schema: JSON.stringify(schema),
      layout: JSON.stringify(layout),
      tags: JSON.stringify(mergedTags(JSON.parse(record.tags), changes.tags ?? {})),
      computeEnabled:
        changes.isComputeEnabled === undefined ? record.computeEnabled : Number(changes.isComputeEnabled),
      updatedAt: now,
    },
  };
  await updateTable(tx, table.record);
  // No row has a value in a column that is new or cleared.
  const isEmpty =
    keyColumn !== null &&
    (cleared.includes(keyColumn) || !Object.hasOwn(before.schema.properties, keyColumn));
  if (keyColumn !== record.keyColumn || isEmpty) await setKeys(tx, table, isEmpty);
  const staleColumns = await markTable(tx, before, table);
  const last = cleared.length > 0 ? await lastRowId(tx, record.storeId) : 0;
  if (last === 0) return { table, staleColumns };
  const input = { storeId: record.storeId, last };
  return { table, staleColumns, job: await addJob(tx, record, 'clear_column', { input }, now) };
}

export async function renameTableColumn(
  tx: WriteTx,
  before: OpenTable,
  name: string,
  newName: string,
  now: number,
): Promise<OpenTable> {
  const { record, layout } = before;
  assertNotFrozen(record, { schema: {} });
  const schema = renameColumn(before.schema, name, newName);
  const rename = (column: string) => (column === name ? newName : column);
  const keys = Object.fromEntries(Object.entries(layout.keys).map(([column, key]) => [rename(column), key]));
  const changed: TableRow = {
    ...record,
    keyColumn: record.keyColumn === null ? null : rename(record.keyColumn),
    schema: JSON.stringify(schema),
    layout: JSON.stringify({ ...layout, keys }),
    updatedAt: now,
  };
  await updateTable(tx, changed);
  return openTable(changed);
}

export async function removeTable(tx: WriteTx, { record }: OpenTable): Promise<void> {
  await deleteTable(tx, record);
}

/** Removes all rows at once and returns their number. */
export async function emptyTable(tx: WriteTx, { record }: OpenTable, now: number): Promise<number> {
  const rows = await countRows(tx, record.storeId);
  if (rows > 0) {
    await enqueueDeletion(tx, 'table_rows', record.storeId);
    await redactResponses(tx, rowsOf(record.id));
    await updateTable(tx, { ...record, storeId: createId('rows', now) });
  }
  return rows;
}

/** Throws when the bot has reached the limit of tables. */
export async function assertTableQuota(tx: Tx, botId: string): Promise<void> {
  if ((await countTables(tx, botId)) >= limits.tables.tables) {
    throw new ApiError('QuotaExceeded', `A bot has at most ${limits.tables.tables} tables.`);
  }
}

/** Throws when a name is invalid or in use by another table of the bot. */
export async function assertFree(tx: Tx, botId: string, name: string): Promise<void> {
  if (!/^(?:[\p{L}_][\p{L}\p{M}\p{N}_ -]*)?Table$/u.test(name)) {
    const rule = 'Letters, digits, "_", "-" and spaces, a letter first, "Table" at the end.';
    throw new ApiError('InvalidPayload', `name: ${rule}`);
  }
  if (await findTable(tx, botId, name)) {
    throw new ApiError('AlreadyExists', 'The bot has a table of this name.');
  }
}

/** Throws for changes of a frozen table, which keeps its name and its columns. */
function assertNotFrozen(record: TableRow, { name, schema, keyColumn, frozen }: TableChanges): void {
  if (record.frozen === 0) return;
  const changes =
    schema !== undefined ||
    frozen === false ||
    (name !== undefined && name !== record.name) ||
    (keyColumn !== undefined && keyColumn !== record.keyColumn);
  if (changes)
    throw new ApiError('ResourceLockedConflict', 'The table is frozen: duplicate it to change it.');
}

function mergedTags(
  before: Record<string, string>,
  changes: Record<string, string | null>,
): Record<string, string> {
  const merged = Object.entries({ ...before, ...changes });
  const tags = merged.filter((tag): tag is [string, string] => tag[1] !== null);
  if (tags.length > limits.tables.tags) {
    throw new ApiError('InvalidPayload', `tags: A table has at most ${limits.tables.tags} tags.`);
  }
  return Object.fromEntries(tags);
}

/** The number of rows per statement. */
const batch = 500;

/**
 * Stores the value of the key column for every row; with `isEmpty` no row has one. Throws RelationConflict when two
 * rows have the same value, and LimitExceeded when there are too many rows.
 */
export async function setKeys(tx: WriteTx, table: OpenTable, isEmpty: boolean): Promise<void> {
  const { storeId, keyColumn } = table.record;
  await clearKeys(tx, storeId);
  if (keyColumn === null || isEmpty) return;
  if (await hasMoreRows(tx, storeId, limits.tables.keyedRows)) {
    throw new ApiError(
      'LimitExceeded',
      `keyColumn: It can be set to a column with data while the table has at most ${limits.tables.keyedRows} rows: ` +
        'make a new table with it and import the rows.',
    );
  }
  const seen = new Map<string, number>();
  for (let after = 0; ; ) {
    const rows = await rowsInOrder(tx, storeId, after, 'asc', batch);
    const keys: { id: number; keyValue: string }[] = [];
    for (const row of rows) {
      const key = keyValueOf(table, { [keyColumn]: cellOf(table, row, keyColumn) });
      if (key === null) continue;
      const other = seen.get(key);
      if (other !== undefined) {
        throw new ApiError('RelationConflict', `The rows ${other} and ${row.id} have the same ${keyColumn}.`);
      }
      seen.set(key, row.id);
      keys.push({ id: row.id, keyValue: key });
    }
    if (keys.length > 0) await setKeyValues(tx, storeId, keys);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** Throws when a column cannot be the key. */
export function assertKeyColumn(schema: TableSchema, keyColumn: string | null): void {
  if (keyColumn === null) return;
  const column = Object.hasOwn(schema.properties, keyColumn) ? schema.properties[keyColumn] : undefined;
  if (!column) throw new ApiError('InvalidPayload', 'keyColumn: The table has no such column.');
  if (column.type !== 'string' && column.type !== 'number') {
    throw new ApiError('InvalidPayload', 'keyColumn: Its values are texts or numbers.');
  }
}
