// Tests of the query parser: every supported syntax, and hostile queries.
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { schemas } from '../../protocol/schemas/chat.ts';
import { readQuery } from './query.ts';

const schema = v.object({
  tags: v.exactOptional(v.record(v.string(), v.unknown())),
  ids: v.exactOptional(v.array(v.string())),
  query: v.exactOptional(v.string()),
  pageSize: v.exactOptional(schemas.wholeNumber(1, 50)),
  indexed: v.exactOptional(schemas.flag),
});
const read = (query: string) => readQuery(new URL(`http://a.example/?${query}`), schema);
const plain = (query: string) => JSON.parse(JSON.stringify(read(query)));

test.each([
  ['', {}],
  ['tags.a=1&tags.b=2', { tags: { a: '1', b: '2' } }],
  ['tags[a]=1&tags[b]=2', { tags: { a: '1', b: '2' } }],
  ['tags.a.not=1&tags[c][exists]=true', { tags: { a: { not: '1' }, c: { exists: 'true' } } }],
  ['tags.a=1&tags.a=2', { tags: { a: ['1', '2'] } }],
  ['tags.a[]=1', { tags: { a: '1' } }],
  [
    `tags=${encodeURIComponent('{"a":["1","2"],"b":{"not":"x"}}')}`,
    { tags: { a: ['1', '2'], b: { not: 'x' } } },
  ],
  ['ids=1', { ids: ['1'] }],
  ['ids=1&ids=2', { ids: ['1', '2'] }],
  ['ids[]=1&ids[]=2', { ids: ['1', '2'] }],
  ['ids=["1","2"]', { ids: ['1', '2'] }],
  ['query={"a":1}', { query: '{"a":1}' }],
  ['query=%F0%9F%98%80+%2B', { query: '😀 +' }],
  ['tags={"a":', { tags: '{"a":' }],
])('%s', (query, expected) => {
  expect(plain(query)).toEqual(expected);
});

test.each([
  'tags.a=1&tags.a.b=2',
  'tags=1&tags.a=1',
  '.=1',
  'a..b=1',
  '[]=1',
  'a.b.c.d.e.f=1',
  '=1',
  'other=1',
  'query=a&Query=b',
  '__proto__=1',
  'hasOwnProperty.a=1',
  `${'a'.repeat(501)}=1`,
])('%s is refused', (query) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ type: 'InvalidQuery' }));
});

test('an unknown name is named, with the names that exist', () => {
  const refused = (query: string, of?: v.GenericSchema) => {
    try {
      return readQuery(new URL(`http://a.example/?${query}`), of);
    } catch (error) {
      return error;
    }
  };
  const parameters = 'The parameters are tags, ids, query, pageSize, indexed.';
  expect(refused('ids=1&tag.a=1&Ids=2', schema)).toMatchObject({
    message: `tag: There is no parameter of this name. ${parameters}`,
    metadata: { issues: [{ path: 'tag' }, { path: 'Ids' }] },
  });
  expect(refused('x=1')).toMatchObject({ message: 'x: This operation has no parameters.' });
  expect(refused('')).toEqual({});
});

test('no parameter name changes a prototype', () => {
  expect(() => read('__proto__.a=1')).toThrow();
  expect(() => read('constructor.prototype.a=1')).toThrow();
  const query = read('tags.__proto__=1&tags.constructor.prototype.a=1');
  expect(({} as Record<string, unknown>).a).toBeUndefined();
  expect(Object.getPrototypeOf(query)).toBeNull();
});

test.each([
  ['tags.a.b=1', { 'a.b': '1' }],
  ['tags[a.b]=1&tags.c=2', { 'a.b': '1', c: '2' }],
  ['tags.a.b.c=1&tags.a.d=2&tags.a.d=3', { 'a.b.c': '1', 'a.d': ['2', '3'] }],
  ['tags.a.b.not=1&tags.a.not=2', { 'a.b': { not: '1' }, a: { not: '2' } }],
  ['tags={"a.b":{"not":"1"}}', { 'a.b': { not: '1' } }],
])('a name of a tag can contain dots: %s', (query, expected) => {
  const condition = v.union([v.string(), v.array(v.string()), v.strictObject({ not: v.string() })]);
  const of = v.object({ tags: v.record(v.string(), condition) });
  const { tags } = readQuery(new URL(`http://a.example/?${query}`), of);
  expect(JSON.parse(JSON.stringify(tags))).toEqual(expected);
});

test('numbers and flags are validated and converted', () => {
  const check = (query: string) => v.safeParse(schema, read(query));
  expect(check('pageSize=50&indexed=true').output).toEqual({ pageSize: 50, indexed: true });
  for (const wrong of [
    'pageSize=0',
    'pageSize=51',
    'pageSize=1.5',
    'pageSize=',
    'pageSize=1&pageSize=2',
    'indexed=1',
  ]) {
    expect([wrong, check(wrong).success]).toEqual([wrong, false]);
  }
});

test('any query is parsed or refused, and dots and brackets are equivalent', () => {
  const step = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => !/[.[\]]/.test(text));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), fc.string(), (steps, value) => {
      const [, ...rest] = steps;
      const first = 'tags';
      const dots = new URLSearchParams([[[first, ...rest].join('.'), value]]);
      const brackets = new URLSearchParams([[first + rest.map((name) => `[${name}]`).join(''), value]]);
      expect(read(String(brackets))).toEqual(read(String(dots)));
    }),
  );
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      try {
        read(query);
      } catch (error) {
        expect(error).toMatchObject({ type: 'InvalidQuery' });
      }
    }),
  );
});
