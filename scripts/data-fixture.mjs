// Creates a data folder with a built server of any version, and packs it for the tests of later versions.
//
//   git worktree add ../old v0.1.0 && (cd ../old && npm ci && npm run build)
//   node scripts/data-fixture.mjs ../old src/server/storage/fixtures/data-0.1.tar.gz
//
// All data is created through the APIs. `recorded.json` in the folder contains the response of that server to each GET
// request at the end. Later versions must return the same responses (src/server/storage/data-folder.test.ts).
import { execFileSync, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

const [checkout, archive] = process.argv.slice(2).map((path) => resolve(path));
if (!checkout || !archive) throw new Error('Usage: node scripts/data-fixture.mjs CHECKOUT ARCHIVE');

/** Secrets of this folder only, with which the test starts the later server. */
const userKeySecret = '5d0f2f5b8f0c4f2d9f1c9a64f1f0a3c77f4be7d1';
const adminToken = '9b1f6e0c1b7c4f7e8a4f0d0a6b2f5c3e9d8c7b6a';

const folder = mkdtempSync(join(tmpdir(), 'webchat-fixture-'));
const data = join(folder, 'data');

// A bot that echoes, and never finishes an event with the text `hold`, so that this event stays pending in the data
// folder.
writeFileSync(
  join(folder, 'bot.mjs'),
  `export default async (event, bot) => {
    if (event.type !== 'text') return;
    if (event.preview === 'hold') return new Promise((_, reject) => bot.signal.addEventListener('abort', () => reject(bot.signal.reason)));
    await bot.reply({ type: 'text', text: 'Echo: ' + event.preview });
  };`,
);

// A webhook that accepts events, except one that it rejects permanently (410) and one for which it is unavailable
// (503).
const webhook = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const { preview } = JSON.parse(text).event;
    response.statusCode = preview === 'refused' ? 410 : preview === 'later' ? 503 : 204;
    response.end();
  });
});
await new Promise((done) => webhook.listen(0, '127.0.0.1', done));

const port = await new Promise((done) => {
  const socket = createSocket().listen(0, '127.0.0.1', () => {
    const { port } = socket.address();
    socket.close(() => done(port));
  });
});
const base = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, [join(checkout, 'dist/node/src/server/main.js')], {
  env: {
    ...process.env,
    PORT: String(port),
    DATA_DIR: data,
    PUBLIC_URL: base,
    BOT: join(folder, 'bot.mjs'),
    USER_KEY_SECRET: userKeySecret,
    ADMIN_TOKEN: adminToken,
    WEBHOOK_PRIVATE: 'allow',
    // The recorded answers would depend on how many vectors are computed.
    EMBEDDINGS: 'off',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = new Promise((done) => server.once('exit', done));

async function call(method, path, { body, headers = {} } = {}) {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : {};
}

async function until(what, read) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const value = await read().catch(() => undefined);
    if (value) return value;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`Not reached: ${what}`);
}

const upload = async (uploadUrl, bytes) => {
  const { ok, status } = await fetch(uploadUrl, { method: 'PUT', body: bytes });
  if (!ok) throw new Error(`Upload: ${status}`);
};

/** The recorded requests to later versions: path, headers and the response of this server. */
const recorded = [];
async function record(path, headers = {}, { method = 'GET', body } = {}) {
  const answer = await call(method, path, { headers, body });
  recorded.push({ method, path, headers, ...(body === undefined ? {} : { body }), answer });
  return answer;
}
/** Records the bytes at an address as text. */
async function recordText(url, headers = {}) {
  const text = await (await fetch(url)).text();
  recorded.push({ method: 'GET', path: url.slice(base.length), headers, text });
}

await until('the server listens', () => call('GET', '/chat/demo/webchat'));

// Visitors, their conversations, messages, events, feedback, files and invitations.
const chat = (key, webhookId = 'demo') => ({
  post: (path, body) => call('POST', `/chat/${webhookId}${path}`, { body, headers: { 'x-user-key': key } }),
  put: (path, body) => call('PUT', `/chat/${webhookId}${path}`, { body, headers: { 'x-user-key': key } }),
  del: (path) => call('DELETE', `/chat/${webhookId}${path}`, { headers: { 'x-user-key': key } }),
  get: (path) => call('GET', `/chat/${webhookId}${path}`, { headers: { 'x-user-key': key } }),
  record: (path) => record(`/chat/${webhookId}${path}`, { 'x-user-key': key }),
});
const newVisitor = async (fields, webhookId = 'demo') => {
  const { user, key } = await call('POST', `/chat/${webhookId}/users`, { body: fields });
  return { id: user.id, key, ...chat(key, webhookId) };
};
/** Signs a user key as an application does. */
const signed = (id) => {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ id })}`;
  return `${text}.${createHmac('sha256', userKeySecret).update(text).digest('base64url')}`;
};

const ada = await newVisitor({
  name: 'Ada Lovelace',
  profile: '{"plan":"pro"}',
  pictureUrl: 'https://example.com/ada.png',
});
const bob = await newVisitor({ name: 'Bob 👷🏽 Ünïcødé' });
const named = { key: signed('customer-42'), ...chat(signed('customer-42')) };
await named.post('/users/get-or-create', { name: 'Customer 42' });

await ada.post('/conversations', { id: 'support-1' });
const messageIds = [];
for (const payload of [
  { type: 'text', text: 'Hello from 0.1' },
  { type: 'text', text: 'Umlauts äöü, emoji 👩‍👩‍👧, right to left שלום, a lone surrogate is refused' },
  { type: 'card', title: 'A card', actions: [] },
]) {
  messageIds.push(
    (await ada.post('/messages', { conversationId: 'support-1', payload, metadata: { from: 'fixture' } }))
      .message.id,
  );
}
await ada.post('/events', { conversationId: 'support-1', payload: { clicked: 'price', amount: 12.5 } });
const messagesOf = async (visitor, id) => (await visitor.get(`/conversations/${id}/messages`)).messages;
const answer = await until('the bot answered', async () =>
  (await messagesOf(ada, 'support-1')).find(({ payload }) => payload.text === 'Echo: Hello from 0.1'),
);
await ada.put(`/messages/${answer.id}/feedback`, { value: 'positive', comment: 'Helpful' });
const unwanted = await ada.post('/messages', {
  conversationId: 'support-1',
  payload: { type: 'text', text: 'deleted later' },
});
await until('the bot answered the message that is deleted', async () =>
  (await messagesOf(ada, 'support-1')).some(({ payload }) => payload.text === 'Echo: deleted later'),
);
await ada.del(`/messages/${unwanted.message.id}`);

const visitorFile = (await ada.post('/files', { key: 'note.txt', size: 18 })).file;
await upload(visitorFile.uploadUrl, 'A note of visitors');
await ada.post('/messages', {
  conversationId: 'support-1',
  payload: { type: 'file', fileUrl: visitorFile.url, title: 'note.txt' },
});
await ada.post('/files', { key: 'never-sent.txt', size: 10 });

await ada.post('/conversations/support-1/participants', { userId: bob.id });
await bob.post('/invitations/support-1', {});
await bob.post('/messages', { conversationId: 'support-1', payload: { type: 'text', text: 'Bob is here' } });
await named.post('/conversations', { id: 'invites-1' });
await named.post('/conversations/invites-1/participants', { userId: bob.id });
for (let n = 1; n <= 25; n += 1) await named.post('/conversations', { id: `many-${n}` });
const gone = await newVisitor({ name: 'Deleted visitor' });
await gone.post('/conversations', { id: 'gone-1' });
await gone.post('/messages', {
  conversationId: 'gone-1',
  payload: { type: 'text', text: 'deleted with the visitor' },
});
await gone.del('/users/me');
const revoked = await newVisitor({ name: 'Whose key was revoked' });
await revoked.del('/users/me/key');

// Administration: members, tokens, a second workspace, bots with code, webhook and configuration.
const admin = (workspaceId) => ({
  authorization: `Bearer ${adminToken}`,
  ...(workspaceId ? { 'x-workspace-id': workspaceId } : {}),
});
const { workspaces } = await call('GET', '/v1/admin/workspaces', { headers: admin() });
const owner = admin(workspaces[0].id);
const post = (path, body, headers = owner) => call('POST', `/v1/admin${path}`, { body, headers });
await post('/workspace-members', { email: 'dev@example.com', role: 'developer', displayName: 'Dev' });
const { bots } = await call('GET', '/v1/admin/bots', { headers: owner });
const botId = bots[0].id;
await call('PUT', `/v1/admin/bots/${botId}/webchat`, {
  headers: owner,
  body: { configuration: { botName: 'Fixture bot', composerPlaceholder: 'Ask 0.1' } },
});
const remote = (
  await post('/bots', {
    name: 'Remote',
    webhookId: 'remote',
    webhookUrl: `http://127.0.0.1:${webhook.address().port}/hook`,
  })
).bot;
const doomed = (await post('/bots', { name: 'Doomed', webhookId: 'doomed' })).bot;
await call('DELETE', `/v1/admin/bots/${doomed.id}`, { headers: owner });
await post('/workspaces', { name: 'Second workspace', email: 'second@example.com' });
const tokenOf = async (body) => (await post('/tokens', body)).value;
const botToken = await tokenOf({ name: 'Bot token', kind: 'bot', botId });
const crmToken = await tokenOf({ name: 'CRM', kind: 'integration', botId, integration: 'crm' });
await tokenOf({ name: 'Laptop', kind: 'personal' });

// Files of the Files API: indexed, shared, public, copied, failed, with tags and a knowledge base.
const platform = { authorization: `Bearer ${botToken}`, 'x-bot-id': botId };
const crm = { authorization: `Bearer ${crmToken}`, 'x-bot-id': botId };
/** One after the other: version 0.2 forgets the jobs that are added while it looks for others. */
const indexed = ({ id, key }, headers = platform) =>
  until(`indexing of ${key}`, async () =>
    /indexing_(completed|failed)/.test((await call('GET', `/v1/files/${id}`, { headers })).file.status),
  );
const put = async (key, text, fields = {}, headers = platform) => {
  const bytes = Buffer.from(text);
  const { file } = await call('PUT', '/v1/files', { headers, body: { key, size: bytes.length, ...fields } });
  await upload(file.uploadUrl, bytes);
  if (fields.index) await indexed(file, headers);
  return file;
};
const { knowledgeBase } = await call('POST', '/v1/files/knowledge-bases', {
  headers: platform,
  body: { name: 'Handbook', tags: { lang: 'en' } },
});
const guide = await put(
  'guide.md',
  '# Guide\n\n## Install\n\nRun the installer of the zeppelin.\n\n## Remove\n\nDelete the folder.\n',
  {
    index: true,
    tags: { topic: 'install', kbId: knowledgeBase.id },
    metadata: { version: 7, nested: { deep: [1, 2] } },
  },
);
await put('prices.csv', 'name,price\nZeppelin,99\nBalloon,5\n', {
  index: true,
  tags: { topic: 'prices' },
});
await put('broken.pdf', '%PDF-1.7 broken', { index: true, contentType: 'application/pdf' });
const open = await put('public.txt', 'Everybody reads this', { accessPolicies: ['public_content'] });
await put('shared.txt', 'For integrations', { accessPolicies: ['integrations'], tags: { topic: 'shared' } });
await put('crm.txt', 'Of the CRM', {}, crm);
await call('PUT', '/v1/files', { headers: platform, body: { key: 'announced.txt', size: 5 } });
const copy = await call('POST', `/v1/files/${guide.id}/copy-of-guide.md`, {
  headers: { ...platform, 'x-destination-bot-id': botId },
});
await indexed(copy.file);
await put('replaced.txt', 'old words', { index: true });
await put('replaced.txt', 'new words', { index: true });
const removed = await put('removed.txt', 'removed');
await call('DELETE', `/v1/files/${removed.id}`, { headers: platform });

// Tables: every type of column, a key column, changed by jobs, exported and imported.
const tables = (method, path, body) => call(method, `/v1/tables${path}`, { headers: platform, body });
await tables('POST', '', {
  name: 'productTable',
  schema: {
    type: 'object',
    properties: {
      sku: { type: 'string', 'x-zui': { searchable: true } },
      price: { type: 'number' },
      inStock: { type: 'boolean' },
      parts: { type: 'array', items: { type: 'string' } },
      detail: { type: 'object' },
    },
    required: ['sku'],
  },
  keyColumn: 'sku',
  tags: { owner: 'fixture' },
});
await tables('POST', '/productTable/rows', {
  rows: Array.from({ length: 120 }, (_, n) => ({
    sku: `sku-${n}`,
    price: n === 0 ? 9007199254740991 : n / 4,
    inStock: n % 2 === 0,
    parts: ['a', `ü${n}`],
    detail: { n, nested: { ok: null } },
  })),
});
await tables('POST', '/productTable/rows/delete', { ids: [5, 6] });
const jobs = async (name) => (await tables('GET', `/${name}/jobs`)).jobs;
const finished = (name) =>
  until(
    `the jobs of ${name}`,
    async () => (await jobs(name)).every(({ status }) => status === 'completed') || undefined,
  );
await tables('GET', '/productTable/export?format=csv');
await finished('productTable');
await tables('POST', '/productTable/duplicate', { tableName: 'copyTable' });
await finished('productTable');
const csv = await put('rows.csv', 'city,people\nOslo,709037\nRoma,2748109\n');
await tables('POST', '', { name: 'cityTable', schema: { city: 'string', people: 1 } });
await tables('POST', '/cityTable/import', { fileId: csv.id });
await finished('cityTable');
await tables('POST', '', { name: 'goneTable', schema: { a: 'text' } });
await tables('POST', '/goneTable/rows', { rows: [{ a: 'deleted row' }] });
await tables('DELETE', '/goneTable');

// Pending events: one whose webhook is unavailable, a dead letter, and one that the bot was processing when the server
// stopped.
const caller = await newVisitor({ name: 'Caller' }, 'remote');
await caller.post('/conversations', { id: 'calls-1' });
for (const text of ['refused', 'later']) {
  await caller.post('/messages', { conversationId: 'calls-1', payload: { type: 'text', text } });
}
const logs = async () => (await call('GET', `/v1/admin/bots/${remote.id}/logs`, { headers: owner })).logs;
await until('the webhook refused', async () => (await logs()).length >= 2);
await ada.post('/conversations', { id: 'held-1' });
await ada.post('/messages', { conversationId: 'held-1', payload: { type: 'text', text: 'hold' } });

// The requests whose responses are recorded.
for (const visitor of [ada, bob, named]) {
  await visitor.record('/users/me');
  await visitor.record('/conversations');
  await visitor.record('/invitations');
}
await ada.record('/conversations/support-1');
await ada.record('/conversations/support-1/participants');
await ada.record('/conversations/support-1/messages');
await ada.record(`/messages/${messageIds[1]}`);
await ada.record('/webchat');
await recordText(visitorFile.url);
await recordText(open.url);
for (const path of [
  '/workspaces',
  '/bots',
  `/bots/${botId}`,
  `/bots/${botId}/webchat`,
  '/workspace-members',
  '/tokens',
  `/bots/${botId}/users`,
  `/bots/${botId}/users/${ada.id}/export`,
  `/bots/${remote.id}/logs`,
  `/bots/${remote.id}/dead-letters`,
]) {
  await record(`/v1/admin${path}`, owner);
}
for (const path of [
  '',
  '?tags[topic]=install',
  '/tags',
  '/tags/topic/values',
  '/storage',
  '/knowledge-bases',
  `/${guide.id}`,
  `/${guide.id}/passages`,
  '/search?query=zeppelins',
  '/search?query=new+words',
]) {
  await record(`/v1/files${path}`, platform);
}
await record('/v1/files', crm);
for (const name of ['productTable', 'copyTable', 'cityTable']) {
  await record(`/v1/tables/${name}`, platform);
  await record(`/v1/tables/${name}/jobs`, platform);
  await record(`/v1/tables/${name}/rows/find`, platform, { method: 'POST', body: { limit: 1000 } });
}
await record('/v1/tables', platform);
await record('/v1/tables/productTable/rows/find', platform, {
  method: 'POST',
  body: { filter: { price: { $gte: 29 } }, orderBy: 'price', orderDirection: 'desc' },
});

// The test requests this first, because the exports that it requests add entries.
await record('/v1/admin/audit', owner);
recorded.unshift(recorded.pop());

const at = Date.now();
server.kill('SIGTERM');
await ended;
webhook.close();

// One database file without free pages.
const database = new DatabaseSync(join(data, 'platform.db'));
database.exec(`VACUUM INTO '${join(folder, 'compact.db')}'`);
const version = database.prepare('PRAGMA user_version').get().user_version;
database.close();
execFileSync('mv', [join(folder, 'compact.db'), join(data, 'platform.db')]);
writeFileSync(
  join(data, 'recorded.json'),
  JSON.stringify({
    at,
    base,
    userKeySecret,
    adminToken,
    version,
    botId,
    remoteId: remote.id,
    headers: { owner, platform },
    visitors: { ada: ada.key, caller: caller.key },
    recorded,
  }),
);
// Without the copy of the widget (more than 1 MB), which has tests of its own.
const excluded = ['lock', 'platform.db-wal', './webchat'].map((name) => `--exclude=${name}`);
execFileSync('tar', ['-czf', archive, '--owner=0', '--group=0', ...excluded, '-C', data, '.']);
rmSync(folder, { recursive: true });
console.log(`${archive}: schema version ${version}, ${recorded.length} recorded answers`);
