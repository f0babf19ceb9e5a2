// Tests that deleted data leaves the data folder: every file of the folder is searched for texts that a visitor sent.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqlite } from '../../storage/sqlite.ts';
import { pollOptions, startTestServer, type TestServer } from '../../testing.ts';
import { textsOfFolder } from './found-files.testing.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

/** The files of the data folder that contain a text, with the surrounding text. */
async function found(word: string): Promise<string[]> {
  return (await textsOfFolder(server.home)).flatMap(({ name, text }) => {
    const at = text.indexOf(word.toLowerCase());
    return at < 0 ? [] : [`${name}: ${JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))}`];
  });
}

async function clean(word: string): Promise<void> {
  await expect
    .poll(async () => {
      await server.composition.cleanUp();
      return found(word);
    }, pollOptions)
    .toEqual([]);
}

let count = 0;
const headers = () => ({ 'idempotency-key': `a key of a test ${count++}` });

/** Creates a visitor with a text that begins with `mark` in every field. */
async function visitor(mark: string, isNamed = false) {
  // With UTF-8 and characters that JSON escapes. The tests search for the plain part at the beginning.
  const markedText = (field: string) => `${mark}${field} "Grüße\\ 👍`;
  const fields = {
    name: markedText('Name'),
    profile: markedText('Profile'),
    pictureUrl: `https://pictures.test/${mark}`,
  };
  const made = isNamed
    ? { key: server.sign(`${mark}-fid`), id: '' }
    : await server.user({ name: markedText('First') });
  const { key } = made;
  const post = (path: string, body: unknown) => server.call('POST', path, { key, body, headers: headers() });
  await post('/users/get-or-create', fields);
  await post('/users/get-or-create', { ...fields, name: markedText('Renamed') });
  await server.call('PUT', '/users/me', { key, body: { ...fields, name: markedText('Changed') } });
  const conversation = await post('/conversations', { id: `${mark}-room` });
  const conversationId = (conversation.body.conversation as { id: string }).id;
  const payload = { type: 'text', text: markedText('Text'), [`${mark}Extra`]: markedText('Extra') };
  const message = await post('/messages', {
    conversationId,
    payload,
    metadata: { [`${mark}Key`]: markedText('Metadata') },
  });
  const messageId = (message.body.message as { id: string }).id;
  await post('/events', { conversationId, payload: { [`${mark}Key`]: markedText('Event') } });
  const bytes = `${markedText('Bytes')}`;
  const file = await post('/files', { key: `${mark}.txt`, size: Buffer.byteLength(bytes) });
  const { uploadUrl } = file.body.file as { uploadUrl: string };
  await server.fetch(new URL(uploadUrl).pathname, { method: 'PUT', body: bytes });
  await post('/files', { key: `${mark}-never-sent.txt`, size: 10 });
  const list = async () =>
    (await server.call('GET', `/conversations/${conversationId}/messages`, { key })).body.messages as {
      id: string;
      userId: string;
      payload: { text: string };
    }[];
  return { key, conversationId, messageId, post, list, markedText };
}

/** A bot that repeats the text of the visitor in a message, an event and the configuration of the page. */
const echo = {
  handler: async (
    event: { type: string; preview: string },
    bot: {
      reply(payload: object): Promise<unknown>;
      sendEvent(payload: object): Promise<unknown>;
      configure(configuration: object): Promise<unknown>;
    },
  ) => {
    if (event.type !== 'text') return;
    await bot.reply({ type: 'text', text: `You said: ${event.preview}` });
    await bot.sendEvent({ said: event.preview });
    await bot.configure({ botName: event.preview.slice(0, 30) });
  },
} as never;

for (const isNamed of [false, true]) {
  test(`the data folder contains no text of ${isNamed ? 'a named' : 'an anonymous'} visitor after the deletion`, async () => {
    await server.close();
    server = await startTestServer(echo);
    const v = await visitor('xanadu', isNamed);
    const other = await visitor('stays');
    await expect.poll(async () => (await v.list()).length, pollOptions).toBe(2);
    const answer = (await v.list()).find(({ payload }) => payload.text.startsWith('You said')) ?? { id: '' };
    for (const comment of [v.markedText('Feedback'), v.markedText('Comment')]) {
      await server.call('PUT', `/messages/${answer.id}/feedback`, {
        key: v.key,
        body: { value: 'negative', comment },
      });
    }
    const add = { userId: isNamed ? 'xanadu-fid' : ((await v.list())[1]?.userId ?? '') };
    await other.post(`/conversations/${other.conversationId}/participants`, add);
    expect((await found('xanadu')).length).toBeGreaterThan(0);
    expect((await server.call('DELETE', '/users/me', { key: v.key })).status).toBe(200);
    await clean('xanadu');
    expect((await found('staysText')).length).toBeGreaterThan(0);
    expect((await other.list()).length).toBe(2);
  });
}

test('the data folder contains no text of a deleted conversation, including texts of other participants', async () => {
  const v = await visitor('xanadu');
  const guest = await server.user();
  await v.post(`/conversations/${v.conversationId}/participants`, { userId: guest.id });
  await server.sendMessage(guest.key, v.conversationId, 'ulalume', headers());
  await server.call('DELETE', `/conversations/${v.conversationId}`, { key: v.key });
  await clean('xanaduText');
  await clean('xanaduMetadata');
  await clean('xanaduEvent');
  await clean('ulalume');
  expect((await found('xanaduBytes')).length).toBe(1);
});

test('the data folder contains no tag and no state of a deleted conversation or user', async () => {
  const { workspaceId, token } = server.admin;
  const visitors = await server.user();
  const conversationId = await server.conversation(visitors.key);
  const bot = await server.db.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'));
  const runtime = async (method: string, path: string, body: unknown) => {
    const response = await server.fetch(`/v1/chat/${path}`, {
      method,
      headers: {
        ...headers(),
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        'x-bot-id': bot?.id ?? '',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    expect([path, response.status < 300]).toEqual([path, true]);
    return (await response.json()) as { message: { id: string } };
  };
  const payload = { type: 'text', text: 'x' };
  await runtime('POST', 'messages', { conversationId, payload, tags: { a: 'ulalumeMessage' } });
  await runtime('PUT', `conversations/${conversationId}`, { tags: { a: 'ulalumeConversation' } });
  await runtime('POST', `states/conversation/${conversationId}/a`, { payload: { a: 'ulalumeState' } });
  await runtime('PUT', `users/${visitors.id}`, {
    tags: { a: 'xanaduUser' },
    attributes: { b: 'xanaduAttribute' },
  });
  await runtime('POST', `states/user/${visitors.id}/a`, { payload: { a: 'xanaduState' } });
  await runtime('POST', `states/user/${visitors.id}/b`, { payload: { a: 'lenore' } });
  await runtime('POST', `states/user/${visitors.id}/b`, { payload: null });
  await clean('lenore');
  await runtime('DELETE', `conversations/${conversationId}`, {});
  await clean('ulalume');
  expect((await found('xanadu')).length).toBeGreaterThan(0);
  await runtime('DELETE', `users/${visitors.id}`, {});
  await clean('xanadu');
});

test('the data folder contains no text of a deleted message or of an overwritten profile', async () => {
  const v = await visitor('xanadu');
  await server.call('DELETE', `/messages/${v.messageId}`, { key: v.key });
  await clean('xanaduText');
  await clean('xanaduMetadata');
  await server.call('PUT', '/users/me', { key: v.key, body: { name: 'other' } });
  await clean('xanaduChanged');
});

/** Opens a reader as a backup does. Until it is closed, nothing leaves the write-ahead log. */
async function openReader() {
  const DatabaseSync = await sqlite();
  const reader = new DatabaseSync(join(server.home, 'platform.db'), { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT COUNT(*) FROM messages').get();
  return reader;
}

test('after a crash, deleted texts leave the write-ahead log at the next start', async () => {
  const reader = await openReader();
  const v = await visitor('xanadu');
  await server.call('DELETE', '/users/me', { key: v.key });
  // The server removes the visitor's files after its response. A file that disappears would end the copy.
  await expect.poll(() => readdir(join(server.home, 'files')), pollOptions).toEqual([]);
  // The files as a crash leaves them: the write-ahead log exists.
  expect((await found('xanadu')).some((hit) => hit.startsWith('platform.db-wal'))).toBe(true);
  const { cp } = await import('node:fs/promises');
  const copy = `${server.home}-copy`;
  await cp(server.home, copy, { recursive: true });
  reader.close();
  await server.close();
  server = await startTestServer({}, copy);
  await expect.poll(() => found('xanadu'), pollOptions).toEqual([]);
});

test('a reader that blocks the write-ahead log delays no request, and deleted texts leave the log when it is closed', async () => {
  const v = await visitor('xanadu');
  const backup = await openReader();
  await server.call('DELETE', '/users/me', { key: v.key });
  await server.composition.cleanUp();
  expect(await server.db.purge()).toBe(false);
  expect((await found('xanadu')).length).toBeGreaterThan(0);
  expect((await server.user()).id).toMatch(/^user_/);
  backup.close();
  await clean('xanadu');
});

test('users who are deleted in any order leave no data', async () => {
  const owner = await server.user();
  const conversationId = await server.conversation(owner.key);
  const keys: string[] = [];
  for (let user = 0; user < 12; user += 1) {
    const { key } = await server.user({ name: 'xanadu' });
    const own = await server.conversation(key);
    for (let n = 0; n < 12; n += 1) {
      const text = `xanadu ${'x'.repeat((user * 977 + n * 331) % 6_000)}`;
      await Promise.all([
        server.sendMessage(key, own, text, headers()),
        server.sendMessage(owner.key, conversationId, 'z'.repeat((user * 577 + n * 131) % 900), headers()),
      ]);
    }
    keys.push(key);
    if (user % 3 === 2)
      await server.call('DELETE', '/users/me', { key: keys.splice(user % keys.length, 1)[0] });
  }
  for (const key of keys) await server.call('DELETE', '/users/me', { key });
  await clean('xanadu');
});

test('no replay names a deleted user who had left the conversation, and replays still name the remaining participants', async () => {
  const owner = await server.user();
  const conversationId = await server.conversation(owner.key);
  const guest = { id: 'xanadu-fid', key: server.sign('xanadu-fid') };
  await server.call('POST', '/users/get-or-create', { key: guest.key, body: {} });
  await server.join(owner.key, conversationId, guest);
  const messageId = await server.sendMessage(guest.key, conversationId, 'a word');
  let replays = 0;
  const replay = async () => {
    // Another text each time: the others are replayed, too.
    replays += 1;
    const text = `the end ${replays}`;
    const stream = await server.listen(owner.key, conversationId, 0);
    await server.sendMessage(owner.key, conversationId, text);
    await stream.until(({ data }) => data.includes(text));
    await stream.cancel();
    return JSON.stringify(stream.frames.map(({ signal }) => signal));
  };
  expect(await replay()).toContain('"participantId":"xanadu-fid"');
  await server.call('DELETE', `/conversations/${conversationId}/participants/xanadu-fid`, { key: owner.key });
  await server.call('DELETE', `/messages/${messageId}`, { key: guest.key });
  expect((await replay()).match(/xanadu-fid/g)).toHaveLength(3);
  expect((await server.call('DELETE', '/users/me', { key: guest.key })).status).toBe(200);
  await clean('xanadu');
  expect(await replay()).not.toContain('xanadu');
});
