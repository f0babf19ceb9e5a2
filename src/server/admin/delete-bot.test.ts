// Tests of the deletion of a bot: access ends at once, and its data is deleted in batches, also across a restart.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { botTables } from '../bots/cleanup.ts';
import { enqueueDeletion } from '../storage/deletions.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import {
  allRows,
  pollOptions,
  readStream,
  recordStatements,
  type TestServer,
  tableNames,
} from '../testing.ts';
import { type AdminFixture, createAdminFixture, requesterFor } from './testing.ts';

let fixture: AdminFixture;
let server: TestServer;
let bot: { id: string };
beforeEach(async () => {
  const first = await createAdminFixture();
  const folder = join(first.server.home, 'bots');
  await mkdir(folder);
  await writeFile(
    join(folder, 'waits.mjs'),
    `export default (_, bot) => new Promise((_, reject) => {
       globalThis.waiting = (globalThis.waiting ?? 0) + 1;
       bot.signal.addEventListener('abort', () => { globalThis.waiting -= 1; reject(bot.signal.reason); });
     });`,
  );
  server = await first.server.restart({ BOTS: folder });
  fixture = { ...first, server, owner: requesterFor(server, first.tokens.owner, first.workspaceId) };
  bot = (await fixture.owner('POST', '/bots', { name: 'canary', webhookId: 'doomed', code: 'waits.mjs' }))
    .body.bot;
});
afterEach(() => server.close());

const call = async (chat: string, method: string, path: string, key?: string, body?: unknown) => {
  const response = await server.fetch(`/chat/${chat}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-user-key': key }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'idempotency-key': `of a test ${randomUUID()}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
  return { status: response.status, body: (await response.json()) as any };
};

/** Creates a visitor whose every stored value contains a canary. */
async function enter(chat: string, name: string) {
  const { key } = (
    await call(chat, 'POST', '/users', undefined, { name: `${name}-name`, profile: `${name}-profile` })
  ).body;
  const { conversation } = (await call(chat, 'POST', '/conversations', key, { id: `${name}-room` })).body;
  const conversationId = conversation.id as string;
  const payload = { type: 'text', text: `${name}-text` };
  await call(chat, 'POST', '/messages', key, { conversationId, payload, metadata: { note: name } });
  await call(chat, 'POST', '/events', key, { conversationId, payload: { note: name } });
  const { file } = (await call(chat, 'POST', '/files', key, { key: `${name}.txt`, size: name.length })).body;
  await server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: name });
  return { key, conversationId, file: new URL(file.url).pathname };
}

const queuedDeletions = () => server.db.read((tx) => tx.all('SELECT kind, id FROM deletions'));
const waiting = () => (globalThis as { waiting?: number }).waiting ?? 0;

test('a deleted bot closes its streams, stops its code, answers 404 at its address and leaves no data', async () => {
  const [doomed, other] = [await enter('doomed', 'canary'), await enter('demo', 'stays')];
  const tokenFields = { name: 'canary-token', kind: 'bot', botId: bot.id };
  const { value } = (await fixture.owner('POST', '/tokens', tokenFields)).body;
  const platform = (method: string, path: string, body?: unknown, api = 'files') =>
    server.fetch(`/v1/${api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${value}`,
        'x-bot-id': bot.id,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'idempotency-key': `of a test ${randomUUID()}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const text = 'The canary sings.';
  const kb = { name: 'canary-base', tags: { note: 'canary' } };
  expect((await platform('POST', '/knowledge-bases', kb)).status).toBe(200);
  const table = { name: 'canaryTable', schema: { canary: 'canary' }, tags: { canary: 'canary' } };
  expect((await platform('POST', '', table, 'tables')).status).toBe(200);
  const rows = Array.from({ length: 50 }, () => ({ canary: 'canary' }));
  expect((await platform('POST', '/canaryTable/rows', { rows }, 'tables')).status).toBe(200);
  const announced = await platform('PUT', '', {
    key: 'canary-of-the-platform.txt',
    size: text.length,
    index: true,
    tags: { note: 'canary' },
    accessPolicies: ['public_content'],
  });
  const { file } = (await announced.json()) as { file: { id: string; url: string; uploadUrl: string } };
  await server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: text });
  const indexed = async () => {
    const { file: now } = (await (await platform('GET', `/${file.id}`)).json()) as {
      file: { status: string; failedStatusReason?: string };
    };
    return [now.status, now.failedStatusReason];
  };
  await expect.poll(indexed, pollOptions).toEqual(['indexing_completed', undefined]);
  await expect.poll(waiting, pollOptions).toBe(1);
  const listen = async (chat: string, { key, conversationId }: typeof doomed) =>
    readStream(
      await server.fetch(`/chat/${chat}/conversations/${conversationId}/listen`, {
        headers: { 'x-user-key': key },
      }),
    );
  const [ending, going] = [await listen('doomed', doomed), await listen('demo', other)];
  const files = join(server.home, 'files');
  const before = (await readdir(files)).length;

  expect(await fixture.owner('DELETE', `/bots/${bot.id}`)).toEqual({ status: 200, body: {} });
  await ending.ended;
  expect(server.composition.pubSub.size).toBe(1);
  for (const [method, path] of [
    ['GET', '/users/me'],
    ['POST', '/users'],
    ['GET', '/conversations'],
    ['POST', '/messages'],
    ['GET', '/webchat'],
  ]) {
    const body = method === 'POST' ? {} : undefined;
    expect((await call('doomed', method ?? '', path ?? '', doomed.key, body)).status).toBe(404);
  }
  expect((await server.fetch(doomed.file)).status).toBe(404);
  expect((await platform('GET', '')).status).toBe(401);
  expect((await fixture.owner('GET', `/bots/${bot.id}`)).status).toBe(404);
  expect((await fixture.owner('DELETE', `/bots/${bot.id}`)).status).toBe(404);

  await expect.poll(queuedDeletions, pollOptions).toEqual([]);
  await expect.poll(waiting, pollOptions).toBe(0);
  await expect.poll(async () => (await readdir(files)).length, pollOptions).toBe(before - 2);
  expect((await server.fetch(new URL(file.url).pathname)).status).toBe(404);
  // The last steps of the cleanup job run after the bytes are deleted.
  const naming = async (word: string) =>
    Object.entries(await allRows(server.db))
      .filter(([, rows]) => JSON.stringify(rows).includes(word))
      .map(([table]) => table);
  await expect.poll(() => naming('canary'), pollOptions).toEqual([]);
  await expect.poll(() => naming(bot.id), pollOptions).toEqual(['audit_log', 'bots']);

  // Other bots are unaffected.
  expect((await call('demo', 'GET', '/users/me', other.key)).body.user.name).toBe('stays-name');
  expect(await (await server.fetch(other.file)).text()).toBe('stays');
  expect(
    (await call('demo', 'GET', `/conversations/${other.conversationId}/messages`, other.key)).body,
  ).toMatchObject({
    messages: [{ payload: { text: 'stays-text' } }],
  });
  await going.cancel();
});

test('a deletion that a stop interrupted continues at the next start', async () => {
  for (let n = 0; n < 3; n += 1) await enter('doomed', `canary-${n}`);
  await server.db.write(async (tx) => {
    // The state of a server that was killed right after the commit.
    await tx.run('UPDATE bots SET deleted_at = 1, name = ? WHERE id = ?', '', bot.id);
    await enqueueDeletion(tx, 'bot', bot.id);
  });
  server = await server.restart();
  await expect.poll(queuedDeletions, pollOptions).toEqual([]);
  await expect
    .poll(async () => JSON.stringify(await allRows(server.db)).includes('canary'), pollOptions)
    .toBe(false);
});

test('many users and conversations are deleted in batches, and other writes run between the batches', async () => {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1349)`;
  await server.db.write(async (tx) => {
    await tx.run(
      `${numbers} INSERT INTO users (id, bot_id, name, created_at, updated_at)
       SELECT 'user_' || n, CAST(? AS text), 'canary', 1, 1 FROM numbers`,
      bot.id,
    );
    await tx.run(
      `${numbers} INSERT INTO conversations (id, bot_id, owner_id, created_at, updated_at)
       SELECT 'conv_' || n, CAST(? AS text), 'user_' || n, 1, 1 FROM numbers`,
      bot.id,
    );
  });
  const countRows = async () =>
    (
      await server.db.read((tx) =>
        tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM users WHERE bot_id = ?', bot.id),
      )
    )?.n ?? 0;
  const statements = recordStatements(server.db);
  await fixture.owner('DELETE', `/bots/${bot.id}`);
  // The write runs between two batches.
  await server.user();
  expect(await countRows()).toBeGreaterThan(0);
  await expect.poll(queuedDeletions, pollOptions).toEqual([]);
  expect(await countRows()).toBe(0);
  // A batch needs as many statements as one visitor: on another machine, each costs a round trip.
  const ofUsers = statements.filter((sql) => /^\s*DELETE FROM users/.test(sql));
  expect(ofUsers.length).toBeGreaterThan(1);
  expect(ofUsers.length).toBeLessThan(10);
});

test('requests in flight during the deletion leave no data', async () => {
  const { key } = await enter('doomed', 'canary');
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, (_, n) =>
      call('doomed', 'POST', '/users', undefined, { name: `canary ${n}` }),
    ),
    fixture.owner('DELETE', `/bots/${bot.id}`),
    ...Array.from({ length: 10 }, () => call('doomed', 'POST', '/conversations', key, {})),
    ...Array.from({ length: 10 }, () => call('doomed', 'POST', '/users/get-or-create', key, {})),
  ]);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  await expect.poll(queuedDeletions, pollOptions).toEqual([]);
  const rows = await server.db.read((tx) =>
    tx.all(
      'SELECT id FROM users WHERE bot_id = ? UNION SELECT id FROM conversations WHERE bot_id = ?',
      bot.id,
      bot.id,
    ),
  );
  expect(rows).toEqual([]);
});

test('a request whose body ends after the deletion creates nothing', async () => {
  const { key } = await enter('doomed', 'canary');
  const open = ['/users', '/users/get-or-create', '/conversations'].map((path) => {
    const request = { started: Promise.resolve(), finish: () => {}, answer: Promise.resolve(new Response()) };
    request.started = new Promise((resolve) => {
      const body = new ReadableStream(
        {
          pull(controller) {
            // The body is read after the bot and the caller were found.
            resolve();
            return new Promise<void>((end) => {
              request.finish = () => {
                controller.enqueue(new TextEncoder().encode('{}'));
                controller.close();
                end();
              };
            });
          },
        },
        { highWaterMark: 0 },
      );
      request.answer = server.fetch(`/chat/doomed${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(path === '/users' ? {} : { 'x-user-key': key }) },
        body,
        duplex: 'half',
      } as RequestInit);
    });
    return request;
  });
  await Promise.all(open.map(({ started }) => started));
  await fixture.owner('DELETE', `/bots/${bot.id}`);
  await expect.poll(queuedDeletions, pollOptions).toEqual([]);
  for (const request of open) {
    request.finish();
    expect((await request.answer).status).toBe(404);
  }
  const rows = await server.db.read((tx) => tx.all('SELECT id FROM users WHERE bot_id = ?', bot.id));
  expect(rows).toEqual([]);
});

testOnSqlite('the default bot cannot be deleted', async () => {
  const settings = (await fixture.owner('GET', '/bots?sortDirection=asc')).body.bots[0];
  const { status, body } = await fixture.owner('DELETE', `/bots/${settings.id}`);
  expect([status, body.type, body.message]).toEqual([
    409,
    'ReferenceConstraint',
    expect.stringContaining('WEBHOOK_ID'),
  ]);
  expect((await call('demo', 'GET', '/webchat')).status).toBe(200);
  // When WEBHOOK_ID names another bot, this one is a regular bot without a deployment.
  const next = await server.restart({ WEBHOOK_ID: 'another' });
  server = next;
  const owner = requesterFor(next, fixture.tokens.owner, fixture.workspaceId);
  const { bot: former } = (await owner('GET', `/bots/${settings.id}`)).body;
  expect(former.deployedAt).toBeUndefined();
  expect((await owner('DELETE', `/bots/${settings.id}`)).status).toBe(200);
});

test('the rows of a deleted bot are removed from every table with a column bot_id', async () => {
  const ofBots = await tableNames(server.db, 'bot_id');
  // Tokens, the configuration and the definition are deleted with the bot, in the same transaction, tags with files, jobs
  // with tables.
  const atOnce = ['tokens', 'bot_configurations', 'bot_definitions', 'bot_agents', 'file_tags', 'table_jobs'];
  // Rows with a conversation are removed with it.
  const ofConversations = await tableNames(server.db, 'conversation_id');
  const others = ofBots.filter((name) => !atOnce.includes(name) && !ofConversations.includes(name));
  expect(others.length).toBeGreaterThan(1);
  expect(Object.keys(botTables)).toEqual(expect.arrayContaining(others));
});
