// Pages of the Files API: how long they are, and lists that are sorted by one text.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { queries } from '../../api/query-schemas.ts';

/** The query of every list of this API. */
export const pageQuery = v.object(queries.sizedPage);

/** A page of texts, each its own sort key. `read` gives those after a text. */
export async function page(
  kind: string,
  { nextToken, pageSize = limits.filesPage }: v.InferOutput<typeof pageQuery>,
  read: (after: string | undefined, limit: number) => Promise<string[]>,
): Promise<{ rows: string[]; meta: { nextToken?: string } }> {
  const found = await read(decodeCursor(kind, nextToken, isText), pageSize + 1);
  return cutPage(kind, found, pageSize, (text) => text);
}
