// Tests of Idempotency-Key: a request runs once, also concurrently, after a restart, and after its resource was deleted.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestResponse, type TestServer } from '../testing.ts';

let server: TestServer;
let key: string;
let conversationId: string;
let now = Date.parse('2026-01-01T00:00:00Z');
beforeEach(async () => {
  server = await startTestServer({ now: () => now });
  key = (await server.user()).key;
  conversationId = await server.conversation(key);
});
afterEach(() => server.close());

const send = (text: string, idempotencyKey: string, as = key) =>
  server.call('POST', '/messages', {
    key: as,
    body: { conversationId, payload: { type: 'text', text } },
    headers: { 'idempotency-key': idempotencyKey },
  });
const count = async () =>
  (
    (await server.call('GET', `/conversations/${conversationId}/messages`, { key })).body
      .messages as unknown[]
  ).length;

test('the same request, sent twice or ten times concurrently, runs once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('x', 'k')));
  answers.push(await send('x', 'k'));
  expect(new Set(answers.map(({ status, body }) => `${status}${JSON.stringify(body)}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(await count()).toBe(1);
});

test('a key is valid across a restart and expires after 24 hours', async () => {
  const first = await send('x', 'k');
  server = await server.restart();
  expect((await send('x', 'k')).body).toEqual(first.body);
  now += 24 * 60 * 60 * 1000 + 1;
  expect((await send('x', 'k')).body).not.toEqual(first.body);
  expect(await count()).toBe(2);
});

test('another body with the same key is refused; keys are separate by caller and operation', async () => {
  await send('x', 'k');
  const refused = await send('y', 'k');
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ code: 422, type: 'InvalidPayload' });
  const other = await server.user();
  await server.join(key, conversationId, other);
  await server.call('POST', `/conversations/${conversationId}/participants`, {
    key,
    body: { userId: other.id },
    headers: { 'idempotency-key': 'k' },
  });
  expect((await send('z', 'k', other.key)).status).toBe(201);
  expect(await count()).toBe(2);
});

test('an error response is not stored', async () => {
  const other = await server.user();
  expect((await send('x', 'k', other.key)).status).toBe(403);
  await server.join(key, conversationId, other);
  expect((await send('x', 'k', other.key)).status).toBe(201);
});

test('a retry after the message was deleted does not bring it back', async () => {
  const { body } = await send('x', 'k');
  await server.call('DELETE', `/messages/${(body.message as { id: string }).id}`, { key });
  expect(await send('x', 'k')).toMatchObject({ status: 410, body: { type: 'ResourceGone' } });
  expect(await count()).toBe(0);
});

describe('POST /users', () => {
  const create = (idempotencyKey: string, address = '', body: unknown = {}) =>
    server.call('POST', '/users', {
      body,
      headers: { 'idempotency-key': idempotencyKey, ...(address && { 'x-forwarded-for': address }) },
    });
  const idOf = ({ body }: TestResponse) => (body.user as { id: string }).id;

  test('returns the same user and a valid key, which is not stored', async () => {
    const secret = randomUUID();
    const [first, second] = await Promise.all([create(secret), create(secret)]);
    expect(second.body).toEqual(first.body);
    expect((await server.call('GET', '/users/me', { key: second.body.key as string })).status).toBe(200);
    const stored = await server.db.read((tx) => tx.all('SELECT * FROM requests'));
    expect(JSON.stringify(stored)).not.toContain(first.body.key);
  });

  test('returns the user key again for one minute, also after a restart, and then refuses', async () => {
    const secret = randomUUID();
    const first = await create(secret);
    now += 60_000;
    server = await server.restart();
    const second = await create(secret);
    expect(idOf(second)).toBe(idOf(first));
    now += 1;
    const late = await create(secret);
    expect(late).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
    expect(late.body.message).toContain('new Idempotency-Key');
    expect(JSON.stringify(late.body)).not.toContain(idOf(first));
    // The minute begins with the first response; repeating the request does not extend it.
    now += 60_000;
    expect((await create(secret)).status).toBe(409);
    expect((await create(secret, '', { name: 'Other' })).body.type).toBe('InvalidPayload');
    // After 24 hours the response is deleted.
    now += 24 * 60 * 60 * 1000;
    expect(idOf(await create(secret))).not.toBe(idOf(first));
  });

  test('does not create a user again who was deleted within the minute', async () => {
    const secret = randomUUID();
    const { body } = await create(secret);
    await server.call('DELETE', '/users/me', { key: body.key as string });
    expect(await create(secret)).toMatchObject({ status: 410, body: { type: 'ResourceGone' } });
  });

  test('returns another user for the same Idempotency-Key and body from another network, and stores no address', async () => {
    server = await server.restart({ TRUST_PROXY: 1 });
    const secret = randomUUID();
    const first = await create(secret, '203.0.113.7');
    const attack = await create(secret, '198.51.100.9');
    expect(attack.status).toBe(201);
    expect(idOf(attack)).not.toBe(idOf(first));
    expect(idOf(await create(secret, '203.0.113.7'))).toBe(idOf(first));
    // A household has one IPv6 network.
    const home = await create(secret, '2001:db8:1:2::1');
    expect(idOf(await create(secret, '2001:db8:1:2:ffff::9'))).toBe(idOf(home));
    expect(idOf(await create(secret, '2001:db8:1:3::1'))).not.toBe(idOf(home));
    const stored = JSON.stringify(await server.db.read((tx) => tx.all('SELECT * FROM requests')));
    expect(stored).not.toContain('203.0.113.7');
    expect(stored).not.toContain('2001:db8');
  });

  test.each([
    '',
    'short',
    'x'.repeat(256),
    'not ascii: \u00e9\u00e9\u00e9\u00e9\u00e9',
    'a'.repeat(16),
    'a'.repeat(255),
    '1234567890'.repeat(4),
    'user-1-'.repeat(5),
    'create-the-first-user-now',
    '2026-01-01T00:00:00.000000Z',
    'Zk3v9QmR1xT7bN5cW2pLs',
  ])('the key %j is refused', async (bad) => {
    expect(await create(bad)).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
  });

  test('the error for a guessable key describes a valid one', async () => {
    expect((await create('a'.repeat(32))).body.message).toContain('crypto.randomUUID()');
  });

  test.each(['Zk3v9QmR1xT7bN5cW2pLsA', '9f86d081884c7d659a2feaa0c55ad015'])(
    'the key %j is accepted',
    async (key) => {
      expect((await create(key)).status).toBe(201);
    },
  );
});
