// Tests of several bots in one server: each has its own address, users, conversations, keys and code.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBot, createWorkspace, ensureBot } from '../admin/first-start.ts';
import { createKeyRing, createUserKeys } from '../auth/user-keys.ts';
import { botOfWebhook } from '../storage/bots/bots.ts';
import { pollOptions, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let folder: string;

beforeEach(async () => {
  const first = await startTestServer({
    handler: async (_, bot) => void (await bot.reply({ type: 'text', text: 'from the first' })),
  });
  folder = join(first.home, 'bots');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'second.mjs'),
    "export default async (event, bot) => void (await bot.reply({ type: 'text', text: 'from ' + event.botId }));",
  );
  server = await first.restart({ botsFolder: folder, anonymousUserIds: true });
  await server.db.write(async (tx) => {
    const { workspaceId } = server.composition;
    const common = { workspaceId, ownKeys: 1, now: Date.now() } as const;
    await createBot(tx, { ...common, webhookId: 'second', name: 'Second', code: 'second.mjs' });
    await createBot(tx, { ...common, webhookId: 'idle', name: 'Idle' });
  });
});
afterEach(() => server.close());

const call = async (chat: string, method: string, path: string, key?: string, body?: unknown) => {
  const response = await server.fetch(`/chat/${chat}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-user-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
};
const texts = async (chat: string, key: string, conversationId: string) => {
  const { body } = await call(chat, 'GET', `/conversations/${conversationId}/messages`, key);
  return (body.messages as { payload: { text: string } }[]).map(({ payload }) => payload.text);
};
const enter = async (chat: string, id?: string) => {
  const { body } = await call(chat, 'POST', '/users', undefined, id ? { id } : {});
  const created = await call(chat, 'POST', '/conversations', body.key, id ? { id } : {});
  return {
    key: body.key as string,
    userId: body.user.id as string,
    conversationId: created.body.conversation.id as string,
  };
};

test('several bots: each answers at its own address with its own code', async () => {
  const second = await enter('second');
  const first = await enter('demo');
  const bot = await server.db.read((tx) => botOfWebhook(tx, 'second'));
  await expect
    .poll(() => texts('second', second.key, second.conversationId), pollOptions)
    .toEqual([`from ${bot?.id}`]);
  await expect
    .poll(() => texts('demo', first.key, first.conversationId), pollOptions)
    .toEqual(['from the first']);
});

test('several bots: a bot without code does not answer, and its events are dropped', async () => {
  const idle = await enter('idle');
  const waiting = () => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries'));
  await expect.poll(waiting, pollOptions).toEqual([]);
  expect(await texts('idle', idle.key, idle.conversationId)).toEqual([]);
});

test('several bots: users and conversations of one bot do not exist for another', async () => {
  const [first, second] = [await enter('demo', 'same'), await enter('second', 'same')];
  expect([first.userId, second.userId]).toEqual(['same', 'same']);
  await call('demo', 'PUT', '/users/me', first.key, { name: 'First' });
  expect((await call('second', 'GET', '/users/me', second.key)).body.user.name).toBeUndefined();
  for (const [chat, key] of [
    ['second', first.key],
    ['demo', second.key],
    ['idle', first.key],
  ] as const) {
    expect((await call(chat, 'GET', '/users/me', key)).status).toBe(401);
    expect((await call(chat, 'POST', '/users/get-or-create', key, {})).status).toBe(401);
  }
  // Also with a valid key of that bot: server ids of other bots are not found.
  const rows = await server.db.read((tx) =>
    tx.all<{ id: string; botId: string }>('SELECT id, bot_id AS "botId" FROM conversations'),
  );
  const ofSecond = await server.db.read((tx) => botOfWebhook(tx, 'second'));
  const foreign = rows.find(({ botId }) => botId === ofSecond?.id)?.id ?? '';
  expect((await call('demo', 'GET', `/conversations/${foreign}`, first.key)).status).toBe(404);
  expect((await call('demo', 'GET', `/conversations/${foreign}/messages`, first.key)).status).toBe(403);
  const elsewhere = await server.db.read((tx) =>
    tx.get<{ id: string }>('SELECT id FROM users WHERE bot_id = ? AND is_bot = 0', ofSecond?.id ?? ''),
  );
  const path = '/conversations/same/participants';
  await call('demo', 'POST', path, first.key, { userId: elsewhere?.id });
  expect((await call('demo', 'GET', `${path}/${elsewhere?.id}`, first.key)).status).toBe(404);
});

test('several bots: a bot created by the Admin API has its own user keys, which its application can sign', async () => {
  const bot = await server.db.read((tx) => botOfWebhook(tx, 'second'));
  if (!bot) throw new Error('no bot');
  const secret = createKeyRing('a secret for tests only').secretOf(bot);
  const key = createUserKeys(secret ?? '').sign('ann');
  expect((await call('second', 'POST', '/users/get-or-create', key, {})).status).toBe(201);
  expect((await call('demo', 'POST', '/users/get-or-create', key, {})).status).toBe(401);
});

test('several bots: an address without a bot responds with 404 that any origin can read', async () => {
  for (const path of [
    '/chat/none/users',
    '/chat/none/webchat.js',
    '/chat/none/files/x/y',
    '/chat/%00/hello',
  ]) {
    const response = await server.fetch(path, { headers: { origin: 'https://a.example' } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  }
});

test('several bots: the same Idempotency-Key at two bots creates two users', async () => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const make = async (chat: string) =>
    (
      (await (await server.fetch(`/chat/${chat}/users`, { method: 'POST', headers, body: '{}' })).json()) as {
        user: { id: string };
      }
    ).user.id;
  const [a, b] = [await make('demo'), await make('second')];
  expect(a).not.toBe(b);
  expect(await make('demo')).toBe(a);
});

test('several bots: the visitor is notified when code cannot be loaded, and fixed code is loaded', async () => {
  await server.db.write(async (tx) => {
    const common = { workspaceId: server.composition.workspaceId, ownKeys: 1, now: Date.now() } as const;
    await createBot(tx, { ...common, webhookId: 'broken', name: 'Broken', code: 'missing.mjs' });
  });
  const visitor = await enter('broken');
  const receivedTexts = () => texts('broken', visitor.key, visitor.conversationId);
  await expect.poll(receivedTexts, pollOptions).toEqual(['Sorry, no answer came. Please try again.']);
  await writeFile(
    join(folder, 'missing.mjs'),
    "export default async (_, bot) => void (await bot.reply({ type: 'text', text: 'mended' }));",
  );
  await call('broken', 'POST', '/messages', visitor.key, {
    conversationId: visitor.conversationId,
    payload: { type: 'text', text: 'and now?' },
  });
  await expect.poll(receivedTexts, pollOptions).toContain('mended');
});

test('several bots: the default bot cannot use the name of a bot of another workspace', async () => {
  await server.db.write(async (tx) => {
    const other = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
    await createBot(tx, { workspaceId: other.id, webhookId: 'support', name: 'Support', now: 1 });
  });
  const start = (webhookId: string) =>
    server.db.write((tx) => ensureBot(tx, server.composition.workspaceId, webhookId, 2));
  await expect(start('support')).rejects.toThrow('WEBHOOK_ID');
  expect((await start('demo')).workspaceId).toBe(server.composition.workspaceId);
});
