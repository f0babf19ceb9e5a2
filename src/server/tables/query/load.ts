// Loads the rows of one response in batches, and throws before they exceed the size of a response.
import { limits } from '../../../protocol/limits.ts';
import { ApiError } from '../../api/errors.ts';
import { nextTurn, yieldBytes } from '../../api/yielder.ts';
import type { Tx } from '../../storage/database.ts';
import { batchBytes } from '../../storage/read-bytes.ts';
import { findRow, rowsInOrder, type StoredRow } from '../../storage/tables/rows.ts';

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
