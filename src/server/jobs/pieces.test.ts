// Tests of the size of transactions of background work.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPieces } from './pieces.ts';

/** A database whose transactions take `time` milliseconds of a clock of the test. */
function fixture(isRemote: boolean, maxSize: number) {
  let now = 0;
  const db = { isRemote, write: (work: (tx: never) => unknown) => work({} as never) } as never;
  const pieces = createPieces(db, maxSize, () => now);
  const write = (rows: number, time: number) =>
    pieces.write(rows, async () => {
      now += time;
    });
  return { pieces, write };
}

test('in a database in the same process all pieces have the largest size', async () => {
  const { pieces, write } = fixture(false, 500);
  await write(500, 10_000);
  expect(pieces.size).toBe(500);
});

test('in a remote database pieces grow while transactions are short, and shrink at once when one is long', async () => {
  const { pieces, write } = fixture(true, 100);
  const sizes: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    sizes.push(pieces.size);
    await write(pieces.size, 1);
  }
  expect(sizes).toEqual([25, 50, 100, 100, 100]);
  await write(100, 100);
  expect(pieces.size).toBe(40);
  await write(40, 40_000);
  expect(pieces.size).toBe(25);
});

test('no piece takes longer than wanted, however long rows take, unless it is the shortest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.nat(300), async (each, fewer) => {
      const { pieces, write } = fixture(true, 500);
      for (let n = 0; n < 12; n += 1) {
        const rows = Math.max(1, pieces.size - fewer);
        await write(rows, rows * each);
        expect(pieces.size).toBeLessThanOrEqual(500);
        expect(pieces.size === 25 || (pieces.size > 25 && pieces.size * each <= 40)).toBe(true);
      }
    }),
  );
});
