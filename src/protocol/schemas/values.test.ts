import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { fileSchemas } from './files.ts';
import { tableSchemas } from './tables.ts';
import { tagFilter } from './tags.ts';
import { boundedArray } from './values.ts';

/** A list that counts how many of its items were read. */
function counted(items: unknown[]) {
  const reads = { count: 0 };
  const list = new Proxy(items, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads.count += 1;
      return Reflect.get(target, key);
    },
  });
  return { list, reads };
}

describe('lists', () => {
  const cases: [string, v.GenericSchema, (list: unknown[]) => unknown, unknown][] = [
    ['rows', tableSchemas.newRows, (rows) => ({ rows }), {}],
    ['rows of an upsert', tableSchemas.upsert, (rows) => ({ rows }), {}],
    ['ids of rows', tableSchemas.removal, (ids) => ({ ids }), 1],
    ['places to select', tableSchemas.rowQuery, (select) => ({ select }), 'a'],
    ['passages', fileSchemas.newPassages, (passages) => ({ passages }), { content: 'a' }],
    ['values of a tag', tagFilter, (color) => ({ color }), 'red'],
  ];
  test.each(cases)('%s are refused by their length before they are read', (_, schema, wrap, item) => {
    const few = counted([item]);
    expect(v.safeParse(schema, wrap(few.list)).success).toBe(true);
    expect(few.reads.count).toBeGreaterThan(0);
    const many = counted(Array.from({ length: 100_000 }, () => item));
    const result = v.safeParse(schema, wrap(many.list));
    expect(result.success).toBe(false);
    // The error for a value that can be a text, too, has another message.
    expect(many.reads.count).toBeLessThanOrEqual(1);
  });

  test('limits: the maximum, one more, too few, and a value that is not a list', () => {
    const list = v.object({ list: boundedArray(v.number(), 3, 1) });
    const errorsOf = (value: unknown) =>
      v.safeParse(list, { list: value }).issues?.map(({ message }) => message);
    expect(errorsOf([1, 2, 3])).toBeUndefined();
    expect(errorsOf([1, 2, 3, 4])).toEqual(['Expected at most 3 items.']);
    expect(errorsOf([])).toHaveLength(1);
    expect(errorsOf([1, 'two'])).toHaveLength(1);
    for (const other of ['a long text', { length: 9 }, null, 4]) expect(errorsOf(other)).toHaveLength(1);
  });
});

describe('tags', () => {
  const names = ['__proto__', 'constructor', 'prototype'];
  test.each(names)('a tag %s is refused with a message, and not dropped', (name) => {
    const tags: unknown = JSON.parse(`{"color": "red", "${name}": "x"}`);
    const file = { key: 'a', size: 1, tags };
    for (const [schema, value] of [
      [fileSchemas.fields, file],
      [fileSchemas.changes, { tags }],
      [tableSchemas.newTable, { name: 'aTable', schema: {}, tags }],
      [tableSchemas.tableChanges, { tags }],
      [tableSchemas.tagQuery, tags],
      [tagFilter, tags],
    ] as [v.GenericSchema, unknown][]) {
      const { success, issues } = v.safeParse(schema, value);
      expect(success).toBe(false);
      expect(issues?.[0].message).toContain('constructor');
    }
  });

  test.each([
    ['of a table', tableSchemas.newTable, { name: 'aTable', schema: {} }],
    ['of a changed table', tableSchemas.tableChanges, {}],
    ['of a file', fileSchemas.fields, { key: 'a', size: 1 }],
  ] as [string, v.GenericSchema, object][])(
    'too many %s are refused before one is read',
    (_, schema, rest) => {
      let reads = 0;
      const named = (count: number) => {
        const tags = Object.fromEntries(Array.from({ length: count }, (_, number) => [`t${number}`, 'x']));
        return new Proxy(tags, {
          get(target, key) {
            reads += 1;
            return Reflect.get(target, key);
          },
        });
      };
      expect(v.is(schema, { ...rest, tags: named(50) })).toBe(true);
      expect(reads).toBeGreaterThanOrEqual(50);
      reads = 0;
      const { issues } = v.safeParse(schema, { ...rest, tags: named(100_000) });
      expect(issues?.map(({ message }) => message)).toEqual(['Expected at most 50 tags.']);
      expect(reads).toBeLessThan(10);
    },
  );

  test('names of Object.prototype are allowed', () => {
    const tags = { toString: 'a', valueOf: 'b', hasOwnProperty: 'c' };
    expect(v.parse(fileSchemas.changes, { tags })).toEqual({ tags });
  });
});
