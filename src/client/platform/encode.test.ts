// Tests the encoding of inputs: no id changes the address, and a query keeps the meaning of its values.
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { readQuery } from '../../server/http/query.ts';
import { encodeQuery, encodeRequest, headerValue } from './encode.ts';

const get = (id: unknown) => encodeRequest('getBot', 'GET /v1/admin/bots/{id}/webchat', { id });

describe('path parameters', () => {
  test('any text is one segment of the path, and is decoded to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        fc.pre(id !== '.' && id !== '..');
        const url = new URL(`https://api.test${get(id).target}`);
        const parts = url.pathname.split('/');
        expect([parts.length, url.search, url.hash]).toEqual([6, '', '']);
        expect(decodeURIComponent(parts[4] ?? '')).toBe(id);
      }),
    );
  });

  test.each([
    ['../x', '..%2Fx'],
    ['a/b?c#d', 'a%2Fb%3Fc%23d'],
    ['a/../b', 'a%2F..%2Fb'],
    ['..\\x', '..%5Cx'],
    ['%2e%2e', '%252e%252e'],
    ['Grüße 👍', 'Gr%C3%BC%C3%9Fe%20%F0%9F%91%8D'],
    ['$&{id}', '%24%26%7Bid%7D'],
    ['\0', '%00'],
    [7, '7'],
  ])('%j', (id, part) => {
    expect(get(id).target).toBe(`/v1/admin/bots/${part}/webchat`);
  });

  test.each<[unknown, string]>([
    ['', 'getBot: id must not be empty.'],
    ['.', 'getBot: id must not be ".".'],
    ['..', 'getBot: id must not be "..".'],
    [undefined, 'getBot: id is missing.'],
    [null, 'getBot: id is missing.'],
    [{}, 'getBot: id is missing.'],
    [['a'], 'getBot: id is missing.'],
    ['\ud800', 'getBot: id is not valid Unicode.'],
  ])('%j is refused', (id, message) => {
    expect(() => get(id)).toThrow(new TypeError(message));
  });

  test('a value does not fill the next parameter', () => {
    const { target } = encodeRequest('copyFile', 'POST /v1/files/{idOrKey}/{destinationKey}', {
      idOrKey: '{destinationKey}',
      destinationKey: 'b',
    });
    expect(target).toBe('/v1/files/%7BdestinationKey%7D/b');
  });
});

test('the rest is a body for POST and PUT, otherwise a query; x- fields are headers; undefined is omitted', () => {
  const input = { id: 'b', name: 'n', none: undefined, 'x-destination-bot-id': 'bot_1' };
  const headers = { 'x-destination-bot-id': 'bot_1' };
  for (const method of ['POST', 'PUT'] as const) {
    expect(encodeRequest('o', `${method} /o/{id}`, input)).toEqual({
      method,
      target: '/o/b',
      headers,
      body: '{"name":"n"}',
    });
  }
  for (const method of ['GET', 'DELETE'] as const) {
    expect(encodeRequest('o', `${method} /o/{id}`, input)).toEqual({
      method,
      target: '/o/b?name=n',
      headers,
      body: undefined,
    });
  }
  expect(encodeRequest('o', 'POST /o', {}).body).toBe('{}');
  expect(encodeRequest('o', 'GET /o', {}).target).toBe('/o');
});

test('an input that is not an object, or not JSON, is refused', () => {
  for (const input of ['text', 7, null] as never[]) {
    expect(() => encodeRequest('o', 'GET /o', input)).toThrow(TypeError);
  }
  const round: { self?: object } = {};
  round.self = round;
  for (const value of [round, 1n]) {
    expect(() => encodeRequest('o', 'POST /o', { value })).toThrow(TypeError);
  }
});

test.each(['a\nb', 'a\r\nx-other: 1', 'ü', '', ' a', 'a\0'])('%j cannot be a header', (value) => {
  expect(() => headerValue('token', value)).toThrow(/^token must be printable ASCII/);
});

describe('queries', () => {
  test.each<[Record<string, unknown>, string]>([
    [{}, ''],
    [{ a: undefined }, ''],
    [{ a: '', b: 0, c: false }, 'a=&b=0&c=false'],
    [{ tags: { kind: 'A', x: { exists: false } } }, 'tags.kind=A&tags.x.exists=false'],
    [{ tags: { category: ['A', 'B'] }, ids: ['1', '2'] }, 'tags.category=A&tags.category=B&ids=1&ids=2'],
    [{ ids: ['1'] }, 'ids=1'],
    [{ at: new Date(0) }, `at=${encodeURIComponent('1970-01-01T00:00:00.000Z')}`],
    [{ q: 'a&b=c +%ü' }, 'q=a%26b%3Dc+%2B%25%C3%BC'],
  ])('%j', (fields, query) => {
    expect(encodeQuery(fields)).toBe(query);
  });

  // An empty list of ids must not request all of them.
  test.each<[unknown]>([
    [[]],
    [null],
    [{}],
    [{ 'a.b': 'x' }],
    [{ 'a[0]': 'x' }],
    [{ '': 'x' }],
    [{ a: [] }],
    [{ a: null }],
    [[{ a: 1 }]],
    [[['a']]],
  ])('%j keeps its meaning as JSON', (value) => {
    const query = new URLSearchParams(encodeQuery({ tags: value, other: 1 }));
    expect([...query.keys()]).toEqual(['tags', 'other']);
    expect(JSON.parse(query.get('tags') ?? '')).toEqual(value);
  });

  test('the server reads the same values', () => {
    const tree = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, fc.string(), fc.array(fc.string(), { minLength: 2 }), tie('names')),
      names: fc.dictionary(fc.string(), tie('any')),
    }));
    const schema = v.object({
      tags: v.exactOptional(v.record(v.string(), v.unknown())),
      ids: v.exactOptional(v.array(v.string())),
      query: v.string(),
    });
    const input = fc.record({ tags: tree.names, ids: fc.array(fc.string()), query: fc.string() });
    fc.assert(
      fc.property(input, (given) => {
        const seen = readQuery(new URL(`https://api.test/?${encodeQuery(given)}`), schema);
        expect(JSON.parse(JSON.stringify(seen))).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      {
        examples: [
          [{ tags: { 'a.b': '1', __proto__: 'x' } as never, ids: [], query: '{"a":1}' }],
          [{ tags: { a: { exists: 'true' } } as never, ids: ['["x"]'], query: '' }],
        ],
      },
    );
  });
});
