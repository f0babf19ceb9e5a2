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
  ['other=1', { other: '1' }],
])('%s', (query, expected) => {
  expect(plain(query)).toEqual(expected);
});

test.each([
  'tags.a=1&tags.a.b=2',
  'tags.a.b=2&tags.a=1',
  'tags=1&tags.a=1',
  '.=1',
  'a..b=1',
  '[]=1',
  'a.b.c.d.e.f=1',
  '=1',
  `${'a'.repeat(501)}=1`,
])('%s is refused', (query) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ type: 'InvalidQuery' }));
});

test('no parameter name changes a prototype', () => {
  const query = read('__proto__.a=1&constructor.prototype.a=1&tags.__proto__=1');
  expect(({} as Record<string, unknown>).a).toBeUndefined();
  expect(Object.getPrototypeOf(query)).toBeNull();
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
      const [first = '', ...rest] = steps;
      const dots = new URLSearchParams([[steps.join('.'), value]]);
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
