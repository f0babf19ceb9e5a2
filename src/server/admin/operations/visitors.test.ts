// Administrators export and delete the data of a visitor: all of theirs, nothing of others, and only who may.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AdminScene, adminScene } from '../testing.ts';

let scene: AdminScene;
let bot: string;
beforeEach(async () => {
  scene = await adminScene();
  bot = (await scene.owner('GET', '/bots')).body.bots[0].id;
});
afterEach(() => scene.server.close());

/** A visitor with a word in everything that they send. */
async function visitor(id: string) {
  const { server } = scene;
  const key = server.sign(id);
  const post = (path: string, body: unknown) => server.call('POST', path, { key, body });
  await post('/users/get-or-create', { name: `${id}-name`, profile: `${id}-profile` });
  const room = await server.conversation(key, `${id}-room`);
  await server.sendMessage(key, room, `${id}-text`);
  await post('/events', { conversationId: room, payload: { note: `${id}-event` } });
  await post('/files', { key: `${id}-file.txt`, size: 3 });
  return { key, room, post };
}

async function exported(userId: string, pageSize = 2): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let token = '';
  do {
    const path = `/bots/${bot}/users/${userId}/export?pageSize=${pageSize}${token && `&nextToken=${token}`}`;
    const { status, body } = await scene.by.manager('GET', path);
    expect(status).toBe(200);
    items.push(...body.items);
    token = body.meta.nextToken ?? '';
  } while (token);
  return items;
}

test('an export has all that a visitor sent and what the bot answered, and nothing private of another', async () => {
  const [ann, ben] = [await visitor('ann'), await visitor('ben')];
  await scene.server.join(ben.key, ben.room, { id: 'ann', key: ann.key });
  await scene.server.sendMessage(ann.key, ben.room, 'ann-said-at-ben');
  const other = await scene.server.conversation(ben.key);
  await ben.post(`/conversations/${other}/participants`, { userId: 'ann' });
  const made = await scene.owner('POST', '/tokens', { name: 'b', kind: 'bot', botId: bot });
  const rooms = await scene.server.db.read((tx) =>
    tx.all<{ id: string }>("SELECT id FROM conversations WHERE foreign_id = 'ann-room'"),
  );
  const answer = await scene.server.fetch('/v1/chat/messages', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${made.body.value}`,
      'x-bot-id': bot,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ conversationId: rooms[0]?.id, payload: { type: 'text', text: 'bot-answer' } }),
  });
  const { message } = (await answer.json()) as { message: { id: string } };
  await scene.server.call('PUT', `/messages/${message.id}/feedback`, {
    key: ann.key,
    body: { value: 'negative', comment: 'ann-comment' },
  });

  const items = await exported('ann');
  const text = JSON.stringify(items);
  for (const word of ['name', 'profile', 'room', 'text', 'event', 'file.txt', 'said-at-ben', 'comment']) {
    expect(text).toContain(`ann-${word}`);
  }
  expect(text).toContain('bot-answer');
  for (const word of ['name', 'profile', 'text', 'event', 'file']) expect(text).not.toContain(`ben-${word}`);
  const types = items.map(({ type }) => type);
  const kinds = ['user', 'conversation', 'message', 'feedback', 'event', 'file', 'invitation'];
  expect([...new Set(types)]).toEqual(kinds);
  expect(await exported('ann', 50)).toEqual(items);
  expect(await exported('ann', 1)).toEqual(items);
  const serverId = (items[0] as { serverId: string }).serverId;
  expect(await exported(serverId)).toEqual(items);
});

test('an export stays complete while messages are added and deleted between its pages', async () => {
  const ann = await visitor('ann');
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await scene.server.sendMessage(ann.key, ann.room, `message ${n}`));
  const path = `/bots/${bot}/users/ann/export?pageSize=4`;
  const first = (await scene.by.manager('GET', path)).body;
  await scene.server.call('DELETE', `/messages/${ids[0]}`, { key: ann.key });
  await scene.server.sendMessage(ann.key, ann.room, 'late');
  const rest: unknown[] = [];
  let token = first.meta.nextToken;
  while (token) {
    const page = (await scene.by.manager('GET', `${path}&nextToken=${token}`)).body;
    rest.push(...page.items);
    token = page.meta.nextToken;
  }
  const text = JSON.stringify([first.items, rest]);
  for (const word of ['message 1', 'message 5', 'late']) expect(text.split(`"${word}"`)).toHaveLength(2);
});

test('a visitor is found by either id, listed in pages, and deleted once', async () => {
  const ann = await visitor('ann');
  await visitor('ben');
  const list = (await scene.by.manager('GET', `/bots/${bot}/users?pageSize=1`)).body;
  expect(list.users).toMatchObject([{ id: 'ben', name: 'ben-name' }]);
  const next = await scene.by.manager(
    'GET',
    `/bots/${bot}/users?pageSize=1&nextToken=${list.meta.nextToken}`,
  );
  expect(next.body).toMatchObject({ users: [{ id: 'ann' }], meta: {} });
  const serverId = next.body.users[0].serverId as string;
  for (const id of ['ann', serverId]) {
    const found = await scene.by.manager('GET', `/bots/${bot}/users?userId=${id}`);
    expect(found.body.users).toMatchObject([{ id: 'ann', serverId }]);
  }
  expect((await scene.by.manager('GET', `/bots/${bot}/users?nextToken=x`)).status).toBe(400);
  const path = `/bots/${bot}/users/${serverId}`;
  expect(await scene.by.manager('DELETE', path)).toEqual({ status: 200, body: {} });
  expect((await scene.by.manager('DELETE', path)).status).toBe(404);
  expect((await scene.by.manager('GET', `${path}/export`)).status).toBe(404);
  expect((await scene.server.call('GET', '/users/me', { key: ann.key })).status).toBe(401);
  const rows = () => scene.server.db.read((tx) => tx.all('SELECT id FROM conversations'));
  await scene.server.composition.cleanUp();
  expect(await rows()).toHaveLength(1);
});

test('nobody below a manager lists, exports or deletes visitors, and no other workspace does', async () => {
  await visitor('ann');
  const other = await scene.owner('POST', '/workspaces', { name: 'Other', email: 'o@example.com' });
  const outsider = scene.as(other.body.value, other.body.workspace.id);
  for (const [method, path] of [
    ['GET', `/bots/${bot}/users`],
    ['GET', `/bots/${bot}/users/ann/export`],
    ['DELETE', `/bots/${bot}/users/ann`],
  ] as const) {
    for (const role of ['viewer', 'billing', 'developer'] as const) {
      expect((await scene.by[role](method, path)).status).toBe(403);
    }
    expect((await outsider(method, path)).status).toBe(404);
  }
  expect((await scene.by.manager('GET', `/bots/${bot}/users/ann/export`)).status).toBe(200);
});
