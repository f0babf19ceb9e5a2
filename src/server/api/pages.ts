// Pages of lists: tokens that mark where the next page begins, and pages of large items that end early. A token contains the
// sort key of a row instead of a row number.
import { limits } from '../../protocol/limits.ts';
import { batchBytes } from '../storage/read-bytes.ts';
import { ApiError } from './errors.ts';
import { nextTurn, yieldBytes } from './yielder.ts';

/** The sort key of a list: one value, or several of which the last is unique. */
export type SortKey = string | number | readonly (string | number | null)[];

/** Returns the token of the page that follows `last`, the sort key of the last row of a page. */
function encodeCursor(kind: string, last: SortKey): string {
  return Buffer.from(JSON.stringify([kind, last])).toString('base64url');
}

/** True for a sort key that is an id or another text. */
export const isText = (key: unknown): key is string => typeof key === 'string' && !key.includes('\0');
/** True for a sort key that is a sequence number or a time. */
export const isWhole = (key: unknown): key is number => Number.isSafeInteger(key);

/**
 * Returns the sort key in a token; undefined for the first page. `kind` names the list and its order, so that a token
 * of one list is rejected by another. Throws InvalidQuery for a token that this server did not create.
 */
export function decodeCursor<Key extends SortKey>(
  kind: string,
  token: string | undefined,
  isKey: (key: unknown) => key is Key,
  parameter = 'nextToken',
): Key | undefined {
  if (token === undefined) return undefined;
  const last = read(token);
  if (!isKey(last) || encodeCursor(kind, last) !== token) {
    throw new ApiError('InvalidQuery', `${parameter} is not a token that this list gave out.`);
  }
  return last;
}

/**
 * Cuts one page from rows that were read with one row too many. Returns the rows of the page and the `meta` of the
 * response. `nextToken` is set only if more rows remain.
 */
export function cutPage<Row>(
  kind: string,
  rows: Row[],
  size: number,
  sortKey: (row: Row) => SortKey,
): { rows: Row[]; meta: { nextToken?: string } } {
  const last = rows[size - 1];
  if (rows.length <= size || last === undefined) return { rows, meta: {} };
  return { rows: rows.slice(0, size), meta: { nextToken: encodeCursor(kind, sortKey(last)) } };
}

function read(token: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(value) ? value[1] : undefined;
  } catch {
    return undefined;
  }
}

/** The number of items per read, so that few items are read in vain. */
const batchSize = 20;

export interface PageOptions<Row, Key extends SortKey> {
  /** Names the list and its order. */
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

/**
 * Reads one page of a list whose items can be large, and returns the rows and the `meta` of the response. The page ends early
 * at the limit of bytes, but has at least one row if the list has one.
 */
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
