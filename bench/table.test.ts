// Tests of the comparison with the record.
import { expect, test } from 'vitest';
import type { Result } from './measure.ts';
import { table, worsening, worseRows } from './table.ts';

const machine = { cpu: '', cores: 2, node: '', browser: '', date: '2026-01-01' };
const lastOf = (...results: Result[]) => ({
  machine,
  values: Object.fromEntries(results.map(({ name, ...rest }) => [name, rest])),
});

test('a duration is compared by its ratio to the floor, and without a floor not at all', () => {
  const before = { value: 100, unit: 'ms', floor: 50, ratio: 2 } as const;
  // Another machine, twice as slow.
  expect(worsening({ value: 200, unit: 'ms', floor: 100, ratio: 2 }, before)).toBe(0);
  expect(worsening({ value: 100, unit: 'ms', floor: 40, ratio: 2.5 }, before)).toBe(0.25);
  expect(worsening({ value: 900, unit: 'ms' }, { value: 100, unit: 'ms' })).toBeUndefined();
  expect(worsening({ value: 900, unit: '/s' }, { value: 100, unit: '/s' })).toBeUndefined();
});

test('bytes and counts are compared by their values; of rates and hits more is better', () => {
  expect(worsening({ value: 110, unit: 'B' }, { value: 100, unit: 'B' })).toBeCloseTo(0.1);
  expect(worsening({ value: 40, unit: 'hits' }, { value: 50, unit: 'hits' })).toBe(0.25);
  const rate = { value: 500, unit: '/s', floor: 1_000 } as const;
  expect(worsening({ ...rate, ratio: 0.4 }, { ...rate, ratio: 0.5 })).toBeCloseTo(0.25);
  expect(worsening({ value: 0, unit: '' }, { value: 0, unit: '' })).toBe(0);
  expect(worsening({ value: 1, unit: '' }, undefined)).toBeUndefined();
});

test('a row that got worse by more than a tenth is named, also when there was nothing before', () => {
  const last = lastOf(
    { name: 'bytes', value: 100, unit: 'B' },
    { name: 'late frames', value: 0, unit: '' },
    { name: 'main thread', value: 100, unit: 'ms', floor: 50, ratio: 2 },
  );
  const results: Result[] = [
    { name: 'bytes', value: 109, unit: 'B' },
    { name: 'late frames', value: 2, unit: '' },
    { name: 'main thread', value: 115, unit: 'ms', floor: 50, ratio: 2.3 },
    { name: 'new', value: 5, unit: '' },
  ];
  expect(worseRows(results, last)).toBe(
    'Worse than the record by more than 10 %:\n  late frames (from 0)\n  main thread (+15 %)',
  );
  expect(worseRows(results.slice(0, 1), last)).toBe('');
  expect(table(results, last).split('\n')[3]).toMatch(/^main thread\s+115\s+ms\s+50\s+2\.3\s+2\s+\+15 %$/);
});
