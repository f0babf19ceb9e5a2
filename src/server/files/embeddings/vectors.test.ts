// Tests of packed vectors: the cosine after packing, vectors of zeros, and blocks of another model.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBlock, normalized, packVectors } from './vectors.ts';

const similarities = (query: number[], packed: Uint8Array, count: number): number[] => {
  const found: number[] = [];
  compareBlock(normalized(query), packed, count, (_, similarity) => found.push(similarity));
  return found;
};
const cosine = (a: number[], b: number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) / Math.hypot(...a) / Math.hypot(...b);
const value = fc.double({ min: -1, max: 1, noNaN: true });

test('the cosine of packed vectors is that of the vectors', () => {
  const vector = fc.array(value, { minLength: 64, maxLength: 64 }).filter((all) => Math.hypot(...all) > 0.1);
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const [found = Number.NaN] = similarities(a, packVectors([b], 64), 1);
      expect(Math.abs(found - cosine(a, b))).toBeLessThan(0.01);
    }),
  );
});

test('the length of a vector makes no difference, and its order in the block is kept', () => {
  const packed = packVectors(
    [
      [1, 0],
      [0, 1e-9],
      [-1e9, 0],
      [0, 0],
    ],
    2,
  );
  const found = similarities([5, 0], packed, 4);
  expect(found.map((similarity) => Math.round(similarity * 100) / 100)).toEqual([1, 0, -1, 0]);
});

test('a block can begin at any byte', () => {
  const packed = packVectors([[1, 2, 3]], 3);
  const shifted = new Uint8Array(packed.length + 1);
  shifted.set(packed, 1);
  expect(similarities([1, 2, 3], shifted.subarray(1), 1)[0]).toBeCloseTo(1, 3);
});

test('a block of vectors of another length is similar to nothing', () => {
  expect(similarities([1, 0, 0], packVectors([[1, 0]], 2), 1)).toEqual([]);
  expect(similarities([1, 0], new Uint8Array(), 1)).toEqual([]);
});
