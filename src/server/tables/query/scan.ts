// Reads rows of a table in batches: all of them, or those of one response.
import { limits } from '../../../protocol/limits.ts';
import type { Row } from '../../../protocol/types/tables.ts';
import { ApiError } from '../../api/errors.ts';
import { createYielder, nextTurn, yieldBytes } from '../../api/yielder.ts';
import type { Database, Tx } from '../../storage/database.ts';
import { batchBytes } from '../../storage/read-bytes.ts';
import { findRow, rowsInOrder, type StoredRow } from '../../storage/tables/rows.ts';
import type { OpenTable } from '../open-table.ts';
import { serializeRow } from '../serializers.ts';

/** The number of rows per read, of which `rowsInOrder` returns fewer if they are large. */
const batch = 200;

/**
 * Yields all rows in the order of ids, in batches, because awaiting each row would take longer than processing it. Each
 * batch is one call of `read`. Rows that are inserted or deleted in the meantime may be included or not.
 */
export async function* scanRows(
  read: Database['read'],
  table: OpenTable,
  direction: 'asc' | 'desc',
): AsyncGenerator<Row[]> {
  const { storeId } = table.record;
  const yielder = createYielder();
  for (let after = direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await read((tx) => rowsInOrder(tx, storeId, after, direction, batch));
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((stored) => serializeRow(table, stored));
    after = last.id;
    const isLarge = rows.reduce((sum, { data }) => sum + data.length, 0) > yieldBytes;
    if (isLarge || yielder.shouldYield()) await yielder.yieldToEventLoop();
  }
}

/** The number of rows per batch. */
const piece = 50;

/** Returns rows by id without the first `offset` ones. Throws LimitExceeded. */
export async function loadInOrder(
  tx: Tx,
  storeId: string,
  direction: 'asc' | 'desc',
  limit: number,
  offset: number,
): Promise<StoredRow[]> {
  const start = direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER;
  return load((loaded, last) => {
    const count = Math.min(piece, limit - loaded);
    return rowsInOrder(tx, storeId, last?.id ?? start, direction, count, last ? 0 : offset);
  });
}

/** Returns the rows of these ids. Rows that were deleted in the meantime are missing. Throws LimitExceeded. */
export async function loadIds(tx: Tx, storeId: string, ids: number[]): Promise<StoredRow[]> {
  let next = 0;
  return load(async () => {
    const rows: StoredRow[] = [];
    for (let bytes = 0; rows.length < piece && bytes < batchBytes && next < ids.length; ) {
      const row = await findRow(tx, storeId, ids[next++] ?? 0);
      if (!row) continue;
      rows.push(row);
      bytes += row.data.length;
    }
    return rows;
  });
}

/** Returns the rows that `read` returns, until it returns none. Throws when a response cannot contain more. */
async function load(
  read: (loaded: number, last: StoredRow | undefined) => Promise<StoredRow[]>,
): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  let bytes = 0;
  for (;;) {
    const found = await read(rows.length, rows.at(-1));
    if (found.length === 0) return rows;
    rows.push(...found);
    const added = found.reduce((sum, { data }) => sum + data.length, 0);
    bytes += added;
    if (bytes > limits.tables.answerBytes) {
      const most = Math.floor(limits.tables.answerBytes / 1_048_576);
      throw new ApiError(
        'LimitExceeded',
        `The answer would have more than ${most} MB: ask for a smaller limit.`,
      );
    }
    if (added > yieldBytes) await nextTurn();
  }
}
