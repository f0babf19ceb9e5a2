// Tests of filters of rows: the meaning of the operators, the invariants between them, and rejected filters.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RowFilter } from '../../../protocol/table.ts';
import { readSchema } from '../columns.ts';
import { compare } from './compare.ts';
import { fits, readFilter } from './filter.ts';

const schema = readSchema({
  type: 'object',
  properties: {
    a: { type: 'number' },
    b: { type: 'object' },
    day: { type: 'string', format: 'date-time' },
  },
});
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'a', 'b', 'ab'),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('x', 'y'), fc.integer({ min: 0, max: 1 })),
);
const row = fc.record({ a: value, b: value }, { requiredKeys: [] });
const leaf: fc.Arbitrary<RowFilter> = fc
  .record({
    column: fc.constantFrom('a', 'b', 'b.x'),
    operator: fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'),
    value,
  })
  .map(({ column, operator, value: operand }) => ({ [column]: { [operator]: operand } }));
const { filter } = fc.letrec<{ filter: RowFilter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $not: tie('filter') }),
  ),
}));
const holds = (sent: RowFilter, of: Record<string, unknown>) => fits(readFilter(schema, sent), of);

describe('invariants', () => {
  test('$and, $or and $not are Boolean operators', () => {
    fc.assert(
      fc.property(filter, filter, row, (p, q, of) => {
        expect(holds({ $and: [p, q] }, of)).toBe(holds(p, of) && holds(q, of));
        expect(holds({ $or: [p, q] }, of)).toBe(holds(p, of) || holds(q, of));
        expect(holds({ $not: p }, of)).toBe(!holds(p, of));
        // De Morgan.
        expect(holds({ $not: { $and: [p, q] } }, of)).toBe(holds({ $or: [{ $not: p }, { $not: q }] }, of));
      }),
    );
  });

  test('$ne is not $eq, $nin is not $in, $in is $eq for any item, $gte is $gt or $eq of a value', () => {
    fc.assert(
      fc.property(value, value, row, (x, y, of) => {
        expect(holds({ a: { $ne: x } }, of)).toBe(!holds({ a: { $eq: x } }, of));
        expect(holds({ a: { $in: [x, y] } }, of)).toBe(
          holds({ $or: [{ a: { $eq: x } }, { a: { $eq: y } }] }, of),
        );
        expect(holds({ a: { $nin: [x, y] } }, of)).toBe(!holds({ a: { $in: [x, y] } }, of));
        fc.pre(x !== null);
        expect(holds({ a: { $gte: x } }, of)).toBe(holds({ a: { $gt: x } }, of) || holds({ a: x }, of));
      }),
    );
  });

  test('the order of values is total', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (x, y, z) => {
        expect(Math.sign(compare(x, y)) + Math.sign(compare(y, x))).toBe(0);
        expect(compare(x, structuredClone(x))).toBe(0);
        if (compare(x, y) <= 0 && compare(y, z) <= 0) expect(compare(x, z)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('operators', () => {
  const people = {
    a: 7,
    b: { city: 'Köln', tags: ['x', 'y'], empty: null },
    day: '2025-03-01T10:00:00.000Z',
  };
  const yes: RowFilter[] = [
    { a: 7 },
    { a: { $gt: 6, $lt: 8 } },
    { 'b.city': 'Köln' },
    { 'b.city': { $regex: '^k.ln$', $options: 'i' } },
    { 'b.city': { $regex: 'öl', $options: 'c' } },
    { 'b.tags': 'x' },
    { 'b.tags': { $size: 2 } },
    { 'b.tags.1': 'y' },
    { 'b.tags': ['x', 'y'] },
    { 'b.empty': { $exists: false } },
    { 'b.nothing': null },
    { b: { $exists: true } },
    { a: { $mod: [4, 3] } },
    { a: { $not: { $gt: 7 } } },
    { a: { $or: [{ $lt: 0 }, { $gt: 5 }] } },
    { b: { tags: ['x', 'y'], empty: null, city: 'Köln' } },
    { day: { $gte: '2025-03-01T11:00:00+01:00' } },
    { day: '2025-03-01T10:00:00Z' },
    {},
  ];
  test.each(yes.map((sent) => [JSON.stringify(sent), sent]))('is true: %s', (_, sent) => {
    expect(holds(sent as RowFilter, people)).toBe(true);
  });

  const no: RowFilter[] = [
    { a: '7' },
    { a: { $gt: null } },
    { a: { $lt: null } },
    { 'b.city': { $regex: '^k' } },
    { 'b.constructor': { $exists: true } },
    { 'b.__proto__': { $exists: true } },
    { a: { $regex: '7' } },
    { a: { $mod: [2, 0] } },
  ];
  test.each(no.map((sent) => [JSON.stringify(sent), sent]))('is false: %s', (_, sent) => {
    expect(holds(sent as RowFilter, people)).toBe(false);
  });

  test('the remainder of a negative number can be 0', () => {
    expect(holds({ a: { $mod: [2, 0] } }, { a: -4 })).toBe(true);
  });
});

describe('rejected', () => {
  const deep = JSON.parse(`${'{"$not":'.repeat(500)}{"a":1}${'}'.repeat(500)}`) as RowFilter;
  const value = JSON.parse(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`) as RowFilter;
  test.each<[string, RowFilter]>([
    ['no such column', { nope: 1 }],
    ['__proto__', JSON.parse('{"__proto__":1}')],
    ['no such operator', { a: { $where: '1' } }],
    ['an operator that joins nothing', { $nor: [{ a: 1 }] }],
    ['operators beside keys', { a: { $gt: 1, x: 2 } }],
    ['an empty $and', { $and: [] }],
    ['$not of a text', { $not: 'x' }],
    ['$mod by 0', { a: { $mod: [0, 0] } }],
    ['$size below 0', { a: { $size: -1 } }],
    ['$exists of a text', { a: { $exists: 'true' } }],
    ['$regex that cannot be read', { a: { $regex: '(' } }],
    ['look-ahead', { a: { $regex: '(?=a)' } }],
    ['back reference', { a: { $regex: '(a)\\1' } }],
    ['a huge program', { a: { $regex: '(x{30}y{30}){300}' } }],
    ['a long expression', { a: { $regex: 'a'.repeat(501) } }],
    ['other options', { a: { $regex: 'a', $options: 'gs' } }],
    ['deep conditions', deep],
    ['a deep value', value],
    ['too many conditions', { $or: Array.from({ length: 1_001 }, (_, a) => ({ a })) }],
    ['too many expressions', { $or: Array.from({ length: 11 }, () => ({ a: { $regex: 'a' } })) }],
  ])('%s', (_, sent) => {
    expect(() => readFilter(schema, sent)).toThrowError(expect.objectContaining({ type: 'InvalidPayload' }));
  });
});

test.each(['(a+)+$', '(a|aa)+$', '(.*a){12}$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
  'an expression that takes other engines for ever: %s',
  (source) => {
    // With backtracking, 2^50000 steps.
    expect(holds({ a: { $regex: source } }, { a: `${'a'.repeat(50_000)}!` })).toBe(false);
  },
);

describe('bounded work', () => {
  /** An object that counts how often its keys are listed, which happens when its text is created. */
  function counted(fields: Record<string, unknown>) {
    const lists = { count: 0 };
    const object = new Proxy(fields, {
      ownKeys(target) {
        lists.count += 1;
        return Reflect.ownKeys(target);
      },
    });
    return { object, lists };
  }
  const schema = readSchema({ list: [], o: {} });

  test.each(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin'])(
    '%s makes the text of its operand once, and not for every item of a list',
    (operator) => {
      const { object, lists } = counted({ b: 1 });
      const isList = operator === '$in' || operator === '$nin';
      const filter = readFilter(schema, { list: { [operator]: isList ? [object] : object } });
      const read = lists.count;
      for (let row = 0; row < 10; row += 1) {
        fits(filter, { list: Array.from({ length: 100 }, (_, number) => ({ b: 2, number })) });
      }
      expect(lists.count - read).toBeLessThanOrEqual(1);
    },
  );

  test('the text of an object of a row is created once for all conditions', () => {
    const { object, lists } = counted({ a: 1 });
    const conditions = Array.from({ length: 500 }, (_, number) => ({ o: { $eq: { number } } }));
    expect(fits(readFilter(schema, { $or: conditions }), { o: object })).toBe(false);
    expect(lists.count).toBe(1);
  });

  test('conditions that would read too many items of lists are rejected with a message', () => {
    const list = Array.from({ length: 20_000 }, () => 0);
    const conditions = Array.from({ length: 1_000 }, (_, number) => ({ list: { $eq: number + 1 } }));
    const filter = readFilter(schema, { $or: conditions });
    expect(fits(filter, { list })).toBe(false);
    expect(() => fits(filter, { list })).toThrow('more than 20000000 items of lists');
    // Each filter has its own limit.
    expect(fits(readFilter(schema, { list: 0 }), { list })).toBe(true);
  });

  test('every value equals itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        for (const [value, operand] of [
          [a, b],
          [a, structuredClone(a)],
        ]) {
          const expected = [value, ...(Array.isArray(value) ? value : [])].some(
            (one) => compare(one, operand) === 0,
          );
          for (const condition of [{ $eq: operand }, { $in: [operand] }]) {
            expect(fits(readFilter(schema, { list: condition as never }), { list: value })).toBe(expected);
          }
        }
      }),
    );
  });
});
