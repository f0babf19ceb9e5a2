// Tests of edge cases of operations: resources that do not exist or were deleted, and repeated requests.
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemas } from '../../protocol/schemas/chat.ts';
import type { User } from '../../protocol/user.ts';
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

const text = (conversationId: string) => ({ conversationId, payload: { type: 'text', text: 'x' } });

test.each([
  ['GET', '/conversations/conv_none', 404],
  ['DELETE', '/conversations/conv_none', 404],
  ['GET', '/conversations/conv_none/messages', 403],
  ['GET', '/conversations/conv_none/participants', 403],
  ['GET', '/conversations/conv_none/listen', 403],
  ['POST', '/conversations/conv_none/participants', 404],
  ['GET', '/conversations/conv_none/participants/x', 404],
  ['DELETE', '/conversations/conv_none/participants/x', 404],
  ['POST', '/invitations/conv_none', 404],
  ['DELETE', '/invitations/conv_none', 404],
  ['POST', '/messages', 403],
  ['POST', '/events', 403],
  ['GET', '/messages/msg_none', 404],
  ['DELETE', '/messages/msg_none', 404],
  ['GET', '/events/evt_none', 404],
  ['PUT', '/messages/msg_none/feedback', 404],
  ['DELETE', '/messages/msg_none/feedback', 404],
  ['POST', '/interrupts/int_none/claim', 404],
  ['POST', '/interrupts/int_none/response', 404],
  ['POST', '/conversations/conv_none/typing', 403],
  ['POST', '/conversations/conv_none/stop', 403],
])('%s %s for an unknown resource is answered with %i', async (method, path, status) => {
  const { key } = await server.user();
  const bodies: Record<string, unknown> = {
    '/messages': text('conv_none'),
    '/events': { conversationId: 'conv_none', payload: {} },
    '/messages/msg_none/feedback': { value: 'positive' },
    '/interrupts/int_none/claim': { claim: 'page-1' },
    '/interrupts/int_none/response': { status: 'cancelled' },
    '/conversations/conv_none/typing': { typing: true },
    '/conversations/conv_none/stop': { streamId: 'x' },
  };
  const body = method === 'POST' || method === 'PUT' ? (bodies[path] ?? { userId: 'x' }) : undefined;
  const answer = await server.call(method, path, { key, body });
  expect(answer.status).toBe(status);
  expect(v.safeParse(schemas.error, answer.body).issues).toBeUndefined();
});

test('the owner and unknown participants cannot be removed, and an existing participant can be added again', async () => {
  const fixture = await createFixture();
  const path = `/conversations/${fixture.conversationId}/participants`;
  const key = fixture.owner.key;
  expect((await server.call('DELETE', `${path}/${fixture.owner.id}`, { key })).body.type).toBe(
    'InvalidPayload',
  );
  expect((await server.call('DELETE', `${path}/${fixture.outsider.id}`, { key })).status).toBe(404);
  expect((await server.call('GET', `${path}/${fixture.outsider.id}`, { key })).status).toBe(404);
  expect((await server.call('POST', path, { key, body: { userId: fixture.participant.id } })).status).toBe(
    200,
  );
  const removed = await server.call('DELETE', `${path}/${fixture.participant.id}`, { key });
  expect([removed.status, removed.body]).toEqual([200, {}]);
});

test('the bot is not a participant and cannot be added as one', async () => {
  const fixture = await createFixture();
  const bot = await server.db.read((tx) =>
    tx.get<{ userId: string }>('SELECT user_id AS "userId" FROM bots'),
  );
  const path = `/conversations/${fixture.conversationId}/participants`;
  await server.call('POST', path, { key: fixture.owner.key, body: { userId: bot?.userId } });
  const { body } = await server.call('GET', path, { key: fixture.owner.key });
  expect((body.participants as { id: string }[]).map(({ id }) => id)).not.toContain(bot?.userId);
  expect((await server.call('GET', '/users/me', { key: server.sign(bot?.userId ?? '') })).status).toBe(401);
});

test('deleting a user invalidates the key, deletes owned conversations and keeps messages in others', async () => {
  const fixture = await createFixture();
  const own = await server.conversation(fixture.participant.key);
  await server.call('DELETE', '/users/me', { key: fixture.participant.key });
  expect((await server.call('GET', '/users/me', { key: fixture.participant.key })).status).toBe(401);
  const rows = () => server.db.read((tx) => tx.all('SELECT 1 FROM conversations WHERE id = ?', own));
  await expect.poll(rows, pollOptions).toEqual([]);
  const list = await server.call('GET', `/conversations/${fixture.conversationId}/messages`, {
    key: fixture.owner.key,
  });
  expect(list.body.messages).toMatchObject([{ id: fixture.messageId, userId: fixture.participant.id }]);
  const people = await server.call('GET', `/conversations/${fixture.conversationId}/participants`, {
    key: fixture.owner.key,
  });
  expect(people.body.participants).toMatchObject([{ id: fixture.owner.id }]);
  const again = await server.call('POST', '/users/get-or-create', { key: fixture.participant.key, body: {} });
  expect(again.status).toBe(401);
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
  const personal = await startTestServer({ personalKeys: true });
  expect((await personal.call('POST', '/users', { body: {} })).status).toBe(401);
  const key = personal.sign('customer-7');
  expect((await personal.call('GET', '/users/me', { key })).status).toBe(401);
  const { body } = await personal.call('POST', '/users/get-or-create', { key, body: { name: 'Seven' } });
  expect(body.user).toMatchObject({ id: 'customer-7', name: 'Seven' });
  const bad = await personal.call('POST', '/users/get-or-create', { key: personal.sign('a b'), body: {} });
  expect([bad.status, bad.body.type]).toEqual([400, 'InvalidPayload']);
  await personal.close();
});
