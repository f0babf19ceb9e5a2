// Pages of the Files API: their length, and lists that are sorted by one text.
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';

/** Returns a page of texts, each of which is its own sort key. `read` returns the texts after a given one. */
export async function page(
  kind: string,
  { nextToken, pageSize = limits.filesPage }: { nextToken?: string; pageSize?: number },
  read: (after: string | undefined, limit: number) => Promise<string[]>,
): Promise<{ rows: string[]; meta: { nextToken?: string } }> {
  const found = await read(decodeCursor(kind, nextToken, isText), pageSize + 1);
  return cutPage(kind, found, pageSize, (text) => text);
}
