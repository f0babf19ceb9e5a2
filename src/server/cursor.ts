// Page tokens: where the next page of a list begins, as text that clients must not look into.
import { ApiError } from './errors.ts';

/** Each list has its own kind, so that a token of one list is refused by another. */
export type CursorKind = 'conversations' | 'participants' | 'messages' | 'bots';

/** The token of the page that follows `last`, the sort key of a page's last row. */
function encodeCursor(kind: CursorKind, last: string | number): string {
  return Buffer.from(JSON.stringify([kind, last])).toString('base64url');
}

/** The sort key in a token; undefined for the first page. Throws InvalidQuery for a token we did not make. */
export function decodeCursor(kind: 'messages', token: string | undefined): number | undefined;
export function decodeCursor(
  kind: 'conversations' | 'participants' | 'bots',
  token: string | undefined,
): string | undefined;
export function decodeCursor(kind: CursorKind, token: string | undefined): string | number | undefined {
  if (token === undefined) return undefined;
  const last = read(token);
  const wanted =
    kind === 'messages' ? Number.isSafeInteger(last) : typeof last === 'string' && !last.includes('\0');
  if (!wanted || encodeCursor(kind, last as string | number) !== token) {
    throw new ApiError('InvalidQuery', 'nextToken is not a token that this list gave out.');
  }
  return last as string | number;
}

/**
 * Cuts one page from rows that were read with one row too many: the rows of the page, and the `meta` of the
 * answer, whose `nextToken` is there only while more remain (SPEC "Pagination").
 */
export function cutPage<Row>(
  kind: CursorKind,
  rows: Row[],
  size: number,
  sortKey: (row: Row) => string | number,
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
