// Tests of several bots in one server: each has its own address, users, conversations, keys and code.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBot, createWorkspace, ensureBot } from '../admin/first-start.ts';
import { createKeyRing, createUserKeys } from '../auth/user-keys.ts';
import { botOfWebhook } from '../storage/bots/bots.ts';
import { pollOptions, startTestServer, type TestServer } from '../testing.ts';
import { startVisitor } from './webhooks/testing.ts';

let server: TestServer;
let folder: string;

beforeEach(async () => {
  const first = await startTestServer({
    handler: async (_, bot) => void (await bot.reply({ type: 'text', text: 'from the first' })),
  });
  folder = join(first.home, 'bots');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'second.mjs'), code("'from ' + event.botId"));
  server = await first.restart({ BOTS: folder, ANONYMOUS_USER_IDS: 'allow' });
  await server.db.write(async (tx) => {
    const { workspaceId } = server.composition;
    const common = { workspaceId, ownKeys: 1, now: Date.now() } as const;
    await createBot(tx, { ...common, webhookId: 'second', name: 'Second', code: 'second.mjs' });
    await createBot(tx, { ...common, webhookId: 'idle', name: 'Idle' });
  });
});
afterEach(() => server.close());

const enter = (chat: string, fields: object = {}) => startVisitor(() => server, chat, fields);
const code = (text: string) =>
  `export default async (event, bot) => void (await bot.reply({ type: 'text', text: ${text} }));`;

test('several bots: each answers at its own address with its own code', async () => {
  const second = await enter('second');
  const first = await enter('demo');
  const bot = await server.db.read((tx) => botOfWebhook(tx, 'second'));
  await expect.poll(second.texts, pollOptions).toEqual([`from ${bot?.id}`]);
  await expect.poll(first.texts, pollOptions).toEqual(['from the first']);
});

test('several bots: a bot without code does not answer, and its events are dropped', async () => {
  const idle = await enter('idle');
  const waiting = () => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries'));
  await expect.poll(waiting, pollOptions).toEqual([]);
  expect(await idle.texts()).toEqual([]);
});

test('several bots: users and conversations of one bot do not exist for another', async () => {
  const [first, second] = [await enter('demo', { id: 'same' }), await enter('second', { id: 'same' })];
  expect([first.userId, second.userId]).toEqual(['same', 'same']);
  await first.request('PUT /users/me', { name: 'First' });
  expect((await second.request('GET /users/me')).body.user.name).toBeUndefined();
  for (const [chat, key] of [
    ['second', first.key],
    ['demo', second.key],
    ['idle', first.key],
  ] as const) {
    const headers = { 'x-user-key': key, 'content-type': 'application/json' };
    expect((await server.fetch(`/chat/${chat}/users/me`, { headers })).status).toBe(401);
    const init = { method: 'POST', headers, body: '{}' };
    expect((await server.fetch(`/chat/${chat}/users/get-or-create`, init)).status).toBe(401);
  }
  // Also with a valid key of that bot: server ids of other bots are not found.
  const ofSecond = await server.db.read((tx) => botOfWebhook(tx, 'second'));
  const foreign = await server.db.read((tx) =>
    tx.get<{ id: string }>('SELECT id FROM conversations WHERE bot_id = ?', ofSecond?.id ?? ''),
  );
  expect(foreign).toBeDefined();
  expect((await first.request(`GET /conversations/${foreign?.id}`)).status).toBe(404);
  expect((await first.request(`GET /conversations/${foreign?.id}/messages`)).status).toBe(403);
  const elsewhere = await server.db.read((tx) =>
    tx.get<{ id: string }>('SELECT id FROM users WHERE bot_id = ? AND is_bot = 0', ofSecond?.id ?? ''),
  );
  const path = `/conversations/${first.conversationId}/participants`;
  await first.request(`POST ${path}`, { userId: elsewhere?.id });
  expect((await first.request(`GET ${path}/${elsewhere?.id}`)).status).toBe(404);
});

test('several bots: a bot created by the Admin API has its own user keys, which its application can sign', async () => {
  const bot = await server.db.read((tx) => botOfWebhook(tx, 'second'));
  if (!bot) throw new Error('no bot');
  const secret = createKeyRing('a secret for tests only').secretOf(bot);
  const key = createUserKeys(secret ?? '').sign('ann');
  const init = {
    method: 'POST',
    headers: { 'x-user-key': key, 'content-type': 'application/json' },
    body: '{}',
  };
  expect((await server.fetch('/chat/second/users/get-or-create', init)).status).toBe(201);
  expect((await server.fetch('/chat/demo/users/get-or-create', init)).status).toBe(401);
});

test('several bots: an address without a bot responds with 404 that any origin can read', async () => {
  for (const path of ['none/users', 'none/webchat.js', 'none/files/x/y', '%00/hello']) {
    const response = await server.fetch(`/chat/${path}`, { headers: { origin: 'https://a.example' } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  }
});

test('several bots: the same Idempotency-Key at two bots creates two users', async () => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const make = async (chat: string) => {
    const response = await server.fetch(`/chat/${chat}/users`, { method: 'POST', headers, body: '{}' });
    return ((await response.json()) as { user: { id: string } }).user.id;
  };
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
  await expect.poll(visitor.texts, pollOptions).toEqual(['Sorry, no answer came. Please try again.']);
  await writeFile(join(folder, 'missing.mjs'), code("'mended'"));
  await visitor.sendText('and now?');
  await expect.poll(visitor.texts, pollOptions).toContain('mended');
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
