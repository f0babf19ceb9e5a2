import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from './compare.ts';
import { sortInPieces } from './sort.ts';

test('the order of any list is that of Array.prototype.sort, also among equals', async () => {
  const list = fc.array(fc.nat(50), { maxLength: 5_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(list, async (numbers) => {
      const items = numbers.map((key, position) => ({ key, position }));
      const order = (a: { key: number }, b: { key: number }) => a.key - b.key;
      expect(await sortInPieces(items, order)).toEqual([...items].sort(order));
    }),
    { numRuns: 30 },
  );
});

test('the number of comparisons is that of a sort, and the event loop runs in between', async () => {
  const count = 100_000;
  let comparisons = 0;
  let turns = 0;
  let isDone = false;
  const watch = () => {
    turns += 1;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  const items = Array.from({ length: count }, (_, number) => (number * 7_919) % count);
  const sorted = await sortInPieces(items, (a, b) => {
    comparisons += 1;
    return a - b;
  });
  isDone = true;
  expect(sorted).toEqual(Array.from({ length: count }, (_, number) => number));
  expect(comparisons).toBeLessThan(count * (Math.log2(count) + 1));
  expect(turns).toBeGreaterThan(0);
});

test('the text of each object is created once for all comparisons', async () => {
  let texts = 0;
  const object = (number: number) =>
    new Proxy({ number: (number * 7_919) % 2_000 } as Record<string, unknown>, {
      ownKeys(target) {
        texts += 1;
        return Reflect.ownKeys(target);
      },
    });
  const objects = Array.from({ length: 2_000 }, (_, number) => object(number));
  const sorted = await sortInPieces(objects, compare);
  expect(texts).toBe(2_000);
  expect(sorted.slice(0, 3).map(({ number }) => number)).toEqual([0, 1_000, 1_001]);
});
