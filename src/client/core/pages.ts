// Iterates over a paginated list: item by item, or collected up to a limit.
import type { PageMeta } from '../../protocol/types/query.ts';

/** The items of a list. Each page is fetched when it is needed. */
export interface Items<Item> extends AsyncIterable<Item> {
  /** All items, or the first `limit`. Fetches no page beyond the last one needed. */
  collect(options?: { limit?: number }): Promise<Item[]>;
}

/** Creates the iteration from a function that fetches one page. An empty page with a token does not end it. */
export function paginate<Item>(
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
