// Walks a paginated list: item by item, or collected up to a limit. It knows no operation.
import type { PageMeta } from '../../protocol/page.ts';

/** The items of a list, fetched page by page as they are asked for. */
export interface Items<Item> extends AsyncIterable<Item> {
  /** All items, or the first `limit`. Fetches no page beyond the last one needed. */
  collect(options?: { limit?: number }): Promise<Item[]>;
}

/** Makes the walk from a function that fetches one page. An empty page with a token goes on. */
export function walk<Item>(
  fetchPage: (nextToken: string | undefined) => Promise<{ items: Item[]; meta: PageMeta }>,
): Items<Item> {
  async function* iterate(): AsyncGenerator<Item> {
    let nextToken: string | undefined;
    do {
      const { items, meta } = await fetchPage(nextToken);
      yield* items;
      nextToken = meta.nextToken;
    } while (nextToken);
  }
  return {
    [Symbol.asyncIterator]: iterate,
    async collect({ limit = Number.POSITIVE_INFINITY } = {}) {
      const result: Item[] = [];
      if (limit <= 0) return result;
      for await (const item of iterate()) {
        result.push(item);
        if (result.length >= limit) break;
      }
      return result;
    },
  };
}
