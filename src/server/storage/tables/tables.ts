// SQL of the records of tables. rows.ts has the SQL of their rows.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';
import { redactTableResponses } from '../idempotency.ts';
import { deleteTableWork } from './computed.ts';
import { deleteJobsOf } from './jobs.ts';

export interface TableRow {
  id: string;
  botId: string;
  /** The id under which its rows are stored. */
  storeId: string;
  name: string;
  factor: number;
  /** 0 or 1. */
  frozen: number;
  keyColumn: string | null;
  /** JSON. */
  schema: string;
  /** JSON: the key of each column in the rows. */
  layout: string;
  /** JSON. */
  tags: string;
  /** 0 or 1; 2: as long as the table has computed columns. */
  computeEnabled: number;
  /** The id of the next row, unless a row has it. */
  nextRow: number;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, bot_id, store_id, name, factor, frozen, key_column, schema,
  layout, tags, compute_enabled, next_row, created_at,
  updated_at`;

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

/** The columns of a table that can change, with their values. */
const changeableColumns = (row: TableRow) => ({
  store_id: row.storeId,
  name: row.name,
  factor: row.factor,
  frozen: row.frozen,
  key_column: row.keyColumn,
  schema: row.schema,
  layout: row.layout,
  tags: row.tags,
  compute_enabled: row.computeEnabled,
  updated_at: row.updatedAt,
});

export async function insertTable(tx: WriteTx, row: TableRow): Promise<void> {
  const columns = {
    id: row.id,
    bot_id: row.botId,
    ...changeableColumns(row),
    next_row: row.nextRow,
    created_at: row.createdAt,
  };
  const names = Object.keys(columns);
  await tx.run(
    `INSERT INTO tables (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(columns),
  );
}

/** Stores all fields of a table that can change. */
export async function updateTable(tx: WriteTx, row: TableRow): Promise<void> {
  const columns = changeableColumns(row);
  const assignments = Object.keys(columns).map((name) => `${name} = ?`);
  await tx.run(`UPDATE tables SET ${assignments.join(', ')} WHERE id = ?`, ...Object.values(columns), row.id);
}

export async function setNextRow(tx: WriteTx, id: string, nextRow: number): Promise<void> {
  await tx.run('UPDATE tables SET next_row = ? WHERE id = ?', nextRow, id);
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
