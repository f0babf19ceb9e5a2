// Tests the iteration over pages: every item once, and no page beyond the requested items.
import { describe, expect, test, vi } from 'vitest';
import { paginate } from './pages.ts';

/** A list split into pages; tokens are opaque. */
function listOf(...pages: number[][]) {
  const fetchPage = vi.fn(async (nextToken: string | undefined) => {
    const at = nextToken === undefined ? 0 : Number(nextToken.replace('t', ''));
    const more = at + 1 < pages.length;
    return { items: pages[at] ?? [], meta: more ? { nextToken: `t${at + 1}` } : {} };
  });
  return { items: paginate(fetchPage), fetchPage };
}

describe('collect', () => {
  test('returns all items in order', async () => {
    const { items, fetchPage } = listOf([1, 2], [3], [4, 5]);
    expect(await items.collect()).toEqual([1, 2, 3, 4, 5]);
    expect(fetchPage.mock.calls).toEqual([[undefined], ['t1'], ['t2']]);
  });

  test('an empty page with a token does not end the list', async () => {
    const { items, fetchPage } = listOf([], [1], [], [], [2], []);
    expect(await items.collect()).toEqual([1, 2]);
    expect(fetchPage).toHaveBeenCalledTimes(6);
  });

  test.each([
    [0, 0],
    [-1, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
    [99, 3],
  ])('limit %d fetches %d pages', async (limit, pages) => {
    const { items, fetchPage } = listOf([1, 2], [3, 4], [5]);
    expect(await items.collect({ limit })).toEqual([1, 2, 3, 4, 5].slice(0, Math.max(0, limit)));
    expect(fetchPage).toHaveBeenCalledTimes(pages);
  });

  test('an empty token ends the list', async () => {
    expect(await paginate(async () => ({ items: [1], meta: { nextToken: '' } })).collect()).toEqual([1]);
  });

  test('collecting twice starts again', async () => {
    const { items } = listOf([1], [2]);
    expect([await items.collect(), await items.collect({ limit: 1 })]).toEqual([[1, 2], [1]]);
  });

  test('a page that fails rejects the iteration', async () => {
    const items = paginate<number>(async (nextToken) => {
      if (nextToken) throw new Error('cut');
      return { items: [1], meta: { nextToken: 't' } };
    });
    await expect(items.collect()).rejects.toThrow('cut');
    expect(await items.collect({ limit: 1 })).toEqual([1]);
  });
});

describe('iteration', () => {
  test('fetches pages on demand', async () => {
    const { items, fetchPage } = listOf([1, 2], [3, 4]);
    const seen: number[] = [];
    for await (const item of items) {
      seen.push(item);
      expect(fetchPage).toHaveBeenCalledTimes(item <= 2 ? 1 : 2);
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  test('leaving the loop early fetches nothing more', async () => {
    const { items, fetchPage } = listOf([1], [2], [3]);
    for await (const item of items) if (item === 2) break;
    expect(fetchPage).toHaveBeenCalledTimes(2);
  });
});
