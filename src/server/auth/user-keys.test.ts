// Tests of user keys and ids: forged, foreign and expired keys are rejected, also cached ones; ids sort by creation time.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createBot } from '../admin/first-start.ts';
import { createLogger } from '../startup/log.ts';
import { createId } from '../storage/ids.ts';
import { startTestServer } from '../testing.ts';
import { createKeyRing, createUserKeys, warnOfAnonymousUserIds } from './user-keys.ts';

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
])('user key: %j is accepted', (payload) => {
  expect(keys.verify(forge(HS256, payload))).toBe('a');
});

test('user key: a signed key is accepted', () => {
  expect(keys.verify(keys.sign('shop/7'))).toBe('shop/7');
});

test.each([
  ['another secret', forge(HS256, { id: 'a' }, 'another secret altogether')],
  ['alg none', `${encode({ alg: 'none' })}.${encode({ id: 'a' })}.`],
  ['alg none, signed', forge({ alg: 'none' }, { id: 'a' })],
  ['alg HS512', forge({ alg: 'HS512' }, { id: 'a' })],
  ['alg in lower case', forge({ alg: 'hs256' }, { id: 'a' })],
  ['a critical extension', forge({ ...HS256, crit: ['x'] }, { id: 'a' })],
  ['a critical extension that is null', forge({ ...HS256, crit: null }, { id: 'a' })],
  ['a padded signature', `${forge(HS256, { id: 'a' })}=`],
  ['a header that is an array', forge(['HS256'], { id: 'a' })],
  ['expired', forge(HS256, { id: 'a', exp: seconds })],
  ['not valid yet', forge(HS256, { id: 'a', nbf: seconds + 1 })],
  ['exp of a wrong type', forge(HS256, { id: 'a', exp: 'never' })],
  ['no id', forge(HS256, {})],
  ['an id that is not a string', forge(HS256, { id: 7 })],
  ['an empty id', forge(HS256, { id: '' })],
  ['a payload that is not an object', forge(HS256, null)],
  ['four parts', `${forge(HS256, { id: 'a' })}.x`],
  [
    'another payload under a good signature',
    forge(HS256, { id: 'a' }).replace(encode({ id: 'a' }), encode({ id: 'b' })),
  ],
  ['nothing', ''],
  ['dots', '..'],
])('user key: %s is rejected', (_, key) => {
  expect(keys.verify(key)).toBeUndefined();
});

describe('user key that was verified before', () => {
  let clock = now;
  const timed = createUserKeys(secret, () => clock);

  test('is rejected from the moment it expires', () => {
    clock = now;
    const key = forge(HS256, { id: 'a', exp: seconds + 10 });
    expect([timed.verify(key), timed.verify(key)]).toEqual(['a', 'a']);
    clock = now + 9_999;
    expect(timed.verify(key)).toBe('a');
    clock = now + 10_000;
    expect(timed.verify(key)).toBeUndefined();
    expect(timed.inspect(key)).toMatchObject({ id: 'a', isCurrent: false });
  });

  test('is accepted from the moment it becomes valid, and not before', () => {
    clock = now;
    const key = forge(HS256, { id: 'a', nbf: seconds + 10 });
    expect([timed.verify(key), timed.verify(key)]).toEqual([undefined, undefined]);
    clock = now + 10_000;
    expect(timed.verify(key)).toBe('a');
  });

  test('has the claims of its own call: changing them changes no other call', () => {
    const key = forge(HS256, { id: 'a' });
    Object.assign(keys.inspect(key) ?? {}, { id: 'b', isCurrent: false });
    expect(keys.verify(key)).toBe('a');
  });

  test('is rejected with another signature', () => {
    const key = forge(HS256, { id: 'a' });
    expect(keys.verify(key)).toBe('a');
    expect(
      keys.verify(key.replace(/[^.]*$/, (signature) => signature.split('').reverse().join(''))),
    ).toBeUndefined();
  });

  test('is rejected by another secret, and after its bot revoked all keys', () => {
    const ring = createKeyRing(secret, () => now);
    const key = ring.keysOf({ id: 'bot_1', ownKeys: 1 }).sign('a');
    const accepted = (id: string, ownKeys: number) => ring.keysOf({ id, ownKeys }).verify(key) !== undefined;
    expect([accepted('bot_1', 1), accepted('bot_1', 1)]).toEqual([true, true]);
    expect([accepted('bot_1', 2), accepted('bot_2', 1), accepted('bot_1', 0)]).toEqual([false, false, false]);
    // More bots than verifiers are cached.
    for (let n = 0; n < 200; n++) ring.keysOf({ id: `bot_${n + 10}`, ownKeys: 1 });
    expect(accepted('bot_1', 1)).toBe(true);
  });
});

test('ids: are a prefix and a ULID that increases, also within a millisecond and when the clock is set back', () => {
  const ids = Array.from({ length: 2_000 }, (_, n) => createId('msg', now - (n % 7)));
  expect(ids[0]).toMatch(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('a key with a right signature that is refused', () => {
  const hour = 3_600;
  test.each<[string, object, RegExp]>([
    ['a number as id', { id: 7 }, /`id` must be a text, not a number/],
    ['an object as id', { id: {} }, /`id` must be a text, not an object/],
    ['sub in place of id', { sub: 'a' }, /`sub` in place of `id`/],
    ['no id', { userId: 'a' }, /no `id`/],
    ['an empty id', { id: '' }, /1 to 120 visible ASCII/],
    ['exp in milliseconds', { id: 'a', exp: now + hour }, /`exp` must be in seconds/],
    ['exp in microseconds', { id: 'a', exp: now * 1_000 }, /`exp` must be in seconds/],
    ['exp without an end', { id: 'a', exp: Number.MAX_VALUE }, /`exp` must be in seconds/],
    ['nbf in milliseconds', { id: 'a', nbf: now }, /`nbf` must be in seconds/],
    ['exp as a text', { id: 'a', exp: String(seconds + hour) }, /`exp` must be a number: seconds/],
    ['exp that is null', { id: 'a', exp: null }, /`exp` must be a number: seconds/],
    ['a past exp', { id: 'a', exp: seconds - 1 }, /It has expired \(`exp` \d+\)/],
    ['a later nbf', { id: 'a', nbf: seconds + 1 }, /It is not valid yet/],
    ...[null, [], '', 'conv_1', 7, {}, true, [7], [null], [''], ['conv_1', null]].map(
      (conversation): [string, object, RegExp] => [
        `the claim conversation ${JSON.stringify(conversation)}`,
        { id: 'a', conversation },
        /`conversation` must be a list/,
      ],
    ),
  ])('%s: the reason is told', (_, payload, reason) => {
    const key = forge(HS256, payload);
    expect(keys.verify(key)).toBeUndefined();
    expect(keys.explain(key)).toMatch(reason);
    // Nothing is revealed of a key that another secret has signed.
    expect(keys.explain(forge(HS256, payload, 'another secret altogether'))).toBeUndefined();
  });

  test.each(['Ada Lovelace', 'a\n', 'zoë', 'x'.repeat(121), 'a+b', '..'])(
    'the id %j, which no user can have: the rule is told',
    (id) => {
      expect(keys.explain(forge(HS256, { id }))).toMatch(
        /1 to 120 visible ASCII characters .* neither \. nor \.\./,
      );
    },
  );

  test('for a valid key, and for any other text, there is no reason', () => {
    expect([keys.explain(keys.sign('a')), keys.explain('a.b.c'), keys.explain('')]).toEqual(
      Array(3).fill(undefined),
    );
  });
});

test.each([
  'ada@example.com',
  'ada+chat@example.com',
  'auth0|5f7c8ec7c33c6c004bbafe82',
  'google-oauth2|103547991597142817347',
  'ada.lovelace',
  'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66',
  'EXAMPLE\\ada',
  'a=b&c?d#e%2F;~"<>',
  'x'.repeat(120),
])('user key: the usual id %s is accepted', (id) => {
  expect(keys.verify(forge(HS256, { id }))).toBe(id);
});

test('anonymous user ids: the warning is logged once if an application knows a secret of user keys, and not otherwise', async () => {
  const server = await startTestServer();
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  await warnOfAnonymousUserIds(server.db, logger, false);
  expect(lines).toEqual([]);
  await warnOfAnonymousUserIds(server.db, logger, true);
  expect(lines).toEqual([expect.stringContaining('ANONYMOUS_USER_IDS')]);

  const bot = await server.db.write((tx) =>
    createBot(tx, {
      workspaceId: server.composition.workspaceId,
      webhookId: 'shop',
      name: 'Shop',
      ownKeys: 1,
      now: 1,
    }),
  );
  await warnOfAnonymousUserIds(server.db, logger, false);
  expect(lines).toHaveLength(2);
  await server.db.write((tx) => tx.run('UPDATE bots SET deleted_at = 1 WHERE id = ?', bot.id));
  await warnOfAnonymousUserIds(server.db, logger, false);
  expect(lines).toHaveLength(2);
  await server.close();
});
