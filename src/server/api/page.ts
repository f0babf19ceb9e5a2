// One page of a list whose items may be large: it ends early where it would have too many bytes, and says where the
// next one begins. What the items are, it is told.
import { limits } from '../../protocol/limits.ts';
import { cutPage, type SortKey } from './cursor.ts';

/** Items read at a time, so that few are read for nothing. */
const piece = 20;

export interface PageOptions<Row, Key extends SortKey> {
  /** Names the list and its order (cursor.ts). */
  kind: string;
  /** Items of a page. */
  size: number;
  /** The place after which the page begins. */
  after: Key | undefined;
  sortKey(row: Row): Key;
  /** What an item adds to the answer: its characters, more or less. */
  weigh(row: Row): number;
  read(after: Key | undefined, limit: number): Promise<Row[]>;
}

/** The rows, one at least where there is one, and the `meta` of the answer. */
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
    const limit = Math.min(piece, size + 1 - rows.length);
    const found = await read(from, limit);
    for (const row of found) {
      weight += weigh(row);
      // This one is read, and begins the next page.
      if (rows.push(row) > 1 && weight > limits.pageBytes)
        return cutPage(kind, rows, rows.length - 1, sortKey);
    }
    const last = found.at(-1);
    if (found.length < limit || rows.length > size || last === undefined)
      return cutPage(kind, rows, size, sortKey);
    from = sortKey(last);
  }
}
