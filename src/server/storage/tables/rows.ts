// SQL of the rows of tables: JSON by id. Only src/server/tables parses the JSON.
import type { Tx, WriteTx } from '../database.ts';
import { arrayOf, forDialect } from '../dialect.ts';
import { batchBytes, firstWithin } from '../read-bytes.ts';
import { deleteStaleRow, deleteStaleRows } from './computed.ts';
import { deleteRowVector, deleteRowVectors, dequeueRow, queueRow } from './row-vectors.ts';

/** A row as it is stored. */
export interface StoredRow {
  id: number;
  /** JSON with the keys of the table's layout. */
  data: string;
  /** JSON: the states of the computed cells, by the keys of the layout. */
  computed: string | null;
  createdAt: number;
  updatedAt: number;
}

const columns = 'id, data, computed, created_at, updated_at';

export async function findRow(tx: Tx, storeId: string, id: number): Promise<StoredRow | undefined> {
  return tx.get(`SELECT ${columns} FROM table_rows WHERE store_id = ? AND id = ?`, storeId, id);
}

/** The row with this value in the key column. */
export async function findRowByKey(
  tx: Tx,
  storeId: string,
  keyValue: string,
): Promise<StoredRow | undefined> {
  // A key value can be larger than an entry of an index of PostgreSQL, so that its hash is indexed.
  const isIndexed = forDialect(tx, { sqlite: '', postgres: 'AND md5(key_value) = md5(?)' });
  return tx.get(
    `SELECT ${columns} FROM table_rows WHERE store_id = ? ${isIndexed} AND key_value = ?`,
    storeId,
    ...(isIndexed === '' ? [] : [keyValue]),
    keyValue,
  );
}

export async function countRows(tx: Tx, storeId: string): Promise<number> {
  const row = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM table_rows WHERE store_id = ?', storeId);
  return row?.n ?? 0;
}

/** The number of rows with an id above `after`, up to `last`. */
export async function countRowsBetween(
  tx: Tx,
  storeId: string,
  after: number,
  last: number,
): Promise<number> {
  const row = await tx.get<{ n: number }>(
    'SELECT COUNT(*) AS n FROM table_rows WHERE store_id = ? AND id > ? AND id <= ?',
    storeId,
    after,
    last,
  );
  return row?.n ?? 0;
}

/** Returns whether there are more than `count` rows, without counting further. */
export async function hasMoreRows(tx: Tx, storeId: string, count: number): Promise<boolean> {
  const row = await tx.get('SELECT 1 FROM table_rows WHERE store_id = ? LIMIT 1 OFFSET ?', storeId, count);
  return row !== undefined;
}

/** The highest id of a row; 0 when there is none. */
export async function lastRowId(tx: Tx, storeId: string): Promise<number> {
  const row = await tx.get<{ n: number | null }>(
    'SELECT MAX(id) AS n FROM table_rows WHERE store_id = ?',
    storeId,
  );
  return row?.n ?? 0;
}

/**
 * Rows by id, after `after` (ascending) or before it (descending), without the first `offset` ones: at most `limit`, and none
 * after that with which they have more than `bytes` (../read-bytes.ts).
 */
export async function rowsInOrder(
  tx: Tx,
  storeId: string,
  after: number,
  direction: 'asc' | 'desc',
  limit: number,
  offset = 0,
  bytes = batchBytes,
): Promise<StoredRow[]> {
  const [sign, order] = direction === 'asc' ? ['>', 'id'] : ['<', 'id DESC'];
  const rows = `SELECT id, octet_length(data) AS bytes FROM table_rows WHERE store_id = ? AND id ${sign} ?
    ORDER BY ${order} LIMIT ? OFFSET ?`;
  return tx.all(
    `SELECT ${columns} FROM table_rows WHERE store_id = ? AND id IN (${firstWithin(rows, `w.${order}`)}) ORDER BY ${order}`,
    storeId,
    storeId,
    after,
    limit,
    offset,
    bytes,
  );
}

/** Inserts a row unless its id exists; returns whether it did. Throws when its key value exists. */
export async function insertRow(
  tx: WriteTx,
  storeId: string,
  row: StoredRow,
  keyValue: string | null,
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO table_rows (store_id, id, data, computed, key_value, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (store_id, id) DO NOTHING`,
    storeId,
    row.id,
    row.data,
    row.computed,
    keyValue,
    row.createdAt,
    row.updatedAt,
  );
  if (changes > 0) await queueRow(tx, storeId, row.id);
  return changes > 0;
}

export async function updateRow(
  tx: WriteTx,
  storeId: string,
  row: StoredRow,
  keyValue: string | null,
): Promise<void> {
  await tx.run(
    'UPDATE table_rows SET data = ?, computed = ?, key_value = ?, updated_at = ? WHERE store_id = ? AND id = ?',
    row.data,
    row.computed,
    keyValue,
    row.updatedAt,
    storeId,
    row.id,
  );
  await queueRow(tx, storeId, row.id);
}

/** Stores the values of the key column of rows, all in one statement. */
export async function setKeyValues(
  tx: WriteTx,
  storeId: string,
  rows: readonly { id: number; keyValue: string }[],
): Promise<void> {
  const { values, parameters } = forDialect(tx, {
    sqlite: () => ({
      values:
        "SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS key_value FROM json_each(?)",
      parameters: [JSON.stringify(rows.map(({ id, keyValue }) => [id, keyValue]))],
    }),
    postgres: () => ({
      values: 'SELECT * FROM unnest(CAST(? AS bigint[]), CAST(? AS text[])) AS v (id, key_value)',
      parameters: [arrayOf(rows.map(({ id }) => id)), arrayOf(rows.map(({ keyValue }) => keyValue))],
    }),
  })();
  // Materialized, so that each row is looked up: SQLite would otherwise compare every row of the table with all values.
  await tx.run(
    `WITH n AS MATERIALIZED (${values})
     UPDATE table_rows SET key_value = n.key_value FROM n WHERE table_rows.store_id = ? AND table_rows.id = n.id`,
    ...parameters,
    storeId,
  );
}

/** Removes the value of the key column from all rows. */
export async function clearKeys(tx: WriteTx, storeId: string): Promise<void> {
  await tx.run(
    'UPDATE table_rows SET key_value = NULL WHERE store_id = ? AND key_value IS NOT NULL',
    storeId,
  );
}

export async function deleteRow(tx: WriteTx, storeId: string, id: number): Promise<boolean> {
  await deleteStaleRow(tx, storeId, id);
  await dequeueRow(tx, storeId, id);
  await deleteRowVector(tx, storeId, id);
  return (await tx.run('DELETE FROM table_rows WHERE store_id = ? AND id = ?', storeId, id)) > 0;
}

/** Deletes up to `limit` rows of a store id that no table uses any more, and returns their number. */
export async function deleteStoredRows(tx: WriteTx, storeId: string, limit: number): Promise<number> {
  const stale = await deleteStaleRows(tx, storeId, limit);
  if (stale >= limit) return stale;
  const vectors = await deleteRowVectors(tx, storeId, limit);
  if (vectors >= limit) return vectors;
  return tx.run(
    `DELETE FROM table_rows WHERE store_id = ? AND id IN
       (SELECT id FROM table_rows WHERE store_id = ? ORDER BY id LIMIT ?)`,
    storeId,
    storeId,
    limit,
  );
}
