// Tests of the validation of rows: the stored values, and the messages of rejected ones.
import { describe, expect, test } from 'vitest';
import type { TableSchema } from '../../protocol/types/tables.ts';
import { checkRow, createValidationState, requireColumns } from './check.ts';
import { readSchema } from './columns.ts';

const schema = readSchema({
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Z]' },
    kind: { type: 'string', enum: ['x', 'y'] },
    at: { type: 'string', format: 'date-time' },
    age: { type: 'number', nullable: false },
    place: { type: 'object', properties: { zip: { type: 'string', nullable: false } }, required: ['zip'] },
    list: { type: 'array', items: { type: 'number' } },
    nothing: { type: 'null' },
  },
  required: ['kind'],
});
const check = (row: Record<string, unknown>) => checkRow(schema, row, createValidationState());

test('stores valid values', () => {
  const row = { name: 'Ann', kind: 'x', age: 0, place: { zip: '1', more: [1] }, list: [1], nothing: null };
  expect(check(row)).toEqual(row);
  expect(check({ name: null, list: null })).toEqual({ name: null, list: null });
});

test.each([
  ['2025-01-31T10:00:00+02:00', '2025-01-31T08:00:00.000Z'],
  ['2025-01-31', '2025-01-31T00:00:00.000Z'],
  ['2025-01-31 08:00', '2025-01-31T08:00:00.000Z'],
  ['2024-02-29T00:00:00z', '2024-02-29T00:00:00.000Z'],
  ['2025-01-31T08:00:00.123456+0000', '2025-01-31T08:00:00.123Z'],
])('%s is stored in UTC', (sent, stored) => {
  expect(check({ at: sent })).toEqual({ at: stored });
});

describe('rejects', () => {
  const deep = JSON.parse(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`);
  test.each<[string, Record<string, unknown>]>([
    ['name must be a text, not a number.', { name: 1 }],
    ['name does not match its pattern.', { name: 'ann' }],
    ['kind is not one of the allowed values.', { kind: 'z' }],
    ['age cannot be null.', { age: null }],
    ['age must be a number, not a text.', { age: '3' }],
    ['at is not a date and time (ISO 8601).', { at: 'tomorrow' }],
    ['at is not a date and time (ISO 8601).', { at: '2025-02-30' }],
    ['at is not a date and time (ISO 8601).', { at: '2025-13-01T00:00:00Z' }],
    ['at is not a date and time (ISO 8601).', { at: '2025-01-01T25:00:00Z' }],
    ['place must be an object, not a list.', { place: [] }],
    ['place.zip is missing.', { place: {} }],
    ['place.zip cannot be null.', { place: { zip: null } }],
    ['place.zip must be a text, not a number.', { place: { zip: 1 } }],
    ['place is nested too deeply.', { place: { zip: '1', deep } }],
    ['list.1 must be a number, not a text.', { list: [1, '2'] }],
    ['nothing must be null, not a number.', { nothing: 0 }],
  ])('%s', (message, row) => {
    expect(() => check(row)).toThrow(message);
  });

  test('a new row without its required columns is rejected', () => {
    expect(() => requireColumns(schema, { age: 1 })).toThrow('kind is missing.');
    expect(() => requireColumns(schema, { kind: 'x' })).toThrow('age is missing.');
    expect(() => requireColumns(schema, { kind: 'x', age: 1 })).not.toThrow();
  });

  test('more text for patterns than can be matched in a second is rejected', () => {
    const state = createValidationState();
    const row = () => checkRow(schema, { name: 'A'.repeat(600_000) }, state);
    row();
    row();
    row();
    expect(row).toThrow('send fewer rows');
  });
});

test('unknown columns are recorded; fields that every row has are not', () => {
  const state = createValidationState();
  const row = JSON.parse(
    '{"id":1,"computed":{},"createdAt":"x","toString":1,"__proto__":{"age":1},"kind":"x"}',
  );
  expect(checkRow(schema, row, state)).toEqual({ kind: 'x' });
  expect([...state.unknown]).toEqual(['toString', '__proto__']);
});

test('a pattern on which backtracking engines take exponential time is matched at once', () => {
  const evil = readSchema({ type: 'object', properties: { c: { type: 'string', pattern: '(a+)+$' } } });
  expect(() => checkRow(evil, { c: `${'a'.repeat(50_000)}!` }, createValidationState())).toThrow(
    'does not match',
  );
});

test('the values of an enum are read once for all rows', () => {
  let reads = 0;
  const allowedValues = new Proxy(
    Array.from({ length: 1_000 }, (_, number) => `w${number}`),
    {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key);
      },
    },
  );
  const column = { type: 'array' as const, items: { type: 'string' as const, enum: allowedValues } };
  const many: TableSchema = {
    type: 'object',
    additionalProperties: true,
    properties: { list: { ...column, 'x-zui': { index: 0 } } },
  };
  const list = Array.from({ length: 500 }, () => 'w999');
  for (let row = 0; row < 3; row += 1) checkRow(many, { list }, createValidationState());
  expect(reads).toBeLessThanOrEqual(1_000);
  expect(() => checkRow(many, { list: ['w1000'] }, createValidationState())).toThrow(
    'not one of the allowed values',
  );
});
