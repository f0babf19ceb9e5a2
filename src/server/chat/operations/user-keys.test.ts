// Tests of the lifecycle of user keys: choosing an id, revocation and renewal.
import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { secret, startTestServer, type TestServer } from '../../testing.ts';

let server: TestServer;
let time = Date.parse('2026-01-01T00:00:00.250Z');
const now = () => time;
const seconds = () => Math.floor(time / 1000);

beforeEach(async () => {
  server = await startTestServer({ now });
});
afterEach(() => server.close());

const me = async (key: string) => (await server.call('GET', '/users/me', { key })).status;
const create = (body: object, headers = {}) => server.call('POST', '/users', { body, headers });
const getOrCreate = (key: string, body: object = {}) =>
  server.call('POST', '/users/get-or-create', { key, body });
const remove = async (key: string) => (await server.call('DELETE', '/users/me', { key })).status;
const payloadOf = (key: string) => JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString());
const rows = (table: string) => server.db.read((tx) => tx.all(`SELECT * FROM ${table}`));
const keyOf = ({ body }: { body: object }) => (body as { key: string }).key;

describe('ids chosen by visitors', () => {
  test('are refused with an alternative, so that only the application assigns foreign ids', async () => {
    const taken = await create({ id: 'customer-7', name: 'Thief' });
    expect(taken).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
    expect(taken.body.message).toMatch(/Leave `id` out.*user key.*get-or-create/);
    const owner = server.sign('customer-7', { iat: seconds() });
    expect((await getOrCreate(owner)).body.user).toMatchObject({ id: 'customer-7' });
    expect((await getOrCreate(owner)).body.user).not.toHaveProperty('name');
    expect((await create({})).status).toBe(201);
    expect((await create({ id: 'a b' })).status).toBe(400);
    expect((await create({ id: 'customer-7' })).status).toBe(403);
  });

  test('are accepted once with ANONYMOUS_USER_IDS, and the application can sign keys for them', async () => {
    server = await server.restart({ ANONYMOUS_USER_IDS: 'allow' });
    const made = await create({ id: 'customer-7', name: 'Ann' });
    expect(made).toMatchObject({ status: 201, body: { user: { id: 'customer-7' } } });
    const signed = await server.call('GET', '/users/me', { key: server.sign('customer-7') });
    expect(signed).toMatchObject({ status: 200, body: { user: { id: 'customer-7', name: 'Ann' } } });
    const own = await server.call('GET', '/users/me', { key: keyOf(made) });
    expect(own.body).toEqual(signed.body);
    expect((await create({ id: 'customer-7' })).status).toBe(409);
    expect((await create({ id: 'a b' })).status).toBe(400);
  });

  test('never have the form of a server id, which a key of a deleted user can contain', async () => {
    server = await server.restart({ ANONYMOUS_USER_IDS: 'allow' });
    const { id, key } = await server.user();
    expect((await create({ id })).status).toBe(409);
    expect(await remove(key)).toBe(200);
    expect((await create({ id })).status).toBe(409);
    // Earlier versions issued such keys.
    const old = server.sign(id);
    expect([await me(old), (await getOrCreate(old)).status]).toEqual([401, 401]);
    expect((await getOrCreate(server.sign(id, { iat: seconds() + 1 }))).status).toBe(401);
  });
});

describe('an issued key', () => {
  test('contains the server id even for a user with a foreign id; responses contain the foreign id', async () => {
    server = await server.restart({ ANONYMOUS_USER_IDS: 'allow' });
    const { body } = await create({ id: 'shop/7' });
    expect(payloadOf(body.key as string)).toEqual({
      id: expect.stringMatching(/^user_/),
      iss: 'platform-webchat',
      jti: expect.any(String),
      iat: time / 1000,
    });
    const key = body.key as string;
    expect((await server.call('PUT', '/users/me', { key, body: {} })).body.user).toMatchObject({
      id: 'shop/7',
    });
    const conversationId = await server.conversation(key);
    const payload = { type: 'text', text: 'x' };
    const sent = await server.call('POST', '/messages', { key, body: { conversationId, payload } });
    expect(sent.body.message).toMatchObject({ userId: 'shop/7' });
  });

  test('is not valid for another user whose foreign id equals its server id', async () => {
    const { id, key } = await server.user();
    const other = await server.user({ id: 'other' });
    // Earlier versions allowed this.
    await server.db.write((tx) =>
      tx.run("UPDATE users SET foreign_id = ?, name = 'Other' WHERE foreign_id = 'other'", id),
    );
    expect((await server.call('GET', '/users/me', { key })).body.user).not.toHaveProperty('name');
    await remove(key);
    expect([await me(key), (await getOrCreate(key)).status]).toEqual([401, 401]);
    expect(other.id).toBe('other');
  });

  test('is the same for a repeated request, and stays revoked', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const key = keyOf(await create({}, headers));
    time += 5_000;
    expect(keyOf(await create({}, headers))).toBe(key);
    expect((await server.call('DELETE', '/users/me/key', { key })).status).toBe(200);
    const again = keyOf(await create({}, headers));
    expect([await me(key), await me(again)]).toEqual([401, 401]);
  });

  test('expires after the configured lifetime; keys issued before do not expire', async () => {
    const endless = keyOf(await create({}));
    expect(payloadOf(endless)).not.toHaveProperty('exp');
    server = await server.restart({ USER_KEY_LIFETIME: 3_600 });
    const key = keyOf(await create({}));
    expect(payloadOf(key).exp).toBe(Math.ceil(time / 1000 + 3_600));
    time += 3_599_000;
    expect(await me(key)).toBe(200);
    time += 2_000;
    expect([await me(key), await me(endless)]).toEqual([401, 200]);
  });
});

describe('keys of a deleted user', () => {
  const old = (): Record<string, string> => ({
    'without iat': server.sign('customer-7'),
    'of an hour ago': server.sign('customer-7', { iat: seconds() - 3_600 }),
    'of this second': server.sign('customer-7', { iat: seconds() }),
    'of another form': server.sign('customer-7', { iat: 'now', exp: seconds() + 60 }),
    'dated with no number': server.sign('customer-7', { iat: Number.MAX_VALUE }),
  });

  test('are not valid for a new user with the same id, whoever creates it', async () => {
    const keys = old();
    for (const key of Object.values(keys)) expect((await getOrCreate(key)).status).toBe(201);
    expect(await remove(keys['of this second'] ?? '')).toBe(200);
    const refusedAll = async () => {
      for (const [name, key] of Object.entries(keys)) {
        expect([name, await me(key), (await getOrCreate(key)).status]).toEqual([name, 401, 401]);
      }
    };
    await refusedAll();
    expect(await rows('deleted_users')).toHaveLength(1);
    server = await server.restart();
    await refusedAll();

    // A key of an application must be dated a minute later, because its clock can be ahead of the server's.
    time += 61_000;
    const fresh = server.sign('customer-7', { iat: seconds() });
    expect((await getOrCreate(fresh, { name: 'canary' })).status).toBe(201);
    expect(await rows('deleted_users')).toEqual([]);
    await refusedAll();
    expect(await me(fresh)).toBe(200);
    // Again, with a visitor that chooses the id.
    await remove(fresh);
    server = await server.restart({ ANONYMOUS_USER_IDS: 'allow' });
    const key = keyOf(await create({ id: 'customer-7' }));
    await refusedAll();
    expect([await me(key), await me(fresh)]).toEqual([200, 401]);
  });

  test('are answered with the reason, and invalid keys without one', async () => {
    const key = server.sign('customer-7');
    await getOrCreate(key);
    await remove(key);
    const { body } = await server.call('GET', '/users/me', { key });
    expect(body).toMatchObject({ type: 'Unauthorized', message: expect.stringContaining('iat') });
    const wrong = await server.call('GET', '/users/me', { key: `${key.slice(0, -4)}AAAA` });
    expect(wrong.body.message).toBe('The header x-user-key contains no valid user key.');
    const nobody = await server.call('GET', '/users/me', { key: server.sign('nobody') });
    // The signature is valid, so only the application's backend can learn this.
    expect(nobody.body).toMatchObject({ code: 401, metadata: { userExists: false } });
    expect(wrong.body.metadata).toBeUndefined();
  });

  test('say that the user is deleted only to the one who repeats the deletion', async () => {
    const issued = await server.user();
    const signed = server.sign('customer-8');
    await getOrCreate(signed);
    const unused = server.sign('customer-9');
    for (const key of [issued.key, signed]) {
      await remove(key);
      const again = await server.call('DELETE', '/users/me', { key });
      expect(again.body).toMatchObject({ code: 401, metadata: { userDeleted: true } });
      expect((await server.call('GET', '/users/me', { key })).body.metadata).toBeUndefined();
    }
    const { body } = await server.call('DELETE', '/users/me', { key: unused });
    expect(body.metadata).toEqual({ userExists: false });
    const forged = await server.call('DELETE', '/users/me', { key: `${signed.slice(0, -4)}AAAA` });
    expect(forged.body.metadata).toBeUndefined();
  });

  test('are not valid even when they are dated ahead', async () => {
    const ahead = server.sign('customer-7', { iat: seconds() + 59 });
    const far = server.sign('customer-7', { iat: seconds() + 3_600 });
    const other = server.sign('customer-7', { iat: seconds() + 3_601 });
    await getOrCreate(far);
    expect(await remove(far)).toBe(200);
    expect((await getOrCreate(other)).status).toBe(401);
    time += 3_400_000;
    expect([await me(ahead), (await getOrCreate(ahead)).status]).toEqual([401, 401]);
    expect((await getOrCreate(far)).status).toBe(401);
    expect((await getOrCreate(server.sign('customer-7', { iat: seconds() }))).status).toBe(201);
  });

  test('are unknown to other bots, and their records are deleted with the bot', async () => {
    const key = server.sign('customer-7');
    await getOrCreate(key);
    await remove(key);
    await server.db.write((tx) => tx.run("UPDATE deleted_users SET bot_id = 'bot_other'"));
    expect((await getOrCreate(key)).status).toBe(201);
  });

  test('keys of a user without a foreign id leave no row', async () => {
    const { key } = await server.user();
    await server.call('DELETE', '/users/me/key', { key });
    const other = await server.user();
    await remove(other.key);
    expect([await rows('deleted_users'), await me(other.key)]).toEqual([[], 401]);
  });
});

describe('revokeKey', () => {
  const revoke = async (key: string) => (await server.call('DELETE', '/users/me/key', { key })).status;

  test('revokes one key in every encoding and no other, also after a restart', async () => {
    for (const claims of [{}, { iat: seconds() }, { jti: 'one', iat: seconds() }]) {
      const key = server.sign('customer-7', claims);
      const other = server.sign('customer-7', { iat: seconds(), jti: 'two' });
      await getOrCreate(key);
      expect(await revoke(key)).toBe(200);
      expect(await revoke(key)).toBe(401);
      // Two bits of the last character and the padding do not belong to the signature.
      const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const at = last.indexOf(key.slice(-1));
      const spellings = [key, `${key}=`, `${key} `, key.slice(0, -1) + last[at ^ 1]];
      for (const spelling of spellings) {
        expect((await getOrCreate(spelling)).status).toBe(401);
      }
      expect(await me(other)).toBe(200);
    }
    const key = server.sign('customer-7', { jti: 'one' });
    server = await server.restart();
    expect(await me(key)).toBe(401);
    // The same `jti` with another id identifies another key.
    expect((await getOrCreate(server.sign('customer-8', { jti: 'one' }))).status).toBe(201);
  });

  test('closes the streams of the user, who can listen again with another key', async () => {
    const { key } = await server.user();
    const other = keyOf(await server.call('POST', '/users/me/key', { key }));
    const conversationId = await server.conversation(key);
    const stream = await server.listen(key, conversationId);
    await revoke(key);
    await stream.ended;
    expect((await server.listen(key, conversationId)).response.status).toBe(401);
    const again = await server.listen(other, conversationId);
    expect(again.response.status).toBe(200);
    await again.cancel();
  });

  test('is stored until the key expires', async () => {
    const key = server.sign('customer-7', { exp: seconds() + 60 });
    await getOrCreate(key);
    await revoke(key);
    await server.composition.cleanUp();
    expect(await rows('revoked_user_keys')).toHaveLength(1);
    time += 61_000;
    await server.composition.cleanUp();
    expect(await rows('revoked_user_keys')).toEqual([]);
    expect(await me(key)).toBe(401);
  });

  test('stores a bounded number of rows for one caller who renews and revokes keys', async () => {
    const { key } = await server.user();
    const keys: string[] = [];
    for (let n = 0; n < 101; n += 1) {
      time += 1;
      const renewed = keyOf(await server.call('POST', '/users/me/key', { key }));
      keys.push(renewed);
      expect(await revoke(renewed)).toBe(200);
    }
    expect(await rows('revoked_user_keys')).toEqual([]);
    for (const one of [key, ...keys]) expect(await me(one)).toBe(401);
  });

  test('stores rows that are deleted with the user', async () => {
    const [one, two] = [server.sign('customer-7', { jti: '1' }), server.sign('customer-7', { jti: '2' })];
    await getOrCreate(one);
    await revoke(one);
    await remove(two);
    expect(await rows('revoked_user_keys')).toEqual([]);
    expect((await getOrCreate(one)).status).toBe(401);
  });
});

describe('revokeKeys', () => {
  const revokeAll = async (key: string) => (await server.call('DELETE', '/users/me/keys', { key })).status;

  test('revokes all keys up to now and no later ones, issued or signed by the application', async () => {
    const { key } = await server.user();
    const others = [keyOf(await server.call('POST', '/users/me/key', { key }))];
    time += 10;
    others.push(keyOf(await server.call('POST', '/users/me/key', { key })));
    expect(await revokeAll(key)).toBe(200);
    for (const one of [key, ...others]) expect(await me(one)).toBe(401);

    const signed = [server.sign('customer-7'), server.sign('customer-7', { iat: seconds() })];
    for (const one of signed) await getOrCreate(one);
    expect(await revokeAll(signed[0] ?? '')).toBe(200);
    for (const one of signed) expect([await me(one), (await getOrCreate(one)).status]).toEqual([401, 401]);
    time += 61_000;
    expect(await me(server.sign('customer-7', { iat: seconds() }))).toBe(200);
    server = await server.restart();
    for (const one of signed) expect(await me(one)).toBe(401);
  });

  test('revokes a key of the same millisecond and closes its stream', async () => {
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    const stream = await server.listen(key, conversationId);
    const renewed = keyOf(await server.call('POST', '/users/me/key', { key }));
    await revokeAll(key);
    await stream.ended;
    expect(await me(renewed)).toBe(401);
  });

  test('revokes keys that were signed before by a clock that is up to a minute ahead', async () => {
    const [own, other] = [
      server.sign('customer-7', { iat: seconds() - 3 }),
      server.sign('customer-7', { iat: seconds() + 58 }),
    ];
    await getOrCreate(own);
    expect(await me(other)).toBe(200);
    expect(await revokeAll(own)).toBe(200);
    for (const later of [0, 59_000, 3_600_000]) {
      time += later;
      expect([await me(own), await me(other)]).toEqual([401, 401]);
    }
    expect(await me(server.sign('customer-7', { iat: seconds() }))).toBe(200);
  });

  test('also revokes the key of the request when it is dated ahead', async () => {
    for (const ahead of [120, 7_200]) {
      const id = `customer-${ahead}`;
      const key = server.sign(id, { iat: seconds() + ahead });
      await getOrCreate(key);
      expect(await revokeAll(key)).toBe(200);
      expect(await me(key)).toBe(401);
      time += ahead * 1_000;
      expect(await me(key)).toBe(401);
      time += 61_000;
      expect(await me(server.sign(id, { iat: seconds() }))).toBe(200);
    }
  });

  test('leaves no valid key when keys are renewed concurrently', async () => {
    const { key } = await server.user();
    const renew = () => server.call('POST', '/users/me/key', { key });
    const answers = await Promise.all([renew(), renew(), revokeAll(key), renew()]);
    for (const answer of answers) {
      if (typeof answer === 'object' && answer.status === 201) expect(await me(keyOf(answer))).toBe(401);
    }
    expect(await me(key)).toBe(401);
  });
});

describe('renewKey', () => {
  const renew = (key: string, headers = {}) => server.call('POST', '/users/me/key', { key, headers });

  test('issues another key to the holder of an issued key, of this version or an earlier one', async () => {
    server = await server.restart({ USER_KEY_LIFETIME: 60 });
    const { id, key } = await server.user();
    time += 30_000;
    for (const one of [key, server.sign(id)]) {
      const answer = await renew(one);
      expect(answer.status).toBe(201);
      expect(payloadOf(keyOf(answer))).toEqual({
        id,
        iss: 'platform-webchat',
        jti: expect.any(String),
        iat: time / 1000,
        exp: Math.ceil(time / 1000 + 60),
      });
    }
    const next = keyOf(await renew(key));
    time += 31_000;
    expect([await me(key), await me(next)]).toEqual([401, 200]);
    expect((await renew(key)).status).toBe(401);
  });

  test('does not extend a key that an application signed', async () => {
    const { id } = await server.user();
    await getOrCreate(server.sign('customer-7'));
    for (const key of [
      server.sign('customer-7'),
      server.sign('customer-7', { exp: seconds() + 60 }),
      server.sign(id, { exp: seconds() + 60 }),
      server.sign(id, { iat: seconds() }),
      server.sign(id, { iss: 'application' }),
    ]) {
      expect(await renew(key)).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
    }
  });

  test('is refused and not advertised when applications sign all keys', async () => {
    const { key } = await server.user();
    server = await server.restart({ USER_KEYS: 'personal' });
    expect((await renew(key)).status).toBe(401);
    expect((await server.call('GET', '/webchat')).body.features).not.toContain('renewal');
    server = await server.restart({ USER_KEYS: 'issued' });
    expect((await server.call('GET', '/webchat')).body.features).toContain('renewal');
  });

  test('returns a key once and never stores it', async () => {
    const { key } = await server.user();
    const headers = { 'idempotency-key': 'a' };
    const renewed = keyOf(await renew(key, headers));
    expect((await renew(key, headers)).status).toBe(409);
    const stored = JSON.stringify(await rows('requests'));
    for (const one of [key, renewed]) expect(stored).not.toContain(one.split('.')[2]);
  });
});

test('a key with a forged issuer is invalid without the secret', async () => {
  const { id } = await server.user();
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256' })}.${encode({ id, iss: 'platform-webchat', iat: seconds() })}`;
  const sign = (by: string) => `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`;
  expect([await me(sign('another secret of the attacker')), await me(sign(secret))]).toEqual([401, 200]);
});
