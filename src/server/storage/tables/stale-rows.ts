// SQL of the rows with computed cells that wait to be computed.
import type { Tx, WriteTx } from '../database.ts';
import type { WorkKind } from './computed.ts';

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
