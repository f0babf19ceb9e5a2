// Page tokens: opaque texts that mark where the next page of a list begins. A token contains the sort key of a row
// instead of a row count, so that inserted and deleted rows do not move the page.
import { ApiError } from './errors.ts';

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
