// Tests of counters by clock window: they reset with the clock, and the number of keys is bounded.
import { expect, test } from 'vitest';
import { createUsageWindows, secondsUntilNext } from './windows.ts';

test('usage window: a counter is kept until its window ends', () => {
  let now = 1_500;
  const windows = createUsageWindows(1_000, () => now);
  windows.of('a').set('bytes', 5);
  expect(windows.of('a').get('bytes')).toBe(5);
  expect(windows.of('b').get('bytes')).toBeUndefined();
  now = 1_999;
  expect(windows.of('a').get('bytes')).toBe(5);
  now = 2_000;
  expect(windows.of('a').get('bytes')).toBeUndefined();
  expect(windows.size).toBe(1);
});

test('usage window: the number of keys is bounded, and keys in use are kept', () => {
  const windows = createUsageWindows(1_000, () => 0, 100);
  for (let n = 0; n < 10_000; n += 1) {
    windows.of('busy').set('bytes', n);
    windows.of(`address ${n}`).set('bytes', 1);
    expect(windows.size).toBeLessThanOrEqual(100);
  }
  expect(windows.of('busy').get('bytes')).toBe(9_999);
});

test('usage window: the time until the next window is at least a second', () => {
  expect([0, 1, 999, 59_001, 60_000].map((now) => secondsUntilNext(60_000, now))).toEqual([
    60, 60, 60, 1, 60,
  ]);
});
