import { afterAll, beforeAll, expect, test } from 'vitest';
import type { User } from '../../protocol/user.ts';
import { startServer } from '../testing/servers.testing.ts';
import { pollOptions, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Creates a conversation with an owner, a participant, a removed participant and an outsider. */
async function createFixture() {
  const [owner, participant, removed, outsider] = await Promise.all([
    server.user(),
    server.user(),
    server.user(),
    server.user(),
  ]);
  const conversationId = await server.conversation(owner.key);
  for (const guest of [participant, removed]) await server.join(owner.key, conversationId, guest);
  const messageId = await server.sendMessage(participant.key, conversationId, 'hello');
  const event = await server.call('POST', '/events', {
    key: participant.key,
    body: { conversationId, payload: { a: 1 } },
  });
  await server.call('DELETE', `/conversations/${conversationId}/participants/${removed.id}`, {
    key: owner.key,
  });
  const eventId = (event.body.event as { id: string }).id;
  return { owner, participant, removed, outsider, conversationId, messageId, eventId };
}

test('the bot is not a participant and cannot be added as one', async () => {
  const fixture = await createFixture();
  const bot = await server.db.read((tx) => tx.get<{ userId: string }>('SELECT user_id FROM bots'));
  const path = `/conversations/${fixture.conversationId}/participants`;
  await server.call('POST', path, { key: fixture.owner.key, body: { userId: bot?.userId } });
  const { body } = await server.call('GET', path, { key: fixture.owner.key });
  expect((body.participants as { id: string }[]).map(({ id }) => id)).not.toContain(bot?.userId);
  expect((await server.call('GET', '/users/me', { key: server.sign(bot?.userId ?? '') })).status).toBe(401);
});

test('the messages of a deleted conversation are not found, and its rows are deleted', async () => {
  const fixture = await createFixture();
  await server.call('DELETE', `/conversations/${fixture.conversationId}`, { key: fixture.owner.key });
  expect(
    (await server.call('GET', `/messages/${fixture.messageId}`, { key: fixture.participant.key })).status,
  ).toBe(404);
  await expect
    .poll(
      () =>
        server.db.read((tx) =>
          tx.all('SELECT 1 FROM messages WHERE conversation_id = ?', fixture.conversationId),
        ),
      pollOptions,
    )
    .toEqual([]);
});

test('updateUser changes only the given fields', async () => {
  const { key } = await server.user({ name: 'A', profile: '{"x":1}' });
  const { body } = await server.call('PUT', '/users/me', { key, body: { name: 'B' } });
  expect(body.user).toMatchObject({ name: 'B', profile: '{"x":1}' });
  const again = await server.call('POST', '/users/get-or-create', { key, body: { pictureUrl: '/p.png' } });
  expect(again.body.user).toMatchObject({ name: 'B', profile: '{"x":1}', pictureUrl: '/p.png' });
});

test('updateUser neither changes nor removes id, createdAt and updatedAt, which the server assigns', async () => {
  const { key, id } = await server.user({ name: 'A' });
  const before = (await server.call('GET', '/users/me', { key })).body.user as User;
  expect(before).toEqual({ id, name: 'A', createdAt: expect.any(String), updatedAt: expect.any(String) });
  for (const value of ['2000-01-01T00:00:00.000Z', '', null, 7]) {
    const body = { id: value, createdAt: value, updatedAt: value };
    const { status, body: answer } = await server.call('PUT', '/users/me', { key, body });
    const after = answer.user as User;
    expect([status, after]).toEqual([200, { ...before, updatedAt: expect.any(String) }]);
    expect(after.updatedAt >= before.updatedAt).toBe(true);
    expect((await server.call('GET', '/users/me', { key })).body.user).toEqual(after);
  }
});

test('with personal keys, POST /users is refused and a key of the application creates its user', async () => {
  const personal = await startServer({ USER_KEYS: 'personal' });
  expect((await personal.call('POST', '/users', { body: {} })).status).toBe(401);
  const key = personal.sign('customer-7');
  expect((await personal.call('GET', '/users/me', { key })).status).toBe(401);
  const { body } = await personal.call('POST', '/users/get-or-create', { key, body: { name: 'Seven' } });
  expect(body.user).toMatchObject({ id: 'customer-7', name: 'Seven' });
  const bad = await personal.call('POST', '/users/get-or-create', { key: personal.sign('a b'), body: {} });
  expect([bad.status, bad.body.type]).toEqual([400, 'InvalidPayload']);
});
