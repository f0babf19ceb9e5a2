// SQL of the vectors of rows: which tables have them, which rows wait for theirs, and the vectors.
import type { Tx, WriteTx } from '../database.ts';

/** A row store whose rows get vectors. */
export interface VectorStore {
  storeId: string;
  tableId: string;
  /** The model and the columns from which the vectors are computed. */
  source: string;
}

/** `queue`: rows are being queued; `ready`: all were; `remove`: the vectors are to be deleted. */
export type VectorPhase = 'queue' | 'ready' | 'remove';

export interface RowVector {
  rowId: number;
  modelId: number;
  /** The hash of the text that it was computed from. */
  textHash: number;
  vector: Uint8Array;
}

/** The number of vectors that a scan reads at a time: 4 MB for vectors of 512 bytes. */
const scannedVectors = 8_000;

const storeColumns = 'store_id, table_id, source';

/** Stores that the rows of a store get vectors. All rows are queued if the source differs from the stored one. */
export async function putVectorStore(tx: WriteTx, { storeId, tableId, source }: VectorStore): Promise<void> {
  await tx.run(
    `INSERT INTO row_vector_stores (store_id, table_id, source, phase, after_row) VALUES (?, ?, ?, 'queue', 0)
     ON CONFLICT (store_id) DO UPDATE SET source = excluded.source, phase = 'queue', after_row = 0
       WHERE row_vector_stores.source <> excluded.source OR row_vector_stores.phase = 'remove'`,
    storeId,
    tableId,
    source,
  );
}

/** Stores that the rows of a store have no vectors any more, which are then to be deleted. */
export async function retireVectorStore(tx: WriteTx, storeId: string): Promise<void> {
  await tx.run("UPDATE row_vector_stores SET phase = 'remove' WHERE store_id = ?", storeId);
}

/** The same for all stores: from now on, writes of rows queue nothing. */
export async function retireVectorStores(tx: WriteTx): Promise<void> {
  await tx.run("UPDATE row_vector_stores SET phase = 'remove' WHERE phase IN ('queue', 'ready')");
}

export async function findVectorStore(
  tx: Tx,
  storeId: string,
): Promise<(VectorStore & { phase: VectorPhase }) | undefined> {
  return tx.get(`SELECT ${storeColumns}, phase FROM row_vector_stores WHERE store_id = ?`, storeId);
}

export async function vectorStoreIn(tx: Tx, phase: VectorPhase): Promise<VectorStore | undefined> {
  return tx.get(`SELECT ${storeColumns} FROM row_vector_stores WHERE phase = ? LIMIT 1`, phase);
}

/** Queues a row that was written, if its store has vectors. */
export async function queueRow(tx: WriteTx, storeId: string, rowId: number): Promise<void> {
  await tx.run(
    `INSERT INTO unembedded_rows (store_id, row_id)
     SELECT store_id, ? FROM row_vector_stores WHERE store_id = ? AND phase IN ('queue', 'ready')
     ON CONFLICT DO NOTHING`,
    rowId,
    storeId,
  );
}

/** Queues up to `limit` existing rows of a store in the phase `queue`, which ends with the last one. */
export async function queueExistingRows(tx: WriteTx, storeId: string, limit: number): Promise<void> {
  const rows = await tx.all<{ id: number }>(
    `SELECT r.id FROM row_vector_stores s CROSS JOIN table_rows r ON r.store_id = s.store_id AND r.id > s.after_row
     WHERE s.store_id = ? ORDER BY r.id LIMIT ?`,
    storeId,
    limit,
  );
  const last = rows.at(-1);
  if (!last) {
    await tx.run(
      "UPDATE row_vector_stores SET phase = 'ready' WHERE store_id = ? AND phase = 'queue'",
      storeId,
    );
    return;
  }
  await tx.run(
    `INSERT INTO unembedded_rows (store_id, row_id)
     SELECT r.store_id, r.id FROM row_vector_stores s CROSS JOIN table_rows r
       ON r.store_id = s.store_id AND r.id > s.after_row AND r.id <= ? WHERE s.store_id = ?
     ON CONFLICT DO NOTHING`,
    last.id,
    storeId,
  );
  await tx.run('UPDATE row_vector_stores SET after_row = ? WHERE store_id = ?', last.id, storeId);
}

/** The first store after `after`, in the order of ids, with queued rows. */
export async function storeWithQueuedRows(tx: Tx, after: string): Promise<string | undefined> {
  const row = await tx.get<{ storeId: string }>(
    'SELECT store_id FROM unembedded_rows WHERE store_id > ? ORDER BY store_id LIMIT 1',
    after,
  );
  return row?.storeId;
}

/** The ids of queued rows of a store. */
export async function queuedRows(tx: Tx, storeId: string, limit: number): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(
    'SELECT row_id AS id FROM unembedded_rows WHERE store_id = ? ORDER BY row_id LIMIT ?',
    storeId,
    limit,
  );
  return rows.map(({ id }) => id);
}

/** The number of rows that wait for their vectors, also of those that are not queued yet. */
export async function countUnembeddedRows(tx: Tx, storeId: string): Promise<number> {
  const row = await tx.get<{ n: number }>(
    `SELECT (SELECT COUNT(*) FROM unembedded_rows u WHERE u.store_id = s.store_id
         AND (s.phase = 'ready' OR u.row_id <= s.after_row)) +
       CASE s.phase WHEN 'queue' THEN
         (SELECT COUNT(*) FROM table_rows r WHERE r.store_id = s.store_id AND r.id > s.after_row) ELSE 0 END AS n
     FROM row_vector_stores s WHERE s.store_id = ? AND s.phase IN ('queue', 'ready')`,
    storeId,
  );
  return row?.n ?? 0;
}

export async function dequeueRow(tx: WriteTx, storeId: string, rowId: number): Promise<void> {
  await tx.run('DELETE FROM unembedded_rows WHERE store_id = ? AND row_id = ?', storeId, rowId);
}

/** Which text, and which model, the vector of a row was computed from. */
export async function findRowVector(
  tx: Tx,
  storeId: string,
  rowId: number,
): Promise<Pick<RowVector, 'modelId' | 'textHash'> | undefined> {
  return tx.get(
    'SELECT model_id, text_hash FROM row_vectors WHERE store_id = ? AND row_id = ?',
    storeId,
    rowId,
  );
}

export async function putRowVector(tx: WriteTx, storeId: string, row: RowVector): Promise<void> {
  await tx.run(
    `INSERT INTO row_vectors (store_id, row_id, model_id, text_hash, vector) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (store_id, row_id) DO UPDATE
       SET model_id = excluded.model_id, text_hash = excluded.text_hash, vector = excluded.vector`,
    storeId,
    row.rowId,
    row.modelId,
    row.textHash,
    row.vector,
  );
}

export async function deleteRowVector(tx: WriteTx, storeId: string, rowId: number): Promise<void> {
  await tx.run('DELETE FROM row_vectors WHERE store_id = ? AND row_id = ?', storeId, rowId);
}

/** Deletes up to `limit` vectors and queued rows of a store, and then the store's entry. Returns their number. */
export async function deleteRowVectors(tx: WriteTx, storeId: string, limit: number): Promise<number> {
  let deleted = 0;
  for (const table of ['unembedded_rows', 'row_vectors']) {
    deleted += await tx.run(
      `DELETE FROM ${table} WHERE store_id = ? AND row_id IN
         (SELECT row_id FROM ${table} WHERE store_id = ? ORDER BY row_id LIMIT ?)`,
      storeId,
      storeId,
      limit - deleted,
    );
    if (deleted >= limit) return deleted;
  }
  await tx.run('DELETE FROM row_vector_stores WHERE store_id = ?', storeId);
  return deleted;
}

/** Calls `visit` with the vectors of a model for the rows of a store. */
export async function scanRowVectors(
  tx: Tx,
  storeId: string,
  modelId: number,
  visit: (row: Omit<RowVector, 'modelId'>) => void,
): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await tx.all<RowVector>(
      `SELECT row_id, model_id, text_hash, vector FROM row_vectors
       WHERE store_id = ? AND row_id > ? ORDER BY row_id LIMIT ?`,
      storeId,
      after,
      scannedVectors,
    );
    for (const row of rows) if (row.modelId === modelId) visit(row);
    if (rows.length < scannedVectors) return;
    after = rows.at(-1)?.rowId ?? after;
  }
}

/** Whether any row of a store has a vector, of whichever model. */
export async function hasRowVectors(tx: Tx, storeId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM row_vectors WHERE store_id = ? LIMIT 1', storeId)) !== undefined;
}
