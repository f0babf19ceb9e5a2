// Reads one page of a list whose items can be large. The page ends early when it would exceed the limit of bytes.
import { limits } from '../../../protocol/limits.ts';
import { batchBytes } from '../../storage/reading/within-bytes.ts';
import { cutPage, type SortKey } from '../cursor.ts';
import { nextTurn, yieldBytes } from './yielder.ts';

/** The number of items per read, so that few items are read in vain. */
const batchSize = 20;

export interface PageOptions<Row, Key extends SortKey> {
  /** Names the list and its order (cursor.ts). */
  kind: string;
  /** The maximum number of items of a page. */
  size: number;
  /** The sort key after which the page begins. */
  after: Key | undefined;
  sortKey(row: Row): Key;
  /** The approximate number of bytes that an item adds to the response. */
  weigh(row: Row): number;
  /** Returns the next items; may end after that with which they weigh more than `bytes`. */
  read(after: Key | undefined, limit: number, bytes: number): Promise<Row[]>;
}

/** Returns the rows and the `meta` of the response. The page has at least one row if the list has one. */
export async function readPage<Row, Key extends SortKey>({
  kind,
  size,
  after,
  sortKey,
  weigh,
  read,
}: PageOptions<Row, Key>): Promise<{ rows: Row[]; meta: { nextToken?: string } }> {
  const rows: Row[] = [];
  let weight = 0;
  for (let from = after; ; ) {
    const limit = Math.min(batchSize, size + 1 - rows.length);
    const bytes = Math.max(0, Math.min(batchBytes, limits.pageBytes - weight));
    const found = await read(from, limit, bytes);
    let added = 0;
    for (const row of found) {
      added += weigh(row);
      // This row exceeds the limit, so it begins the next page.
      if (rows.push(row) > 1 && weight + added > limits.pageBytes)
        return cutPage(kind, rows, rows.length - 1, sortKey);
    }
    weight += added;
    const last = found.at(-1);
    const isEnd = found.length < limit && added <= bytes;
    if (isEnd || rows.length > size || last === undefined) return cutPage(kind, rows, size, sortKey);
    if (added > yieldBytes) await nextTurn();
    from = sortKey(last);
  }
}
