// Tests of grouping: the result equals that of a simple implementation, and rejected groupings.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSchema } from '../columns.ts';
import { compare } from './compare.ts';
import { createGroups, readGroup } from './group.ts';

const schema = readSchema({ who: 'x', n: 1, place: {} });
const grouped = (group: Parameters<typeof readGroup>[1], rows: Record<string, unknown>[]) => {
  const groups = createGroups(readGroup(schema, group));
  for (const row of rows) groups.add(row);
  return groups.rows();
};

test('a grouping equals the result of a simple implementation', async () => {
  const rows = fc.array(
    fc.record({ who: fc.constantFrom('a', 'b', null), n: fc.option(fc.integer({ min: -9, max: 9 })) }),
  );
  await fc.assert(
    fc.asyncProperty(rows, async (all) => {
      const found = await grouped({ who: 'key', n: ['count', 'sum', 'avg', 'min', 'max', 'unique'] }, all);
      const naive = [null, 'a', 'b']
        .map((who) => ({ who, of: all.filter((row) => row.who === who) }))
        .filter(({ of }) => of.length > 0)
        .map(({ who, of }) => {
          const numbers = of.flatMap(({ n }) => (n === null ? [] : [n]));
          const sum = numbers.reduce((total, n) => total + n, 0);
          return {
            who,
            nCount: numbers.length,
            nSum: sum,
            nAvg: numbers.length > 0 ? sum / numbers.length : null,
            nMin: numbers.length > 0 ? Math.min(...numbers) : null,
            nMax: numbers.length > 0 ? Math.max(...numbers) : null,
            nUnique: new Set(numbers).size,
          };
        });
      expect(found).toEqual(naive);
    }),
  );
});

test('the counts of all groups add up to the number of rows, for any keys', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.jsonValue(), n: fc.constant(1) }), { maxLength: 20 }),
      async (all) => {
        const groups = await grouped({ who: 'key', n: 'count' }, all);
        expect(groups.reduce((sum, group) => sum + Number(group.nCount), 0)).toBe(all.length);
        for (const [index, group] of groups.entries()) {
          if (index > 0) expect(compare(groups[index - 1]?.who, group.who)).toBeLessThan(0);
        }
      },
    ),
  );
});

test('without keys there is one group, also if there are no rows', async () => {
  expect(await grouped({ n: ['sum', 'avg'], id: 'count' }, [])).toEqual([
    { nSum: 0, nAvg: null, idCount: 0 },
  ]);
});

test('rows are grouped by a path within a column', async () => {
  const rows = [
    { place: { city: 'A' }, n: 1 },
    { place: { city: 'A' }, n: 2 },
    { place: null, n: 4 },
  ];
  expect(await grouped({ 'place.city': 'key', n: 'sum' }, rows)).toEqual([
    { 'place.city': null, nSum: 4 },
    { 'place.city': 'A', nSum: 3 },
  ]);
});

test.each([
  ['nothing', {}],
  ['an unknown column', { nope: 'key' }],
  ['an unknown operation', { n: 'median' }],
  ['an operation of Object', { n: 'toString' }],
  ['one result twice', { n: ['sum', 'sum'] }],
  ['a number', { n: 1 }],
])('a grouping with %s is refused', (_, group) => {
  expect(() => grouped(group as never, [])).toThrowError(expect.objectContaining({ type: 'InvalidPayload' }));
});

test('too many groups are rejected, and not kept in memory', () => {
  const groups = createGroups(readGroup(schema, { n: 'key' }));
  const add = () => {
    for (let n = 0; n <= 100_000; n += 1) groups.add({ n });
  };
  expect(add).toThrowError(expect.objectContaining({ type: 'LimitExceeded' }));
});

test('groups with too much text are rejected with a message', () => {
  const groups = createGroups(readGroup(schema, { who: 'key' }));
  const text = 'x'.repeat(1_000_000);
  const add = () => {
    for (let number = 0; number < 60; number += 1) groups.add({ who: `${number}${text}` });
  };
  expect(add).toThrow('too much text');
});
