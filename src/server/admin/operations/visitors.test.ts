// Tests of the export and deletion of a visitor's data: complete, without data of others, and only with the permission.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AdminFixture, createAdminFixture } from '../testing.ts';

let fixture: AdminFixture;
let bot: string;
beforeEach(async () => {
  fixture = await createAdminFixture();
  bot = (await fixture.owner('GET', '/bots')).body.bots[0].id;
});
afterEach(() => fixture.server.close());

/** Creates a visitor whose every stored value contains a recognizable text. */
async function visitor(id: string) {
  const { server } = fixture;
  const key = server.sign(id);
  const post = (path: string, body: unknown) => server.call('POST', path, { key, body });
  await post('/users/get-or-create', { name: `${id}-name`, profile: `${id}-profile` });
  const conversationId = await server.conversation(key, `${id}-room`);
  await server.sendMessage(key, conversationId, `${id}-text`);
  await post('/events', { conversationId: conversationId, payload: { note: `${id}-event` } });
  await post('/files', { key: `${id}-file.txt`, size: 3 });
  return { key, conversationId, post };
}

async function exported(userId: string, pageSize = 2): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let token = '';
  do {
    const path = `/bots/${bot}/users/${userId}/export?pageSize=${pageSize}${token && `&nextToken=${token}`}`;
    const { status, body } = await fixture.by.manager('GET', path);
    expect(status).toBe(200);
    items.push(...body.items);
    token = body.meta.nextToken ?? '';
  } while (token);
  return items;
}

test('an export contains everything that a visitor sent and the bot answered, and no private data of others', async () => {
  const [ann, ben] = [await visitor('ann'), await visitor('ben')];
  await fixture.server.join(ben.key, ben.conversationId, { id: 'ann', key: ann.key });
  await fixture.server.sendMessage(ann.key, ben.conversationId, 'ann-said-at-ben');
  const other = await fixture.server.conversation(ben.key);
  await ben.post(`/conversations/${other}/participants`, { userId: 'ann' });
  const made = await fixture.owner('POST', '/tokens', { name: 'b', kind: 'bot', botId: bot });
  const conversations = await fixture.server.db.read((tx) =>
    tx.all<{ id: string }>("SELECT id FROM conversations WHERE foreign_id = 'ann-room'"),
  );
  const response = await fixture.server.fetch('/v1/chat/messages', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${made.body.value}`,
      'x-bot-id': bot,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      conversationId: conversations[0]?.id,
      payload: { type: 'text', text: 'bot-answer' },
    }),
  });
  const { message } = (await response.json()) as { message: { id: string } };
  const { id: room = '' } = conversations[0] ?? {};
  const user = await fixture.server.db.read((tx) =>
    tx.get<{ id: string }>("SELECT id FROM users WHERE foreign_id = 'ann'"),
  );
  for (const [method, path, body] of [
    ['PUT', `conversations/${room}`, { tags: { a: 'ann-tag-conversation' } }],
    ['PUT', `messages/${message.id}`, { tags: { a: 'ann-tag-message' } }],
    ['PUT', `users/${user?.id}`, { tags: { a: 'ann-tag-user' }, attributes: { a: 'ann-attribute' } }],
    ['POST', `states/user/${user?.id}/one`, { payload: { a: 'ann-state-one' } }],
    ['POST', `states/user/${user?.id}/two`, { payload: { a: 'ann-state-two' } }],
    ['POST', `states/conversation/${room}/a%20b`, { payload: { a: 'ann-state-room' } }],
    ['POST', `states/conversation/${room}/c`, { payload: { a: 'ann-state-last' } }],
  ] as const) {
    const stored = await fixture.server.fetch(`/v1/chat/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${made.body.value}`,
        'x-bot-id': bot,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    expect([path, stored.status]).toEqual([path, 200]);
  }
  await fixture.server.call('PUT', `/messages/${message.id}/feedback`, {
    key: ann.key,
    body: { value: 'negative', comment: 'ann-comment' },
  });

  const items = await exported('ann');
  const text = JSON.stringify(items);
  const stored = ['tag-conversation', 'tag-message', 'tag-user', 'attribute'];
  const states = ['state-one', 'state-two', 'state-room', 'state-last'];
  const sent = ['name', 'profile', 'room', 'text', 'event', 'file.txt', 'said-at-ben', 'comment'];
  for (const word of [...sent, ...stored, ...states]) {
    expect(text).toContain(`ann-${word}`);
  }
  expect(text).toContain('bot-answer');
  for (const word of ['name', 'profile', 'text', 'event', 'file']) expect(text).not.toContain(`ben-${word}`);
  const types = items.map(({ type }) => type);
  const kinds = [
    'user',
    'tags',
    'conversation',
    'message',
    'feedback',
    'event',
    'file',
    'invitation',
    'state',
  ];
  expect([...new Set(types)]).toEqual(kinds);
  expect(await exported('ann', 50)).toEqual(items);
  expect(await exported('ann', 1)).toEqual(items);
  const serverId = (items[0] as { serverId: string }).serverId;
  expect(await exported(serverId)).toEqual(items);
});

test('an export stays complete while messages are added and deleted between its pages', async () => {
  const ann = await visitor('ann');
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1)
    ids.push(await fixture.server.sendMessage(ann.key, ann.conversationId, `message ${n}`));
  const path = `/bots/${bot}/users/ann/export?pageSize=4`;
  const first = (await fixture.by.manager('GET', path)).body;
  await fixture.server.call('DELETE', `/messages/${ids[0]}`, { key: ann.key });
  await fixture.server.sendMessage(ann.key, ann.conversationId, 'late');
  const rest: unknown[] = [];
  let token = first.meta.nextToken;
  while (token) {
    const page = (await fixture.by.manager('GET', `${path}&nextToken=${token}`)).body;
    rest.push(...page.items);
    token = page.meta.nextToken;
  }
  const text = JSON.stringify([first.items, rest]);
  for (const word of ['message 1', 'message 5', 'late']) expect(text.split(`"${word}"`)).toHaveLength(2);
});

test('a visitor is found by either id, listed in pages, and deleted once', async () => {
  const ann = await visitor('ann');
  await visitor('ben');
  const list = (await fixture.by.manager('GET', `/bots/${bot}/users?pageSize=1`)).body;
  expect(list.users).toMatchObject([{ id: 'ben', name: 'ben-name' }]);
  const next = await fixture.by.manager(
    'GET',
    `/bots/${bot}/users?pageSize=1&nextToken=${list.meta.nextToken}`,
  );
  expect(next.body).toMatchObject({ users: [{ id: 'ann' }], meta: {} });
  const serverId = next.body.users[0].serverId as string;
  for (const id of ['ann', serverId]) {
    const found = await fixture.by.manager('GET', `/bots/${bot}/users?userId=${id}`);
    expect(found.body.users).toMatchObject([{ id: 'ann', serverId }]);
  }
  expect((await fixture.by.manager('GET', `/bots/${bot}/users?nextToken=x`)).status).toBe(400);
  const path = `/bots/${bot}/users/${serverId}`;
  expect(await fixture.by.manager('DELETE', path)).toEqual({ status: 200, body: {} });
  expect((await fixture.by.manager('DELETE', path)).status).toBe(404);
  expect((await fixture.by.manager('GET', `${path}/export`)).status).toBe(404);
  expect((await fixture.server.call('GET', '/users/me', { key: ann.key })).status).toBe(401);
  const rows = () => fixture.server.db.read((tx) => tx.all('SELECT id FROM conversations'));
  await fixture.server.composition.cleanUp();
  expect(await rows()).toHaveLength(1);
});

test('listing, exporting and deleting visitors requires a manager of the same workspace', async () => {
  await visitor('ann');
  const other = await fixture.owner('POST', '/workspaces', { name: 'Other', email: 'o@example.com' });
  const otherWorkspace = fixture.as(other.body.value, other.body.workspace.id);
  for (const [method, path] of [
    ['GET', `/bots/${bot}/users`],
    ['GET', `/bots/${bot}/users/ann/export`],
    ['DELETE', `/bots/${bot}/users/ann`],
  ] as const) {
    for (const role of ['viewer', 'billing', 'developer'] as const) {
      expect((await fixture.by[role](method, path)).status).toBe(403);
    }
    expect((await otherWorkspace(method, path)).status).toBe(404);
  }
  expect((await fixture.by.manager('GET', `/bots/${bot}/users/ann/export`)).status).toBe(200);
});
