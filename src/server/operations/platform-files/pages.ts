// Pages of the Files API: how long they are, and lists that are sorted by one text.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor } from '../../cursor.ts';
import { schemas } from '../../schemas.ts';

/** The query of every list of this API. */
export const pageQuery = v.object({
  nextToken: v.exactOptional(v.string()),
  pageSize: v.exactOptional(schemas.wholeNumber(1, limits.filesPageMax)),
});

/** A page of texts, each its own sort key. `read` gives those after a text. */
export async function page(
  kind: string,
  { nextToken, pageSize = limits.filesPage }: v.InferOutput<typeof pageQuery>,
  read: (after: string | undefined, limit: number) => Promise<string[]>,
): Promise<{ rows: string[]; meta: { nextToken?: string } }> {
  const [after] = decodeCursor(kind, nextToken) ?? [];
  const found = await read(after === undefined ? undefined : String(after), pageSize + 1);
  return cutPage(kind, found, pageSize, (text) => [text]);
}
