// SQL of the records of tables. rows.ts has the SQL of their rows.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';
import { redactTableResponses } from '../idempotency.ts';
import { defineTable, insert, integer, orNull, type RowOf, text, update, withDefault } from '../table.ts';
import { deleteTableWork } from './computed.ts';
import { deleteJobsOf } from './jobs.ts';

const tables = defineTable('tables', {
  id: text,
  botId: text,
  /** The id under which its rows are stored. */
  storeId: text,
  name: text,
  factor: integer,
  /** 0 or 1. */
  frozen: integer,
  keyColumn: orNull(text),
  /** JSON. */
  schema: text,
  /** JSON: the key of each column in the rows. */
  layout: text,
  /** JSON. */
  tags: text,
  /** 0 or 1; 2: as long as the table has computed columns. */
  computeEnabled: integer,
  /** The id of the next row, unless a row has it. */
  nextRow: withDefault(integer),
  createdAt: integer,
  updatedAt: integer,
});
export type TableRow = RowOf<typeof tables>;

const columns = tables.columns();

/** A table of this bot by its id or its name. */
export async function findTable(tx: Tx, botId: string, idOrName: string): Promise<TableRow | undefined> {
  return tx.get(
    `SELECT ${columns} FROM tables WHERE bot_id = ? AND (id = ? OR name = ?)`,
    botId,
    idOrName,
    idOrName,
  );
}

/** A table of any bot, for jobs, which know the bot. */
export async function tableOfId(tx: Tx, id: string): Promise<TableRow | undefined> {
  return tx.get(`SELECT ${columns} FROM tables WHERE id = ?`, id);
}

/** Ids of tables of all bots after `after`, in their order. */
export async function tableIdsAfter(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT ?',
    after,
    limit,
  );
  return rows.map(({ id }) => id);
}

/** Tables of a bot before `before`, newest first. */
export async function listTables(
  tx: Tx,
  botId: string,
  before: string | undefined,
  limit: number,
): Promise<TableRow[]> {
  const start = before === undefined ? [] : [before];
  return tx.all(
    `SELECT ${columns} FROM tables WHERE bot_id = ? ${before === undefined ? '' : 'AND id < ?'}
     ORDER BY id DESC LIMIT ?`,
    botId,
    ...start,
    limit,
  );
}

export async function countTables(tx: Tx, botId: string): Promise<number> {
  const row = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM tables WHERE bot_id = ?', botId);
  return row?.n ?? 0;
}

export async function insertTable(tx: WriteTx, row: TableRow): Promise<void> {
  await insert(tx, tables, row);
}

/** Stores all fields of a table that can change. */
export async function updateTable(tx: WriteTx, row: TableRow): Promise<void> {
  const { id, botId: _botId, nextRow: _nextRow, createdAt: _createdAt, ...changeable } = row;
  await update(tx, tables, { id }, changeable);
}

export async function setNextRow(tx: WriteTx, id: string, nextRow: number): Promise<void> {
  await update(tx, tables, { id }, { nextRow });
}

/** Deletes a table with its jobs. The removal of its rows is queued. */
export async function deleteTable(
  tx: WriteTx,
  { id, storeId }: Pick<TableRow, 'id' | 'storeId'>,
): Promise<void> {
  await deleteJobsOf(tx, id);
  await deleteTableWork(tx, id);
  await redactTableResponses(tx, id);
  await tx.run('DELETE FROM tables WHERE id = ?', id);
  await enqueueDeletion(tx, 'table_rows', storeId);
}

/** Deletes up to `limit` tables of a bot and returns their number. */
export async function deleteTablesOfBot(tx: WriteTx, botId: string, limit: number): Promise<number> {
  const tables = await tx.all<Pick<TableRow, 'id' | 'storeId'>>(
    'SELECT id, store_id FROM tables WHERE bot_id = ? LIMIT ?',
    botId,
    limit,
  );
  for (const table of tables) await deleteTable(tx, table);
  return tables.length;
}
