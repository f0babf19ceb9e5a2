// Tests that no parameter of a list is ignored: each one is refused for a wrong value or changes the result. The lists and their
// parameters are those of the declarations; refusals.test.ts tests parameters that are not declared.
import type * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apis } from '../../protocol/operations/apis.ts';
import { hasBody } from '../../protocol/operations/operation.ts';
import { requesterFor } from '../admin/testing.ts';
import { addMember, openBrowser, type TestBrowser } from '../session/testing.ts';
import { insertBotLog } from '../storage/bots/bot-logs.ts';
import { createId } from '../storage/ids.ts';
import { base as chatBase, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let headers: Record<string, string>;
/** A member who has signed in. */
let browser: TestBrowser;
/** Path parameter -> the resource whose lists have at least two items. */
const ids: Record<string, string> = {};
/** Operation -> its required parameters. */
const required: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMIT: 100_000 });
  const { token = '', workspaceId } = server.admin;
  const admin = requesterFor(server, token, workspaceId);
  const { bots } = (await admin('GET', '/bots')).body;
  const botId: string = bots[0].id;
  const [ann, bea] = await Promise.all([server.user({ name: 'Ann' }), server.user({ name: 'Bea' })]);
  headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-bot-id': botId,
    'x-user-key': ann.key,
  };
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await server.fetch(path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([path, response.status < 300, response.ok ? '' : await response.clone().text()]).toEqual([
      path,
      true,
      '',
    ]);
    return response.json();
  };
  for (const origin of ['https://a.example', 'https://b.example'])
    await server.fetch('/chat/demo/webchat', { headers: { origin } });
  for (const color of ['#111111', '#222222'])
    await admin('PUT', `/bots/${botId}/webchat`, { configuration: { color } });
  const conversationId = await server.conversation(ann.key);
  await server.join(ann.key, conversationId, bea);
  for (const text of ['one', 'two']) await server.sendMessage(ann.key, conversationId, text);
  for (const n of [1, 2]) {
    await server.call('POST', '/events', { key: ann.key, body: { conversationId, payload: { n } } });
    // Ann is invited, too.
    const other = await server.conversation(bea.key);
    await server.call('POST', `/conversations/${other}/participants`, {
      key: bea.key,
      body: { userId: ann.id },
    });
    await server.conversation(ann.key);
    await admin('POST', '/bots', { name: `Bot ${n}`, tags: { kind: String(n) } });
    await admin('POST', '/workspaces', { name: `Workspace ${n}`, email: `${n}@example.com` });
    await admin('POST', '/workspace-members', { email: `${n}@example.com`, role: 'viewer' });
    await admin('POST', '/bots/baks', { botId });
    await admin('POST', '/account/pats', { note: String(n) });
    const tags = { kind: String(n), [`t${n}`]: 'x' };
    const { file } = await send('PUT', '/v1/files', { key: `${n}.txt`, size: n, tags });
    const uploadPath = new URL(file.uploadUrl).pathname;
    expect((await server.fetch(uploadPath, { method: 'PUT', body: 'x'.repeat(n) })).status).toBe(204);
    await send('POST', '/v1/files/knowledge-bases', { name: `Base ${n}`, tags: { kind: String(n) } });
    await send('POST', '/v1/tables', { name: `A${n}Table`, schema: { a: 'x' }, tags: { kind: String(n) } });
  }
  await send('PUT', `/v1/files/${encodeURIComponent('1.txt')}/passages`, {
    passages: ['Refunds take a week.', 'Refunds are free.'].map((content) => ({ content })),
  });
  await send('POST', '/v1/tables/A1Table/rows', { rows: [{ a: 'x' }, { a: 'y' }] });
  for (const format of ['csv', 'json']) await send('GET', `/v1/tables/A1Table/export?format=${format}`);
  await server.db.write(async (tx) => {
    for (const attempt of [1, 2]) {
      const entry = { id: createId('log'), eventId: `evt_${attempt}`, conversationId, attempt };
      const failure = { status: 500, reason: null, error: null, createdAt: Date.now() };
      await insertBotLog(tx, { ...entry, ...failure, botId, kind: 'webhook_failed' });
      await tx.run(
        `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, created_at, state, failed_at, due_at)
         VALUES (?, ?, ?, ?, ?, 'conversation_started', 1, 'dead', ?, ?)`,
        `evt_${attempt}`,
        conversationId,
        botId,
        1_000 + attempt,
        ann.id,
        ...[Date.now(), Date.now()],
      );
    }
  });
  const member = await addMember(server);
  for (let n = 0; n < 2; n++) {
    browser = openBrowser(server);
    await browser.signIn(member);
  }
  for (const name of ['one', 'two']) {
    await send('POST', '/v1/inbox/canned-answers', { scope: 'workspace', name, text: name });
    await send('POST', '/v1/inbox/teams', { name, mode: 'manual' });
  }
  const { cursor } = await send('GET', '/v1/inbox/changes');
  const other = await server.conversation(ann.key);
  for (const [method, id] of [
    ['POST', conversationId],
    ['DELETE', conversationId],
    ['POST', conversationId],
    ['POST', other],
  ] as const) {
    await send(method, `/v1/chat/conversations/${id}/handoff`, method === 'POST' ? {} : undefined);
  }
  await server.sendMessage(ann.key, other, 'Hello');
  await server.sendMessage(bea.key, await server.conversation(bea.key), 'Hello');
  await server.db.write((tx) =>
    tx.run(
      `INSERT INTO unanswered_messages (conversation_id, cause_id, bot_id, message_id, noted_at)
       SELECT conversation_id, id, bot_id, id, created_at FROM messages WHERE is_bot = 0`,
    ),
  );
  for (const id of [conversationId, other])
    await send('POST', `/v1/inbox/conversations/${id}/notes`, { body: 'other' });
  Object.assign(ids, { chat: conversationId, inbox: conversationId });
  Object.assign(required, { listInboxConversations: { list: 'all' }, getInboxChanges: { since: cursor } });
  Object.assign(ids, { conversationId, userId: ann.id, tag: 'kind', table: 'A1Table', key: 'kind' });
  Object.assign(ids, { admin: botId, files: '1.txt', runtime: conversationId });
  Object.assign(required, {
    searchFiles: { query: 'refunds' },
    searchMessages: { text: 'o' },
    searchInbox: { text: 'o' },
    listBotMessages: { conversationId },
    listBotEvents: { conversationId },
    listBotApiKeys: { botId },
    getTableRow: { id: '1' },
  });
});
afterAll(() => server.close());

const addressed = apis.flatMap(({ name, base, operations }) =>
  operations
    .filter((operation) => !hasBody(operation) && operation.method !== 'POST')
    .filter(({ kind }) => kind !== 'subscription')
    .map((operation) => ({ ...operation, api: name, base })),
);
type Addressed = (typeof addressed)[number];

type Body = Record<string, unknown> & {
  type?: string;
  message?: string;
  meta?: { nextToken?: string };
};

async function call(operation: Addressed, query: string) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((name === 'id' ? ids[operation.api] : ids[name]) ?? 'none'),
  );
  const base = operation.base.replace(/^\/chat\/.*/, chatBase);
  const address = `${base}${path}?${query}`;
  if (operation.auth === 'session') {
    const { status, body } = await browser.send(operation.method, address);
    return { status, body: body as Body };
  }
  const response = await server.fetch(address, { method: operation.method, headers });
  return { status: response.status, body: (await response.json()) as Body };
}

test('there are operations of every API, and none declares its parameters in another form than an object', () => {
  expect(new Set(addressed.map(({ api }) => api)).size).toBe(apis.length);
  for (const { id, input } of addressed) expect([id, !input || 'entries' in input]).toEqual([id, true]);
});

type Entries = Record<string, v.GenericSchema>;
const entriesOf = (schema: v.GenericSchema | undefined): Entries =>
  ((schema ?? {}) as { entries?: Entries }).entries ?? {};

/** The name of the items of a list; undefined for an operation that is not a list. */
const itemsOf = ({ output }: Addressed): string | undefined =>
  Object.entries(entriesOf(output)).find(([, { type }]) => type === 'array')?.[0];

const lists = addressed.filter((operation) => operation.method === 'GET' && itemsOf(operation));

describe.each(lists.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const items = itemsOf(operation) ?? '';
  const names = Object.keys(entriesOf(operation.input));
  const listed = async (query: Record<string, string>) => {
    const { status, body } = await call(
      operation,
      String(new URLSearchParams({ ...required[id], ...query })),
    );
    return { status, items: body[items] as unknown[] | undefined, body };
  };

  test('the list of this test has several items', async () => {
    const { status, items: all = [] } = await listed({});
    expect([status, all.length > 1], 'Add items in beforeAll.').toEqual([200, true]);
  });

  test.each(names)('%s is refused for a wrong value by its name, or changes the result', async (name) => {
    const whole = await listed({});
    const changes: string[] = [];
    for (const [key, value] of [
      [name, 'none'],
      [name, '-1'],
      [name, '{"none":"none"}'],
      [name, ''],
    ] as const) {
      const answer = await listed({ [key]: value });
      if (answer.status === 400) {
        const { metadata, message } = answer.body as {
          metadata?: { issues?: { path: string }[] };
          message: string;
        };
        const [issue] = metadata?.issues ?? [];
        expect((issue?.path ?? message).split(/[. ]/)[0]).toBe(name);
      }
      if (JSON.stringify(answer.items) !== JSON.stringify(whole.items)) changes.push(value);
    }
    expect(changes.length).toBeGreaterThan(0);
  });

  test.runIf(names.includes('pageSize'))(
    'pageSize limits the page, and nextToken leads to the next',
    async () => {
      const { items: first, body } = await listed({ pageSize: '1' });
      expect(first).toHaveLength(1);
      const nextToken = body.meta?.nextToken ?? '';
      const { items: second } = await listed({ pageSize: '1', nextToken });
      expect(second).toHaveLength(1);
      expect(second).not.toEqual(first);
    },
  );

  test.runIf(names.includes('sortDirection'))('sortDirection reverses the list', async () => {
    const order = async (sortDirection: string) => (await listed({ sortDirection })).items;
    expect(await order('asc')).not.toEqual(await order('desc'));
  });
});
