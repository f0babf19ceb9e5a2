// Tests that nothing of a note and its files stays behind, whatever ends them: no row of any table has their ids or their
// words, and no file of the data folder their bytes.
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AdminFixture, createAdminFixture } from '../../admin/testing.ts';
import { allRows, pollOptions } from '../../testing.ts';

const day = 24 * 60 * 60 * 1000;
let clock: number;
let fixture: AdminFixture;
beforeEach(async () => {
  clock = Date.now();
  fixture = await createAdminFixture({ now: () => clock });
});
afterEach(() => fixture.server.close());

type Headers = Record<string, string>;

/** Sends a request as a client does: one that creates something has an idempotency key. */
async function send(method: string, path: string, headers: Headers, body?: unknown) {
  const response = await fixture.server.fetch(path, {
    method,
    headers: {
      ...headers,
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([method, path, response.status < 300]).toEqual([method, path, true]);
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
  return (await response.json()) as any;
}

/** A bot of its own workspace, with a conversation that has a note with a file and a mention, and files that wait for a note. */
async function seed() {
  const created = (await fixture.owner('POST', '/workspaces', { name: 'T', email: 't@example.com' })).body;
  const workspaceId = created.workspace.id as string;
  const owner = { authorization: `Bearer ${created.value}`, 'x-workspace-id': workspaceId };
  const { bot } = await send('POST', '/v1/admin/bots', owner, { name: 'Shop', webhookId: 'shop' });
  const ofBot = { ...owner, 'x-bot-id': bot.id as string };
  const visitor = await send('POST', '/chat/shop/users', {}, {});
  const ofVisitor = { 'x-user-key': visitor.key as string };
  const { conversation } = await send('POST', '/chat/shop/conversations', ofVisitor, {});
  const at = `/v1/inbox/conversations/${conversation.id}`;
  await send('POST', `/v1/chat/conversations/${conversation.id}/handoff`, ofBot, {});

  const announce = async (name: string) => {
    const body = { key: `xanadu-${name}.txt`, size: 20, contentType: 'text/plain' };
    const { file } = await send('POST', `${at}/note-files`, owner, body);
    return { id: file.id as string, path: new URL(file.uploadUrl).pathname };
  };
  const upload = async (name: string) => {
    const { id, path } = await announce(name);
    const stored = await fixture.server.fetch(path, { method: 'PUT', body: 'xanadu-bytes'.padEnd(20) });
    expect(stored.status).toBe(204);
    return id;
  };
  const attached = await upload('attached');
  const mentions = [created.token.memberId as string];
  const body = { body: 'xanadu-note', fileIds: [attached], mentions };
  const noteId = (await send('POST', `${at}/notes`, owner, body)).note.id as string;
  const waiting = await upload('waiting');
  const half = await announce('half');
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const part = await fixture.server.fetch(half.path, { method: 'PATCH', headers, body: 'xanadu-by' });
  expect(part.status).toBe(204);
  const close = async () => {
    const { seq } = await send('GET', `${at}/timeline`, owner);
    await send('POST', `${at}/take`, owner, { seenSeq: seq });
    await send('POST', `${at}/close`, owner, {});
  };
  return {
    ...{ workspaceId, owner, ofBot, ofVisitor, close, at },
    botId: bot.id as string,
    visitorId: visitor.user.id as string,
    conversationId: conversation.id as string,
    ...{ noteId, attached, waiting, half: half.id },
  };
}

type Seeded = Awaited<ReturnType<typeof seed>>;

/** The rows that contain one of the words, and the files of the data folder by their names. */
async function found(words: readonly string[]): Promise<string[]> {
  // The audit trail says what was done to which id for as long as it is kept.
  const { requests = [], ...tables } = await allRows(fixture.server.db, ['audit_log']);
  // A key of a request and the id of what it created are kept, so that a late retry does not create it again.
  const responses = requests.map((request) => (request as { response: string | null }).response);
  const rows = Object.entries({ ...tables, responses }).flatMap(([table, all]) =>
    all.map((row) => `${table}: ${JSON.stringify(row)}`),
  );
  const folder = await readdir(join(fixture.server.home, 'files')).catch(() => []);
  return [...rows, ...folder.map((name) => `files/${name}`)].filter((line) =>
    words.some((word) => line.includes(word)),
  );
}

/** The ids of the note and of all of its files, and the words of both. */
const everything = ({ noteId, attached, waiting, half }: Seeded) => [
  noteId,
  attached,
  waiting,
  half,
  'xanadu',
];

const ends: [
  name: string,
  act: (seeded: Seeded) => Promise<unknown>,
  words?: (seeded: Seeded) => string[],
][] = [
  [
    'the note is deleted',
    ({ at, owner, noteId }) => send('DELETE', `${at}/notes/${noteId}`, owner),
    ({ noteId, attached }) => [noteId, attached, 'xanadu-note', 'xanadu-attached'],
  ],
  [
    'the visitor deletes the conversation',
    ({ conversationId, ofVisitor }) =>
      send('DELETE', `/chat/shop/conversations/${conversationId}`, ofVisitor),
  ],
  [
    'the bot deletes the conversation',
    ({ conversationId, ofBot }) => send('DELETE', `/v1/chat/conversations/${conversationId}`, ofBot),
  ],
  ['the visitor deletes themselves', ({ ofVisitor }) => send('DELETE', '/chat/shop/users/me', ofVisitor)],
  [
    'the bot deletes the visitor',
    ({ visitorId, ofBot }) => send('DELETE', `/v1/chat/users/${visitorId}`, ofBot),
  ],
  [
    'an administrator deletes the visitor',
    ({ botId, visitorId, owner }) => send('DELETE', `/v1/admin/bots/${botId}/users/${visitorId}`, owner),
  ],
  ['the bot is deleted', ({ botId, owner }) => send('DELETE', `/v1/admin/bots/${botId}`, owner)],
  ['the workspace is deleted', ({ workspaceId }) => fixture.owner('DELETE', `/workspaces/${workspaceId}`)],
  [
    'the retention period of conversations is over',
    async ({ botId, owner, close }) => {
      await send('PUT', `/v1/admin/bots/${botId}/retention`, owner, { messagesDays: 30 });
      await close();
      clock += 31 * day;
    },
  ],
  [
    'the retention period of files is over',
    async ({ botId, owner, close }) => {
      await send('PUT', `/v1/admin/bots/${botId}/retention`, owner, { filesDays: 30 });
      await close();
      clock += 31 * day;
    },
    ({ attached, waiting, half }) => [attached, waiting, half],
  ],
  [
    'no note has come for a day',
    async () => {
      clock += day + 1_000;
    },
    ({ waiting, half }) => [waiting, half, 'xanadu-waiting', 'xanadu-half'],
  ],
];

test.each(ends)('nothing of a note and its files is left when %s', async (_, act, words = everything) => {
  const seeded = await seed();
  const wanted = words(seeded);
  for (const word of wanted) expect([word, (await found([word])).length > 0]).toEqual([word, true]);
  await act(seeded);
  await expect
    .poll(async () => {
      await fixture.server.composition.cleanUp();
      return found(wanted);
    }, pollOptions)
    .toEqual([]);
});
