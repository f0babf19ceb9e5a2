// Tests of participants in the Runtime API: a bot adds and removes users of its own conversations only.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBot } from '../../admin/first-start.ts';
import { startVisitor } from '../../bots/webhooks/testing.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

let server: TestServer;
let botId: string;
let botUserId: string;
let owner: { id: string; key: string };
let guest: { id: string; key: string };
let conversationId: string;

beforeAll(async () => {
  server = await startTestServer();
  const bot = await server.db.read((tx) =>
    tx.get<{ id: string; userId: string }>('SELECT id, user_id FROM bots'),
  );
  [botId, botUserId] = [bot?.id ?? '', bot?.userId ?? ''];
});
afterAll(() => server.close());
beforeEach(async () => {
  [owner, guest] = [await server.user(), await server.user({ name: 'Guest' })];
  conversationId = await server.conversation(owner.key);
});

async function request(method: string, path: string, body?: unknown, bot = botId) {
  const response = await server.fetch(`/v1/chat/conversations/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.admin.token}`,
      'x-bot-id': bot,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
const people = () => `${conversationId}/participants`;
const add = (userId: string) => request('POST', people(), { userId });

test('a bot adds, reads and removes a user without an invitation, and the other participants are notified', async () => {
  const stream = await server.listen(owner.key, conversationId);
  const { status, body } = await add(guest.id);
  expect([status, body]).toMatchObject([200, { participant: { id: guest.id, name: 'Guest', tags: {} } }]);
  expect((await add(guest.id)).body).toEqual(body);
  expect((await request('GET', `${people()}/${guest.id}`)).body).toEqual(body);
  const ids = { conversationId, participantId: guest.id };
  expect((await stream.untilType('participant_added')).data).toEqual(ids);
  const [theirs, elsewhere] = [
    await server.listen(guest.key, conversationId),
    await server.listen(guest.key, await server.conversation(guest.key)),
  ];
  expect((await request('DELETE', `${people()}/${guest.id}`)).body).toEqual({});
  await theirs.ended;
  expect((await stream.untilType('participant_removed')).data).toEqual(ids);
  expect(server.composition.pubSub.size).toBe(2);
  expect((await request('DELETE', `${people()}/${guest.id}`)).status).toBe(404);
  expect((await request('GET', `${people()}/${guest.id}`)).status).toBe(404);
  await Promise.all([stream.cancel(), elsewhere.cancel()]);
});

test('the list is paginated, newest account first', async () => {
  await add(guest.id);
  const first = await request('GET', `${people()}?pageSize=1`);
  expect(first.body.participants).toMatchObject([{ id: guest.id }]);
  const second = await request('GET', `${people()}?pageSize=1&nextToken=${first.body.meta.nextToken}`);
  expect(second.body).toMatchObject({ participants: [{ id: owner.id }], meta: {} });
  expect((await request('GET', `${people()}?nextToken=x`)).body.type).toBe('InvalidQuery');
});

test('only users of the bot can be added, by their server id', async () => {
  const chosen = await server.user({ id: 'chosen' });
  const other = await server.db.write((tx) =>
    createBot(tx, { workspaceId: server.admin.workspaceId, webhookId: 'other', name: 'Other', now: 1 }),
  );
  const elsewhere = await startVisitor(() => server, 'other');
  for (const id of ['user_none', chosen.id, elsewhere.userId, botUserId, other.userId]) {
    expect([id, (await add(id)).body.message]).toEqual([id, 'The user does not exist.']);
    for (const method of ['GET', 'DELETE']) {
      const { message } = (await request(method, `${people()}/${id}`)).body;
      expect([method, id, message]).toEqual([
        method,
        id,
        'The user is not a participant of this conversation.',
      ]);
    }
  }
  // Another bot cannot access the conversation.
  for (const [method, path, body] of [
    ['GET', people()],
    ['POST', people(), { userId: elsewhere.userId }],
    ['GET', `${people()}/${owner.id}`],
    ['DELETE', `${people()}/${owner.id}`],
  ] as const) {
    const { message } = (await request(method, path, body, other.id)).body;
    expect(message).toBe('The conversation does not exist.');
  }
});

test('the owner cannot be removed', async () => {
  const { body } = await request('DELETE', `${people()}/${owner.id}`);
  expect(body).toMatchObject({ code: 400, type: 'InvalidPayload' });
});
