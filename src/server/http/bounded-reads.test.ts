// Tests that no query reads without end, and that none reads much before other requests can run, with data as large as the
// limits allow. The operations are those of the declarations.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { reportTables } from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import { apis } from '../../protocol/operations/apis.ts';
import { startInbox } from '../inbox/testing.ts';
import { insertEvent } from '../storage/chat/events.ts';
import { insertMessages } from '../storage/chat/new-messages.ts';
import { insertParticipant } from '../storage/chat/participants.ts';
import { insertUser } from '../storage/chat/users.ts';
import { createId } from '../storage/ids.ts';
import { insertNote } from '../storage/inbox/new-note.ts';
import { countTexts, type ReadCounts } from '../testing/read-counts.testing.ts';
import { base, type TestServer } from '../testing.ts';

/** Two rows of a megabyte: the second one ends a read. */
const mostOfTurn = 2_800_000;
/** The most that an operation reads that is not declared as heavy: one row of a megabyte. */
const mostOfLight = limits.payloadBytes + 10_000;
/** The most that a heavy one reads for a page: of messages with all notes between them, of passages with their files, or of an export. */
const mostOfHeavy = 2 * limits.pageBytes;

/** A text whose payload has a megabyte. */
const large = JSON.stringify({ type: 'text', text: 'Words of a long text. '.repeat(45_000) });
/** The largest message of which a list shows the beginning. */
const listed = JSON.stringify({ type: 'text', text: 'Words. '.repeat(9_300) });

let inbox: Awaited<ReturnType<typeof startInbox>>;
let server: TestServer;
let counted: (work: () => Promise<unknown>) => Promise<ReadCounts>;
let member: { id: string; headers: Record<string, string> };
/** Path parameter -> resource with much data. */
const ids: Record<string, string> = {};
const required: Record<string, Record<string, string>> = {};

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const response = await server.fetch(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function made(path: string, headers: Record<string, string>, body: unknown, method = 'POST') {
  const { status, text } = await send(method, path, headers, body);
  expect([path, status < 300 ? '' : text]).toEqual([path, '']);
  return JSON.parse(text);
}

let prepared: Promise<void> | undefined;
// Once, by the first test, because the inbox is started within a test.
beforeEach(() => {
  prepared ??= prepare();
  return prepared;
});
afterAll(() => inbox.close());

async function prepare(): Promise<void> {
  inbox = await startInbox(() => {}, { RATE_LIMIT: 0 });
  server = inbox.server;
  const { botId, conversationId, key, ofBot } = inbox;
  member = await inbox.member('Ada', 'owner');
  await inbox.send('first');
  await made(`/v1/inbox/conversations/${conversationId}/take`, member.headers, {});
  const [conversation] = await inbox.rows('conversations');
  const ownerId = String(conversation?.owner_id);
  const others: string[] = [];
  for (let n = 0; n < limits.pageSize; n += 1) others.push(await server.conversation(key));
  const userId = { userId: ownerId, userForeignId: null, isBot: 0, createdAt: Date.now() };
  let messageId = '';
  let eventId = '';
  await server.db.write(async (tx) => {
    let seq = 1_000;
    const message = (id: string, payload: string) => ({
      ...{
        id: createId('msg'),
        conversationId: id,
        seq: seq++,
        ...userId,
        author: null,
        payload,
        metadata: null,
      },
      ...{
        feedback: null,
        parts: null,
        updatedAt: null,
        isSynthetic: 0,
        supersedes: null,
        supersededBy: null,
      },
    });
    for (let n = 0; n < 8; n += 1) {
      const row = message(conversationId, large);
      messageId = row.id;
      await insertMessages(tx, [{ ...row, botId, origin: null }]);
      eventId = createId('evt');
      const event = { id: eventId, conversationId, seq: seq++, ...userId, type: null, messageId: null };
      await insertEvent(tx, { ...event, payload: large }, null);
    }
    await insertMessages(
      tx,
      others.map((id) => ({ ...message(id, listed), botId, origin: null })),
    );
    for (let n = 0; n < 400; n += 1) {
      const note = { conversationId, afterSeq: 1_001, memberId: member.id, authorName: 'Ada' };
      await insertNote(tx, { ...note, body: 'x'.repeat(limits.inbox.note), createdAt: n });
    }
    // Small payloads, which a search finds, with the largest metadata.
    const found = JSON.stringify({ type: 'text', text: 'everywhere' });
    const metadata = JSON.stringify({ a: 'x'.repeat(limits.payloadBytes - 1_000) });
    for (let n = 0; n < 8; n += 1)
      await insertMessages(tx, [{ ...message(String(others[0]), found), metadata, botId, origin: null }]);
    const pictureUrl = `https://example.com/${'x'.repeat(39_900)}`;
    for (let n = 0; n < 200; n += 1) {
      const id = createId('user');
      const times = { createdAt: n, updatedAt: n, keysValidAfter: null };
      await insertUser(tx, { id, botId, foreignId: null, name: null, profile: null, pictureUrl, ...times });
      await insertParticipant(tx, conversationId, id);
    }
    await tx.run('UPDATE conversations SET seq = ?', seq);
  });
  await made('/v1/tables', ofBot, { name: 'ATable', factor: limits.tables.factor, schema: { a: 'x' } });
  const a = 'Words of a cell. '.repeat(3_500);
  for (let n = 0; n < 6; n += 1)
    await made('/v1/tables/ATable/rows', ofBot, { rows: Array.from({ length: 15 }, () => ({ a })) });
  const content = `refund ${'Words of a passage. '.repeat(480)}`;
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) {
    const metadata = { a: 'x'.repeat(limits.fileMetadataBytes - 100) };
    const { file } = await made('/v1/files', ofBot, { key: name, size: 1, metadata }, 'PUT');
    await server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: 'x' });
    const passages = Array.from({ length: 100 }, () => ({ content }));
    await made(`/v1/files/${name}/passages`, ofBot, { passages }, 'PUT');
  }
  Object.assign(ids, { conversationId, userId: ownerId, tag: 'a', table: 'ATable', key: 'a', admin: botId });
  Object.assign(ids, {
    chat: conversationId,
    inbox: conversationId,
    runtime: conversationId,
    files: 'a.txt',
  });
  Object.assign(ids, { '/messages/{id}': messageId, '/events/{id}': eventId });
  Object.assign(required, {
    searchMessages: { text: 'nowhere' },
    searchInbox: { text: 'x' },
    listBotMessages: { conversationId },
    listBotEvents: { conversationId },
    listBotApiKeys: { botId },
    getTableRow: { id: '1' },
    searchFiles: { query: 'refund words', limit: String(limits.searchResults) },
    listInboxConversations: { list: 'all' },
    getReport: { from: '2026-01-01', to: '2026-12-31', timeZone: 'UTC' },
    exportReport: { from: '2026-01-01', to: '2026-12-31', timeZone: 'UTC', table: reportTables[0] },
    exportVisitor: { pageSize: '1000' },
    listBotConversations: { pageSize: '1000' },
    listBotUsers: { pageSize: '1000' },
    listBotParticipants: { pageSize: '1000' },
  });
  counted = countTexts(server.db);
}

const queries = apis.flatMap(({ name, base, operations }) =>
  operations
    .filter(({ kind, method, auth }) => kind === 'query' && method === 'GET' && auth !== 'session')
    .map((operation) => ({ ...operation, api: name, base })),
);

function headersOf({ api, auth }: (typeof queries)[number]): Record<string, string> {
  if (api === 'chat') return { 'x-user-key': inbox.key };
  return auth === 'bot' ? inbox.ofBot : member.headers;
}

test.each(queries.map((operation) => [operation.id, operation] as const))(
  '%s reads a bounded number of bytes, and few of them before other requests run',
  async (id, operation) => {
    const { api, path, isHeavy } = operation;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent((name === 'id' ? (ids[path] ?? ids[api]) : ids[name]) ?? 'none'),
    );
    const address = `${operation.base.replace(/^\/chat\/.*/, base)}${filled}?${new URLSearchParams(required[id])}`;
    let status = 0;
    const { all, ofTurn } = await counted(async () => {
      ({ status } = await send('GET', address, headersOf(operation)));
    });
    expect([200, 404]).toContain(status);
    expect(ofTurn).toBeLessThanOrEqual(mostOfTurn);
    expect(all).toBeLessThanOrEqual(isHeavy ? mostOfHeavy : mostOfLight);
  },
);

describe('rows of a table', () => {
  const find = (body: object) =>
    counted(() => send('POST', '/v1/tables/ATable/rows/find', inbox.ofBot, body));

  test.each([
    ['a page', {}],
    ['a search', { search: 'words nowhere' }],
    ['a filter', { filter: { a: 'none' } }],
    ['an order', { orderBy: 'a', limit: 50 }],
    ['groups', { group: { a: 'count' } }],
  ])('are read in pieces for %s', async (_, body) => {
    const { all, ofTurn } = await find(body);
    expect(all).toBeGreaterThan(3_000_000);
    expect(ofTurn).toBeLessThanOrEqual(mostOfTurn);
  });
});

test('a search in messages goes on where the last one ended, and each one reads a megabyte', async () => {
  const found: number[] = [];
  let token = '';
  do {
    const query = new URLSearchParams({ text: 'FIRST', ...(token && { nextToken: token }) });
    const path = `${base}/messages/search?${query}`;
    let text = '';
    const { all } = await counted(async () => {
      ({ text } = await send('GET', path, { 'x-user-key': inbox.key }));
    });
    expect(all).toBeLessThanOrEqual(2 * limits.payloadBytes);
    const { messages, meta } = JSON.parse(text);
    found.push(messages.length);
    token = meta.nextToken ?? '';
  } while (token);
  expect(found.length).toBeGreaterThan(4);
  expect(found.reduce((sum, count) => sum + count)).toBe(1);
});

test('a search that finds messages with large metadata reads few of them, and finds all of them page by page', async () => {
  let token = '';
  let found = 0;
  do {
    const query = new URLSearchParams({ text: 'everywhere', ...(token && { nextToken: token }) });
    let text = '';
    const { all, ofTurn } = await counted(async () => {
      const path = `${base}/messages/search?${query}`;
      ({ text } = await send('GET', path, { 'x-user-key': inbox.key }));
    });
    expect(ofTurn).toBeLessThanOrEqual(mostOfTurn);
    expect(all).toBeLessThanOrEqual(mostOfTurn + limits.payloadBytes);
    const { messages, meta } = JSON.parse(text);
    found += messages.length;
    token = meta.nextToken ?? '';
  } while (token);
  expect(found).toBe(8);
});

test('a stream that missed more than it is sent again reads none of it', async () => {
  const { ofTurn, all } = await counted(async () => {
    const stream = await server.listen(inbox.key, inbox.conversationId, 0);
    await stream.cancel();
  });
  expect([ofTurn < 200_000, all < 200_000]).toEqual([true, true]);
});
