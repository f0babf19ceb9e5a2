// SQL of computed cells: the rows and tables that wait to be computed, and the usage of bots.
import type { Tx, WriteTx } from '../database.ts';

/** The kind of the next computation of a row or a table: a formula, or the language model. */
export type WorkKind = 'formula' | 'model';
/** `sweep`: look for stale rows. */
export type QueueKind = WorkKind | 'sweep';

/** A table with work of one kind. */
export interface ComputedTableRow {
  tableId: string;
  kind: QueueKind;
  botId: string;
  dueAt: number;
  /** Why it waits; null if it does not. */
  status: string | null;
  reason: string | null;
  /** The number of failures in a row. */
  attempts: number;
  afterRow: number;
  lastRow: number;
}

const columns = `table_id, kind, bot_id, due_at, status, reason, attempts,
  after_row, last_row`;

/** Adds work to a table. A table that waits for a reason continues to wait. */
export async function addTableWork(
  tx: WriteTx,
  { id, botId }: { id: string; botId: string },
  kind: WorkKind,
  dueAt: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO computed_tables (table_id, kind, bot_id, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (table_id, kind) DO UPDATE SET due_at = excluded.due_at
       WHERE computed_tables.status IS NULL AND computed_tables.due_at > excluded.due_at`,
    id,
    kind,
    botId,
    dueAt,
  );
}

/** Adds a sweep of all rows up to `last`, which replaces one that is not finished. */
export async function addSweep(
  tx: WriteTx,
  { id, botId }: { id: string; botId: string },
  last: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO computed_tables (table_id, kind, bot_id, due_at, last_row) VALUES (?, 'sweep', ?, 0, ?)
     ON CONFLICT (table_id, kind) DO UPDATE SET due_at = 0, after_row = 0, last_row = excluded.last_row`,
    id,
    botId,
    last,
  );
}

export async function findTableWork(
  tx: Tx,
  tableId: string,
  kind: QueueKind,
): Promise<ComputedTableRow | undefined> {
  return tx.get(`SELECT ${columns} FROM computed_tables WHERE table_id = ? AND kind = ?`, tableId, kind);
}

export async function updateTableWork(tx: WriteTx, work: ComputedTableRow): Promise<void> {
  await tx.run(
    `UPDATE computed_tables SET due_at = ?, status = ?, reason = ?, attempts = ?, after_row = ?, last_row = ?
     WHERE table_id = ? AND kind = ?`,
    work.dueAt,
    work.status,
    work.reason,
    work.attempts,
    work.afterRow,
    work.lastRow,
    work.tableId,
    work.kind,
  );
}

/** Ends the work of a kind, or all work of a table. */
export async function deleteTableWork(tx: WriteTx, tableId: string, kind?: QueueKind): Promise<void> {
  if (kind === undefined) await tx.run('DELETE FROM computed_tables WHERE table_id = ?', tableId);
  else await tx.run('DELETE FROM computed_tables WHERE table_id = ? AND kind = ?', tableId, kind);
}

/** The first bot after `botId`, in the order of ids, with a table whose work is due. */
export async function nextBotWithTableWork(
  tx: Tx,
  kind: QueueKind,
  botId: string,
  now: number,
): Promise<string | undefined> {
  const row = await tx.get<{ botId: string }>(
    `SELECT bot_id FROM computed_tables WHERE kind = ? AND bot_id > ? AND due_at <= ?
     ORDER BY bot_id LIMIT 1`,
    kind,
    botId,
    now,
  );
  return row?.botId;
}

/** The tables of a bot whose work is due, in the order of their times. */
export async function tableWorkOf(
  tx: Tx,
  kind: QueueKind,
  botId: string,
  now: number,
  limit: number,
): Promise<ComputedTableRow[]> {
  return tx.all(
    `SELECT ${columns} FROM computed_tables WHERE kind = ? AND bot_id = ? AND due_at <= ? ORDER BY due_at LIMIT ?`,
    kind,
    botId,
    now,
    limit,
  );
}

/** When the next work of a kind is due; undefined without any. */
export async function nextTableWorkDue(tx: Tx, kind: QueueKind): Promise<number | undefined> {
  const row = await tx.get<{ at: number | null }>(
    'SELECT MIN(due_at) AS at FROM computed_tables WHERE kind = ?',
    kind,
  );
  return row?.at ?? undefined;
}

/** Ends all waiting for reasons that do not outlive the process: limits and the settings may have changed. */
export async function releaseTables(tx: WriteTx): Promise<void> {
  await tx.run(
    "UPDATE computed_tables SET due_at = 0, status = NULL, reason = NULL, attempts = 0 WHERE kind = 'model'",
  );
}

export interface Usage {
  /** Minutes and days since 1970. */
  minute: number;
  minuteCells: number;
  day: number;
  dayCells: number;
}

export async function findUsage(tx: Tx, botId: string): Promise<Usage | undefined> {
  return tx.get(
    `SELECT minute, minute_cells, day, day_cells FROM computed_usage
     WHERE bot_id = ?`,
    botId,
  );
}

export async function putUsage(tx: WriteTx, botId: string, usage: Usage): Promise<void> {
  await tx.run(
    `INSERT INTO computed_usage (bot_id, minute, minute_cells, day, day_cells) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (bot_id) DO UPDATE SET minute = excluded.minute, minute_cells = excluded.minute_cells,
       day = excluded.day, day_cells = excluded.day_cells`,
    botId,
    usage.minute,
    usage.minuteCells,
    usage.day,
    usage.dayCells,
  );
}

/** A row with computed cells that wait to be computed. */
export interface StaleRow {
  rowId: number;
  kind: WorkKind;
  dueAt: number;
}

/** Stores that a row waits. A row that waits already keeps the earlier time. */
export async function putStaleRow(
  tx: WriteTx,
  storeId: string,
  { rowId, kind, dueAt }: StaleRow,
): Promise<void> {
  await tx.run(
    `INSERT INTO stale_rows (store_id, row_id, kind, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (store_id, row_id) DO UPDATE SET kind = excluded.kind, due_at = excluded.due_at`,
    storeId,
    rowId,
    kind,
    dueAt,
  );
}

export async function findStaleRow(tx: Tx, storeId: string, rowId: number): Promise<StaleRow | undefined> {
  return tx.get(
    'SELECT row_id, kind, due_at FROM stale_rows WHERE store_id = ? AND row_id = ?',
    storeId,
    rowId,
  );
}

export async function deleteStaleRow(tx: WriteTx, storeId: string, rowId: number): Promise<void> {
  await tx.run('DELETE FROM stale_rows WHERE store_id = ? AND row_id = ?', storeId, rowId);
}

/** Deletes up to `limit` rows of a store id that no table uses any more, and returns their number. */
export async function deleteStaleRows(tx: WriteTx, storeId: string, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM stale_rows WHERE store_id = ? AND row_id IN
       (SELECT row_id FROM stale_rows WHERE store_id = ? ORDER BY row_id LIMIT ?)`,
    storeId,
    storeId,
    limit,
  );
}

/** The rows that are due, in the order of their times. */
export async function dueRows(
  tx: Tx,
  storeId: string,
  kind: WorkKind,
  now: number,
  limit: number,
): Promise<StaleRow[]> {
  return tx.all(
    `SELECT row_id, kind, due_at FROM stale_rows
     WHERE store_id = ? AND kind = ? AND due_at <= ? ORDER BY due_at, row_id LIMIT ?`,
    storeId,
    kind,
    now,
    limit,
  );
}

/** When the next row of a kind is due; undefined without one. */
export async function nextDueRow(tx: Tx, storeId: string, kind: WorkKind): Promise<number | undefined> {
  const row = await tx.get<{ at: number | null }>(
    'SELECT MIN(due_at) AS at FROM stale_rows WHERE store_id = ? AND kind = ?',
    storeId,
    kind,
  );
  return row?.at ?? undefined;
}

/** The number of rows that wait, except those between two ids (without the first). */
export async function countStaleRows(tx: Tx, storeId: string, after: number, last: number): Promise<number> {
  const row = await tx.get<{ n: number }>(
    `SELECT (SELECT COUNT(*) FROM stale_rows WHERE store_id = ? AND row_id <= ?) +
       (SELECT COUNT(*) FROM stale_rows WHERE store_id = ? AND row_id > ?) AS n`,
    storeId,
    after,
    storeId,
    Math.max(after, last),
  );
  return row?.n ?? 0;
}
