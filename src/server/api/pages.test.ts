import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { decodeCursor, isWhole, readPage } from './pages.ts';

/** Returns the pages of items of these weights, as indexes of the items, and how many items were read for each page. */
async function pages(weights: number[], size: number) {
  const result: { rows: number[]; read: number }[] = [];
  for (let token: string | undefined; ; ) {
    let read = 0;
    const { rows, meta } = await readPage({
      kind: 'test',
      size,
      after: decodeCursor('test', token, isWhole),
      sortKey: (position: number) => position,
      weigh: (position) => weights[position] ?? 0,
      async read(after, limit) {
        const from = after === undefined ? 0 : after + 1;
        const found = weights.map((_, position) => position).slice(from, from + limit);
        read += found.length;
        return found;
      },
    });
    result.push({ rows, read });
    if (meta.nextToken === undefined) return result;
    token = meta.nextToken;
  }
}

test('pages contain every item once and in order, within the size limit', async () => {
  const weight = fc.oneof(fc.nat(100), fc.integer({ min: limits.pageBytes / 4, max: limits.pageBytes * 2 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(weight, { maxLength: 70 }),
      fc.integer({ min: 1, max: 50 }),
      async (weights, size) => {
        const all = await pages(weights, size);
        expect(all.flatMap(({ rows }) => rows)).toEqual(weights.map((_, position) => position));
        for (const [index, { rows }] of all.entries()) {
          const whole = rows.reduce((sum, position) => sum + (weights[position] ?? 0), 0);
          expect(rows.length === 1 || whole <= limits.pageBytes).toBe(true);
          expect(rows.length).toBeLessThanOrEqual(size);
          // Only an empty list has an empty page.
          if (index > 0) expect(rows.length).toBeGreaterThan(0);
        }
      },
    ),
  );
});

test('few items are read without being returned', async () => {
  const weights = Array.from({ length: 1_000 }, () => limits.pageBytes / 4);
  for (const { rows, read } of await pages(weights, 1_000)) {
    expect(rows).toHaveLength(4);
    expect(read).toBeLessThanOrEqual(20);
  }
});
