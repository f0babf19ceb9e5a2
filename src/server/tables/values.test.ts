// Tests that sums and products have the decimals that people read.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, multiply } from './values.ts';

test.each([
  [add(0.1, 0.2), 0.3],
  [add(-1.1, -2.2), -3.3],
  [add(1e-7, 2e-7), 3e-7],
  [add(1e21, -1e21), 0],
  [add(5e-324, 1e308), 1e308],
  [add(1e308, 1e308), Number.POSITIVE_INFINITY],
  [multiply(1.1, 3), 3.3],
  [multiply(19.99, 100), 1999],
  [multiply(0.1, 0.1), 0.01],
  [multiply(1e200, 1e200), Number.POSITIVE_INFINITY],
  [multiply(1e-200, 1e-200), 0],
])('%d is %d', (result, expected) => {
  expect(result).toBe(expected);
});

test('amounts of cents are added exactly, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 50 }), (cents) => {
      const total = cents.reduce((sum, one) => sum + one, 0);
      expect(cents.reduce((sum, one) => add(sum, one / 100), 0)).toBe(total / 100);
    }),
  );
});
