// User keys and ids: forged, foreign and expired keys are refused; ids sort by the time they were made.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createId } from '../storage/ids.ts';
import { createUserKeys } from './user-keys.ts';

const secret = 'a secret for tests only';
const now = Date.parse('2026-01-01T00:00:00Z');
const keys = createUserKeys(secret, () => now);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function forge(header: unknown, payload: unknown, by = secret): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`;
}

const HS256 = { alg: 'HS256', typ: 'JWT' };
const seconds = now / 1000;

test.each([
  [{ id: 'a' }],
  [{ id: 'a', iat: seconds }],
  [{ id: 'a', exp: seconds + 1 }],
  [{ id: 'a', nbf: seconds }],
])('%j is accepted', (payload) => {
  expect(keys.verify(forge(HS256, payload))).toBe('a');
});

test('what it signs it accepts', () => {
  expect(keys.verify(keys.sign('shop/7'))).toBe('shop/7');
});

test.each([
  ['another secret', forge(HS256, { id: 'a' }, 'another secret altogether')],
  ['alg none', `${encode({ alg: 'none' })}.${encode({ id: 'a' })}.`],
  ['alg none, signed', forge({ alg: 'none' }, { id: 'a' })],
  ['alg HS512', forge({ alg: 'HS512' }, { id: 'a' })],
  ['alg in lower case', forge({ alg: 'hs256' }, { id: 'a' })],
  ['a critical extension', forge({ ...HS256, crit: ['x'] }, { id: 'a' })],
  ['expired', forge(HS256, { id: 'a', exp: seconds })],
  ['not valid yet', forge(HS256, { id: 'a', nbf: seconds + 1 })],
  ['exp of a wrong type', forge(HS256, { id: 'a', exp: 'never' })],
  ['no id', forge(HS256, {})],
  ['an id that is no string', forge(HS256, { id: 7 })],
  ['an empty id', forge(HS256, { id: '' })],
  ['a payload that is no object', forge(HS256, null)],
  ['four parts', `${forge(HS256, { id: 'a' })}.x`],
  [
    'another payload under a good signature',
    forge(HS256, { id: 'a' }).replace(encode({ id: 'a' }), encode({ id: 'b' })),
  ],
  ['nothing', ''],
  ['dots', '..'],
])('%s is refused', (_, key) => {
  expect(keys.verify(key)).toBeUndefined();
});

test('ids: prefix and ULID, each greater than the one before, in one millisecond and when the clock goes back', () => {
  const ids = Array.from({ length: 2_000 }, (_, n) => createId('msg', now - (n % 7)));
  expect(ids[0]).toMatch(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
