// Tests of the form of an answer, and of the check of an answer.
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  approvalSchema,
  checkResponse,
  choicesOf,
  type ResponseProperty,
  type ResponseSchema,
} from './response-schema.ts';
import { interruptSchemas } from './schemas/interrupts.ts';

const form = (properties: Record<string, unknown>, required?: string[]): ResponseSchema =>
  v.parse(interruptSchemas.responseSchema, { type: 'object', properties, ...(required ? { required } : {}) });
const rules = (property: unknown, value: unknown) =>
  checkResponse(form({ a: property }), { a: value }).map(({ rule }) => rule);

describe('an approval', () => {
  test.each([{ approved: true }, { approved: false }])('%j is an answer', (answer) => {
    expect(checkResponse(approvalSchema, answer)).toEqual([]);
  });

  test.each([
    [{}, [{ property: 'approved', rule: 'required' }]],
    [{ approved: 'true' }, [{ property: 'approved', rule: 'type' }]],
    [{ approved: null }, [{ property: 'approved', rule: 'type' }]],
    [{ approved: true, input: { amount: 1 } }, [{ property: 'input', rule: 'unknown' }]],
    [JSON.parse('{"approved":true,"__proto__":{"x":1}}'), [{ property: '__proto__', rule: 'unknown' }]],
    [{ approved: true, constructor: 1 }, [{ property: 'constructor', rule: 'unknown' }]],
    [
      JSON.parse('{"__proto__":{"approved":true}}'),
      [
        { property: 'approved', rule: 'required' },
        { property: '__proto__', rule: 'unknown' },
      ],
    ],
    [null, [{ property: '', rule: 'type' }]],
    [true, [{ property: '', rule: 'type' }]],
    [[true], [{ property: '', rule: 'type' }]],
    ['approved', [{ property: '', rule: 'type' }]],
    [undefined, [{ property: '', rule: 'type' }]],
  ])('%j is none', (answer, issues) => {
    expect(checkResponse(approvalSchema, answer)).toEqual(issues);
  });
});

test.each([
  [{ type: 'string' }, '', []],
  [{ type: 'string' }, 1, ['type']],
  [{ type: 'string', minLength: 1 }, '', ['minLength']],
  [{ type: 'string', maxLength: 2 }, 'abc', ['maxLength']],
  [{ type: 'string', maxLength: 1 }, '\u{1f600}', []],
  [{ type: 'string', enum: ['a', 'b'] }, 'b', []],
  [{ type: 'string', enum: ['a', 'b'] }, 'c', ['choice']],
  [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, 'A', ['choice']],
  [{ type: 'string', format: 'email' }, 'ada@example.com', []],
  [{ type: 'string', format: 'email' }, 'ada@example', ['format']],
  [{ type: 'string', format: 'uri' }, 'https://example.com/a?b', []],
  [{ type: 'string', format: 'uri' }, 'example.com', ['format']],
  [{ type: 'string', format: 'date' }, '2024-02-29', []],
  [{ type: 'string', format: 'date' }, '2023-02-29', ['format']],
  [{ type: 'string', format: 'date-time' }, '2024-02-29T23:59:00Z', []],
  [{ type: 'string', format: 'date-time' }, '2024-02-29T23:59:00', ['format']],
  [{ type: 'string', format: 'date-time' }, '2023-02-29T23:59:00Z', ['format']],
  [{ type: 'number' }, 1.5, []],
  [{ type: 'number' }, '1', ['type']],
  [{ type: 'number', minimum: 0 }, -1, ['minimum']],
  [{ type: 'number', maximum: 0 }, 1, ['maximum']],
  [{ type: 'number' }, JSON.parse('1e999'), ['type']],
  [{ type: 'integer' }, 2.5, ['type']],
  [{ type: 'integer', minimum: 3 }, 2, ['minimum']],
  [{ type: 'boolean' }, 0, ['type']],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, [], []],
  [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ['b', 'a'], []],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'a'], ['uniqueItems']],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'c'], ['choice']],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'a', ['type']],
  [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1 }, [], ['minItems']],
  [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'], ['maxItems']],
])('in %j the value %j breaks %j', (property, value, expected) => {
  expect(rules(property, value)).toEqual(expected);
});

test('a property that is not required can be left out, also one whose name every object has', () => {
  const schema = form({ name: { type: 'string' }, toString: { type: 'string' } }, ['name']);
  expect(checkResponse(schema, { name: '' })).toEqual([]);
  expect(checkResponse(schema, {})).toEqual([{ property: 'name', rule: 'required' }]);
  expect(checkResponse(form({ toString: { type: 'string' } }, ['toString']), {})).toEqual([
    { property: 'toString', rule: 'required' },
  ]);
});

test.each([
  ['a pattern', { a: { type: 'string', pattern: '(a+)+$' } }],
  ['an object inside', { a: { type: 'object', properties: {} } }],
  ['a list of objects', { a: { type: 'array', items: { type: 'object' } } }],
  ['a list of free texts', { a: { type: 'array', items: { type: 'string' } } }],
  ['a password', { a: { type: 'string', format: 'password' } }],
  ['two equal choices', { a: { type: 'string', enum: ['x', 'x'] } }],
  ['no choice', { a: { type: 'string', enum: [] } }],
  ['a default that cannot be chosen', { a: { type: 'string', enum: ['x'], default: 'y' } }],
  ['a default that is too short', { a: { type: 'string', minLength: 2, default: 'y' } }],
  ['a length below zero', { a: { type: 'string', minLength: -1 } }],
  ['no type', { a: {} }],
  ['13 properties', Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`p${n}`, { type: 'boolean' }]))],
  ['a name that is empty', { '': { type: 'boolean' } }],
])('a form with %s is refused', (_, properties) => {
  expect(v.is(interruptSchemas.responseSchema, { type: 'object', properties })).toBe(false);
});

test('a form that requires what it does not have, or has other rules, is refused', () => {
  const properties = { a: { type: 'boolean' } };
  for (const extra of [
    { required: ['b'] },
    { required: ['constructor'] },
    { allOf: [] },
    { type: 'array' },
  ]) {
    expect(v.is(interruptSchemas.responseSchema, { type: 'object', properties, ...extra })).toBe(false);
  }
  expect(v.is(interruptSchemas.responseSchema, { type: 'object', properties, required: ['a'] })).toBe(true);
});

const name = fc
  .oneof(
    fc.constantFrom('approved', 'toString', 'hasOwnProperty', 'length', '0'),
    fc.string({ minLength: 1, maxLength: 20 }),
  )
  .filter((text) => !['__proto__', 'prototype', 'constructor'].includes(text));
const words = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
const titles = words.map((list) => list.map((word) => ({ const: word, title: `${word}!` })));
/** A property with a value that it allows. */
const propertyWithValue: fc.Arbitrary<[ResponseProperty, unknown]> = fc.oneof(
  fc.tuple(fc.string(), fc.nat(3), fc.nat(3)).map(([text, less, more]): [ResponseProperty, unknown] => {
    const { length } = [...text];
    return [{ type: 'string', minLength: Math.max(0, length - less), maxLength: length + more }, text];
  }),
  words.chain((list) =>
    fc
      .constantFrom(...list)
      .map((word): [ResponseProperty, unknown] => [{ type: 'string', enum: list }, word]),
  ),
  titles.chain((oneOf) =>
    fc
      .constantFrom(...oneOf)
      .map((choice): [ResponseProperty, unknown] => [{ type: 'string', oneOf }, choice.const]),
  ),
  fc
    .tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(9))
    .map(([value, more]): [ResponseProperty, unknown] => [
      { type: 'number', minimum: value, maximum: Math.min(Number.MAX_VALUE, value + more) },
      value,
    ]),
  fc.integer().map((value): [ResponseProperty, unknown] => [{ type: 'integer', maximum: value }, value]),
  fc.boolean().map((value): [ResponseProperty, unknown] => [{ type: 'boolean' }, value]),
  words.chain((list) =>
    fc
      .subarray(list)
      .map((some): [ResponseProperty, unknown] => [
        { type: 'array', items: { enum: list }, minItems: some.length, maxItems: list.length },
        some,
      ]),
  ),
);
const schemaWithAnswer = fc
  .dictionary(name, fc.tuple(propertyWithValue, fc.boolean()), { maxKeys: 12, noNullPrototype: true })
  .map((schema) => {
    const entries = Object.entries(schema);
    const required = entries.filter(([, [, isRequired]]) => isRequired).map(([key]) => key);
    const properties = Object.fromEntries(entries.map(([key, [[property]]]) => [key, property]));
    const answer = Object.fromEntries(entries.map(([key, [[, value]]]) => [key, value]));
    return { schema: { type: 'object', properties, required } as ResponseSchema, answer, required };
  });
/** Values as JSON has them: -0 becomes 0 there. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a valid form accepts its answers, with or without what is not required, and as JSON', () => {
  fc.assert(
    fc.property(schemaWithAnswer, ({ schema, answer, required }) => {
      expect(v.is(interruptSchemas.responseSchema, schema)).toBe(true);
      expect(checkResponse(schema, answer)).toEqual([]);
      expect(checkResponse(asJson(schema) as ResponseSchema, asJson(answer))).toEqual([]);
      const least = Object.fromEntries(Object.entries(answer).filter(([key]) => required.includes(key)));
      expect(checkResponse(schema, least)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('whatever is answered, the check ends with at most one issue for each name, and only what it has no issue with is in the form', () => {
  fc.assert(
    fc.property(
      schemaWithAnswer,
      fc.jsonValue(),
      fc.dictionary(name, fc.jsonValue()),
      ({ schema, answer }, any, extra) => {
        for (const value of [any, extra, { ...answer, ...extra }]) {
          const issues = checkResponse(schema, value);
          expect(new Set(issues.map(({ property }) => property)).size).toBe(issues.length);
          if (issues.length > 0) continue;
          for (const [key, item] of Object.entries(value as object)) {
            const property = schema.properties[key];
            expect(property).toBeDefined();
            const choices = property && choicesOf(property)?.map((choice) => choice.value);
            if (choices) expect(choices).toEqual(expect.arrayContaining([item].flat()));
          }
          for (const key of schema.required ?? []) expect(Object.hasOwn(value as object, key)).toBe(true);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('each change of an answer to a value of another type has one issue', () => {
  fc.assert(
    fc.property(
      schemaWithAnswer,
      fc.nat(),
      fc.constantFrom(null, {}, [{}]),
      ({ schema, answer }, at, wrong) => {
        const names = Object.keys(answer);
        fc.pre(names.length > 0);
        const changed = names[at % names.length] as string;
        expect(checkResponse(schema, { ...answer, [changed]: wrong })).toEqual([
          { property: changed, rule: expect.stringMatching(/^(type|choice)$/) },
        ]);
      },
    ),
    { numRuns: 300 },
  );
});
