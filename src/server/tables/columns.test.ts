// Tests of columns: from a JSON schema or an example, changes, and rejected input.
import { describe, expect, test } from 'vitest';
import { changeSchema, readSchema, renameColumn } from './columns.ts';

const refused = expect.objectContaining({ type: 'InvalidJsonSchema', code: 400 });

test('types are derived from an example', () => {
  const { properties, ...rest } = readSchema({
    name: 'Ann',
    age: 3,
    ok: true,
    tags: [],
    place: { city: 'A' },
  });
  expect(rest).toEqual({ type: 'object', additionalProperties: true });
  expect(Object.entries(properties).map(([name, { type }]) => [name, type])).toEqual([
    ['name', 'string'],
    ['age', 'number'],
    ['ok', 'boolean'],
    ['tags', 'array'],
    ['place', 'object'],
  ]);
  expect(properties.age?.['x-zui']).toEqual({ index: 1 });
});

test('a JSON schema without its type is not an example of a row', () => {
  const { properties } = readSchema({ properties: { total: { type: 'number' } }, required: ['total'] });
  expect(Object.keys(properties)).toEqual(['total']);
  const changed = changeSchema(readSchema({ a: 1 }), { properties: { a: null, b: { type: 'boolean' } } });
  expect(Object.entries(changed.schema.properties).map(([name, { type }]) => [name, type])).toEqual([
    ['b', 'boolean'],
  ]);
  const example = readSchema({ properties: { color: 'red' }, total: 1 });
  expect(Object.keys(example.properties)).toEqual(['properties', 'total']);
});

test('of a JSON schema only the validated keywords are kept', () => {
  const schema = readSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      name: {
        type: ['string', 'null'],
        minLength: 3,
        pattern: '^A',
        description: 'Who',
        'x-zui': { searchable: true },
      },
      at: { type: 'string', format: 'date-time', nullable: false },
      mail: { type: 'string', format: 'email' },
      list: {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      },
    },
    required: ['name'],
  });
  expect(schema).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: true,
    properties: {
      name: {
        type: 'string',
        nullable: true,
        description: 'Who',
        pattern: '^A',
        'x-zui': { index: 0, searchable: true },
      },
      at: { type: 'string', nullable: false, format: 'date-time', 'x-zui': { index: 1 } },
      mail: { type: 'string', 'x-zui': { index: 2 } },
      list: {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        'x-zui': { index: 3 },
      },
    },
    required: ['name'],
  });
});

const property = (column: unknown) => ({ type: 'object', properties: { c: column } });
const deep = JSON.parse(`${'{"type":"array","items":'.repeat(300)}{"type":"null"}${'}'.repeat(300)}`);
describe('rejected', () => {
  test.each<[string, Record<string, unknown>]>([
    ['an example of null', { c: null }],
    ['no type', property({})],
    ['an unknown type', property({ type: 'integer' })],
    ['two types', property({ type: ['string', 'number'] })],
    ['a column that is not an object', property('string')],
    ['a pattern that is none', property({ type: 'string', pattern: '(' })],
    ['a pattern that backtracks', property({ type: 'string', pattern: '(?!a)b' })],
    ['an empty enum', property({ type: 'string', enum: [] })],
    ['notes that are no object', property({ type: 'string', 'x-zui': 1 })],
    ['an index that is a text', property({ type: 'string', 'x-zui': { index: '1' } })],
    ['required that is not there', { ...property({ type: 'string' }), required: ['d'] }],
    ['21 columns', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, 1]))],
    ['a name of 31 characters', { ['c'.repeat(31)]: 1 }],
    ['an empty name', { '': 1 }],
    ['a name with a dot', { 'a.b': 1 }],
    ['a name like an operator', { $gt: 1 }],
    ['a name with a NUL', { 'a\0': 1 }],
    ['a name of the system', { id: 1 }],
    ['__proto__', JSON.parse('{"__proto__": 1}')],
    ['depth', property(deep)],
    ['a huge schema', property({ type: 'string', description: 'x'.repeat(100_001) })],
  ])('%s', (_, input) => {
    expect(() => readSchema(input)).toThrowError(refused);
  });
});

describe('a change', () => {
  const before = readSchema({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a'],
  });

  test('null removes a column, other columns are kept, a new type clears the column', () => {
    const { schema, cleared } = changeSchema(before, {
      type: 'object',
      properties: { a: null, b: { type: 'string' }, c: { type: 'boolean' }, nothing: null },
    });
    expect(Object.keys(schema.properties)).toEqual(['b', 'c']);
    expect(schema.properties.c?.['x-zui'].index).toBe(2);
    expect(schema.required).toBeUndefined();
    expect(cleared).toEqual(['a', 'b']);
  });

  test('can have the form of an example', () => {
    const { schema, cleared } = changeSchema(before, { a: null, d: 1 });
    expect(Object.keys(schema.properties)).toEqual(['b', 'd']);
    expect(cleared).toEqual(['a']);
  });

  test('renames a column in the schema, but not to an existing name', () => {
    const schema = renameColumn(before, 'a', 'ä b');
    expect(Object.keys(schema.properties)).toEqual(['ä b', 'b']);
    expect(schema.required).toEqual(['ä b']);
    expect(() => renameColumn(before, 'a', 'b')).toThrowError(
      expect.objectContaining({ type: 'AlreadyExists' }),
    );
    expect(() => renameColumn(before, 'x', 'y')).toThrowError(
      expect.objectContaining({ type: 'ResourceNotFound' }),
    );
    expect(() => renameColumn(before, 'toString', 'y')).toThrowError(
      expect.objectContaining({ type: 'ResourceNotFound' }),
    );
    expect(() => renameColumn(before, 'a', 'id')).toThrowError(refused);
  });
});

describe('a schema that is too large', () => {
  test('is rejected by its bytes before its columns are read', () => {
    let reads = 0;
    const column = (): unknown =>
      Object.defineProperty({ description: 'x'.repeat(50) }, 'type', {
        enumerable: true,
        get() {
          reads += 1;
          return 'string';
        },
      });
    const properties = { deep: { type: 'object', properties: {} as Record<string, unknown> } };
    for (let number = 0; number < 2_000; number += 1) properties.deep.properties[`p${number}`] = column();
    const input = { type: 'object', properties };
    const seen = () => {
      const before = reads;
      JSON.stringify(input);
      return reads - before;
    };
    const once = seen();
    reads = 0;
    const small = readSchema({ a: 1 });
    for (const read of [() => readSchema(input), () => changeSchema(small, input)]) {
      reads = 0;
      expect(read).toThrow('100000 bytes');
      // Once for its depth, and once for the length of its text.
      expect(reads).toBeLessThanOrEqual(2 * once);
    }
  });

  test('reports a required column that does not exist, among thousands', () => {
    const names = Array.from({ length: 2_000 }, (_, number) => `p${number}`);
    const of = (required: string[]) => ({
      type: 'object',
      properties: {
        deep: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, { type: 'null' }])),
          required,
        },
      },
    });
    expect(readSchema(of(names)).properties.deep?.required).toHaveLength(2_000);
    expect(() => readSchema(of([...names, 'other']))).toThrow('"other"');
  });

  test('an example with too many columns is rejected', () => {
    const row = Object.fromEntries(Array.from({ length: 100_000 }, (_, number) => [`c${number}`, 1]));
    expect(() => readSchema(row)).toThrow('at most 20 columns');
  });
});
