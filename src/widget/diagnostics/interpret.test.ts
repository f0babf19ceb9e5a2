// Tests the findings for a response, a missing response, a clock, a key and a policy; the requests have e2e tests.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signUserKey } from '../../client/chat/user-key.ts';
import { findRefusal } from './content-policies.ts';
import { type FindingCode, finding, findings } from './findings.ts';
import {
  interpretClock,
  interpretResponse,
  interpretSilence,
  isMixed,
  readKey,
  reasonOf,
  type ServerResponse,
  type Surroundings,
} from './interpret.ts';

const page = 'https://shop.example/a/b?c';
const origin = 'https://shop.example';
const address = 'https://chat.example/chat/demo/webchat';
const body = (code: number) => ({ id: 'err_1', code, type: 'Forbidden', message: 'No.' });
const responseWith = (fields: Partial<ServerResponse>): ServerResponse => ({
  address,
  status: 200,
  type: 'application/json',
  json: {},
  retryAfter: null,
  date: Number.NaN,
  ...fields,
});

test.each<[name: string, fields: Partial<ServerResponse>, code: FindingCode | undefined, message: RegExp]>([
  ['JSON', {}, undefined, /^$/],
  ['nothing that is JSON', { json: undefined }, 'address_wrong', /application\/json in place of JSON/],
  ['a page', { json: undefined, type: 'text/html' }, 'address_wrong', /text\/html in place of JSON/],
  ['no type at all', { json: undefined, type: '' }, 'address_wrong', /answers nothing in place/],
  ['null', { json: null }, 'address_wrong', /in place of JSON/],
  ['a text', { json: 'ok' }, 'address_wrong', /in place of JSON/],
  ['404 of ours', { status: 404, json: body(404) }, 'address_wrong', /answers 404/],
  ['404 of a web server', { status: 404, json: undefined }, 'address_wrong', /answers 404/],
  ['401 of a proxy', { status: 401, json: undefined }, 'address_wrong', /answers 401/],
  ['403', { status: 403, json: body(403) }, 'origin_refused', /answers 403 to https:\/\/shop\.example\./],
  ['429', { status: 429 }, 'rate_limited', /answers 429\.$/],
  ['429 with a time', { status: 429, retryAfter: '7' }, 'rate_limited', /Retry-After 7/],
  ['500', { status: 500 }, 'server_failed', /answers 500/],
  ['504 of a proxy', { status: 504, json: undefined, type: 'text/html' }, 'server_failed', /answers 504/],
])('%s', (_, fields, code, message) => {
  const result = interpretResponse(responseWith(fields), origin);
  expect(result?.code).toBe(code);
  expect(result?.message ?? '').toMatch(message);
  if (result) expect(result.message).toContain(address);
});

test('the message of the server is the detail, otherwise status and type', () => {
  expect(interpretResponse(responseWith({ status: 403, json: body(403) }), origin)?.detail).toBe(
    'Forbidden: No.',
  );
  expect(
    interpretResponse(responseWith({ status: 502, json: undefined, type: 'text/html' }), origin)?.detail,
  ).toBe('502 text/html');
});

test('any status from 400 is a finding with cure and cause; a lower status with a JSON body is not a finding', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), fc.anything(), (status, json) => {
      const result = interpretResponse(responseWith({ status, json }), origin);
      const isObject = typeof json === 'object' && json !== null;
      expect(result === undefined).toBe(status < 400 && isObject);
      if (result)
        expect(result).toMatchObject({ severity: 'error', cure: findings[result.code as FindingCode][2] });
    }),
  );
});

const well: Surroundings = { page, isOnline: true, directive: undefined, isThere: true, isChat: true };

test.each<[name: string, around: Partial<Surroundings>, code: FindingCode, message: RegExp]>([
  [
    'refused by the policy',
    { directive: 'connect-src' },
    'csp_connect',
    /^connect-src does not allow https:\/\/chat/,
  ],
  [
    'the policy comes before all',
    { directive: 'connect-src', isOnline: false, isThere: false },
    'csp_connect',
    /./,
  ],
  ['offline', { isOnline: false, isThere: false, isChat: false }, 'offline', /https:\/\/chat\.example/],
  ['no server', { isThere: false, isChat: false }, 'server_unreachable', /^https:\/\/chat\.example does not/],
  ['the chat, which refuses this origin', {}, 'origin_refused', /does not let https:\/\/shop\.example in/],
  ['another server', { isChat: false }, 'answer_unreadable', /https:\/\/shop\.example may not read/],
])('silence: %s', (_, around, code, message) => {
  const result = interpretSilence({ address, reason: 'TypeError: Failed to fetch' }, { ...well, ...around });
  expect(result).toMatchObject({ code, detail: 'TypeError: Failed to fetch' });
  expect(result.message).toMatch(message);
});

test('no response: http in a page of https has precedence', () => {
  const silence = { address: 'http://chat.example/x', reason: 'r' };
  expect(interpretSilence(silence, { ...well, isOnline: false }).code).toBe('mixed_content');
});

test('no response: the query and the fragment of the page, which may hold secrets, are not in the finding', () => {
  const silence = { address: 'http://chat.example/x', reason: 'r' };
  const { message } = interpretSilence(silence, { ...well, page: `${page}#token` });
  expect(message).toBe('https://shop.example/a/b may not ask http://chat.example/x.');
});

test.each([
  ['https://a.example/', 'http://b.example/', true],
  ['https://a.example/', 'http://localhost.example/', true],
  ['https://a.example/', 'http://127.evil.example/', true],
  ['https://a.example/', 'https://b.example/', false],
  ['https://a.example/', 'http://127.0.0.1:3000/', false],
  ['https://a.example/', 'http://localhost:3000/', false],
  ['https://a.example/', 'http://chat.localhost/', false],
  ['https://a.example/', 'http://[::1]/', false],
  ['http://a.example/', 'http://b.example/', false],
])('%s asks %s: mixed %s', (from, to, mixed) => {
  expect(isMixed(from, to)).toBe(mixed);
});

test('a clock: a difference of five minutes is accepted, more is a finding, in both directions; an unknown time is not a finding', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const minutes = (count: number) => interpretClock(now + count * 60_000, now);
  expect([minutes(5), minutes(-5), minutes(Number.NaN)]).toEqual([undefined, undefined, undefined]);
  expect(minutes(6)?.message).toBe('This device is 6 minutes behind the server.');
  expect(minutes(-90)?.message).toBe('This device is 90 minutes ahead of the server.');
});

test('a refused key: the reason of the server is taken, and not its sentence about keys that it has not verified', () => {
  const reasonIn = (message: string) =>
    reasonOf(responseWith({ status: 401, json: { code: 401, type: 'Unauthorized', message, id: 'err_1' } }));
  expect(reasonIn('The header x-user-key contains no valid user key.')).toBeUndefined();
  expect(reasonIn('`exp` must be in seconds.')).toBe('`exp` must be in seconds.');
  expect(reasonOf(responseWith({ status: 401, json: undefined }))).toBeUndefined();
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = 1_767_225_600;
const token = (payload: unknown, header: unknown = { alg: 'HS256' }) =>
  `${part(header)}.${part(payload)}.abc`;

test.each([
  ['', /not a JSON Web Token/],
  ['letmein', /not a JSON Web Token/],
  ['a.b', /not a JSON Web Token/],
  [`${token({ id: 'a' })}.x`, /not a JSON Web Token/],
  ['clé.b.c', /characters that no header takes/],
  ['a b.c.d', /characters that no header takes/],
  [token({ id: 'a' }, { alg: 'none' }), /algorithm is none/],
  [token({ id: 'a' }, null), /algorithm is undefined/],
  ['!.!.!', /algorithm is undefined/],
  [token({ sub: 'a' }), /no id/],
  [token({ id: 7 }), /no id/],
  [token({ id: 'a', exp: seconds }), /expired/],
  [token({ id: 'a', exp: 'never' }), /expired/],
  [token({ id: 'a', nbf: seconds + 1 }), /not valid yet/],
  [token({ id: 'a', exp: seconds + 1, nbf: seconds }), /another secret/],
])('the key %j', (key, claims) => {
  expect(readKey(key, seconds * 1_000)).toMatch(claims);
});

test('a correctly signed key has no errors', async () => {
  const key = await signUserKey({ id: 'shop/7', secret: 'sixteen characters', expiresInSeconds: 60 });
  expect(readKey(key, Date.now())).toMatch(/looks right/);
});

test('a violation matches only its directive and its origin', () => {
  const seen = [
    { directive: 'img-src', blocked: 'https://cdn.example/a.png' },
    { directive: 'script-src-elem', blocked: 'https://chat.example/webchat/chat-a.js' },
    { directive: 'connect-src', blocked: 'https://chat.example' },
    { directive: 'trusted-types', blocked: 'trusted-types-policy' },
    { directive: 'style-src-elem', blocked: 'inline' },
  ];
  expect(findRefusal(seen, 'connect-src', 'https://chat.example/chat/demo')).toBe(seen[2]);
  expect(findRefusal(seen, 'script-src', 'https://chat.example/x.js')).toBe(seen[1]);
  expect(findRefusal(seen, 'img-src', 'https://chat.example/x.png')).toBeUndefined();
  expect(findRefusal(seen, 'style-src', 'https://chat.example/x.css')).toBeUndefined();
  expect(findRefusal(seen, 'trusted-types')).toBe(seen[3]);
  expect(findRefusal([], 'connect-src')).toBeUndefined();
});

test('a finding has the severity and the cure of the table, and an optional detail', () => {
  for (const code of Object.keys(findings) as FindingCode[]) {
    expect(finding(code, 'm')).toEqual({
      code,
      severity: findings[code][0],
      message: 'm',
      cure: findings[code][2],
    });
  }
  expect(finding('offline', 'm', 'd')).toMatchObject({ detail: 'd' });
});
