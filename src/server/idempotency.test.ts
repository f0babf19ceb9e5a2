// Idempotency-Key: once means once, also at the same time, after a restart, and after what was made is gone.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from './testing.ts';

vi.setConfig({ testTimeout: 30_000 });

let server: TestServer;
let key: string;
let room: string;
let now = Date.parse('2026-01-01T00:00:00Z');
beforeEach(async () => {
  server = await startTestServer({ now: () => now });
  key = (await server.user()).key;
  room = await server.conversation(key);
});
afterEach(() => server.close());

const send = (text: string, idempotencyKey: string, as = key) =>
  server.call('POST', '/messages', {
    key: as,
    body: { conversationId: room, payload: { type: 'text', text } },
    headers: { 'idempotency-key': idempotencyKey },
  });
const count = async () =>
  ((await server.call('GET', `/conversations/${room}/messages`, { key })).body.messages as unknown[]).length;

test('the same request twice, and ten times at once, happens once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('x', 'k')));
  answers.push(await send('x', 'k'));
  expect(new Set(answers.map(({ status, body }) => `${status}${JSON.stringify(body)}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(await count()).toBe(1);
});

test('after a restart too; after 24 hours it is a new request', async () => {
  const first = await send('x', 'k');
  server = await server.restart();
  expect((await send('x', 'k')).body).toEqual(first.body);
  now += 24 * 60 * 60 * 1000 + 1;
  expect((await send('x', 'k')).body).not.toEqual(first.body);
  expect(await count()).toBe(2);
});

test('another body with the same key is refused; another caller or operation has keys of its own', async () => {
  await send('x', 'k');
  expect((await send('y', 'k')).body.type).toBe('InvalidPayload');
  const other = await server.user();
  await server.join(key, room, other);
  await server.call('POST', `/conversations/${room}/participants`, {
    key,
    body: { userId: other.id },
    headers: { 'idempotency-key': 'k' },
  });
  expect((await send('z', 'k', other.key)).status).toBe(201);
  expect(await count()).toBe(2);
});

test('a refusal is not remembered', async () => {
  const other = await server.user();
  expect((await send('x', 'k', other.key)).status).toBe(403);
  await server.join(key, room, other);
  expect((await send('x', 'k', other.key)).status).toBe(201);
});

test('a retry after the message was deleted does not bring it back', async () => {
  const { body } = await send('x', 'k');
  await server.call('DELETE', `/messages/${(body.message as { id: string }).id}`, { key });
  expect(await send('x', 'k')).toMatchObject({ status: 410, body: { type: 'ResourceGone' } });
  expect(await count()).toBe(0);
});

describe('POST /users', () => {
  const create = (idempotencyKey: string) =>
    server.call('POST', '/users', { body: {}, headers: { 'idempotency-key': idempotencyKey } });

  test('gives the same user and a key that works; the key itself is not stored', async () => {
    const secret = 'a-long-random-key-1';
    const [first, second] = await Promise.all([create(secret), create(secret)]);
    expect(second.body).toEqual(first.body);
    expect((await server.call('GET', '/users/me', { key: second.body.key as string })).status).toBe(200);
    const stored = await server.db.read((tx) => tx.all('SELECT * FROM requests'));
    expect(JSON.stringify(stored)).not.toContain(first.body.key);
  });

  test.each(['', 'short', 'x'.repeat(256), 'not ascii: \u00e9\u00e9\u00e9\u00e9\u00e9'])(
    'the key %j is refused',
    async (bad) => {
      expect((await create(bad)).status).toBe(400);
    },
  );
});
