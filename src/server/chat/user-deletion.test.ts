// Tests of the deletion of a user: access ends at once, and data is deleted in bounded batches, also across a restart.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requesterFor } from '../admin/testing.ts';
import { findUser } from '../storage/chat/users.ts';
import type { Database, Value, WriteTx } from '../storage/database.ts';
import { byColumn, openTestDatabase, pollOptions, startTestServer, type TestServer } from '../testing.ts';
import { deleteUserNow } from './user-deletion.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ PARTICIPANTS: 'direct' });
});
afterEach(() => server.close());

const rowsOf = (table: string, db: Database = server.db) =>
  db.read(async (tx) => (await tx.all<Record<string, unknown>>(`SELECT * FROM ${table}`)).map(byColumn));

/** Deletes a user without waking the cleanup job: the state stays as it is before the job runs. */
async function deleteWithoutCleanup(id: string): Promise<void> {
  const bot = (await rowsOf('bots'))[0]?.id as string;
  await server.db.write(async (tx) => {
    const user = await findUser(tx, bot, id);
    if (!user) throw new Error(`There is no user ${id}.`);
    await deleteUserNow(tx, user, { now: Date.now, onUserRemoved() {} });
  });
}

/** Creates an owner with a foreign id and a guest, who are participants of a conversation of each. */
async function createFixture() {
  const owner = server.sign('owner');
  await server.call('POST', '/users/get-or-create', { key: owner, body: { name: 'Olga' } });
  const guest = await server.user({ name: 'Gast' });
  const conversationId = await server.conversation(owner, 'room');
  const other = await server.conversation(guest.key);
  const add = (key: string, id: string, userId: string) =>
    server.call('POST', `/conversations/${id}/participants`, { key, body: { userId } });
  await add(owner, conversationId, guest.id);
  await add(guest.key, other, 'owner');
  const messageId = await server.sendMessage(owner, conversationId, 'from the owner');
  const answer = await server.sendMessage(guest.key, conversationId, 'from the guest');
  const elsewhere = await server.sendMessage(owner, other, 'said elsewhere');
  const event = await server.call('POST', '/events', {
    key: owner,
    body: { conversationId, payload: { note: 1 } },
  });
  return {
    owner,
    guest,
    conversationId,
    other,
    said: messageId,
    answer,
    elsewhere,
    event: (event.body.event as { id: string }).id,
  };
}

describe('before the cleanup job runs', () => {
  test('the conversations of a deleted user are not accessible to other participants', async () => {
    const fixture = await createFixture();
    const file = (
      await server.call('POST', '/files', { key: fixture.owner, body: { key: 'a.txt', size: 3 } })
    ).body.file as { url: string; uploadUrl: string };
    const [upload, url] = [file.uploadUrl, file.url].map((text) => new URL(text).pathname) as [
      string,
      string,
    ];
    await server.fetch(upload, { method: 'PUT', body: 'abc' });
    expect(await (await server.fetch(url)).text()).toBe('abc');
    await deleteWithoutCleanup('owner');
    const { key } = fixture.guest;
    const at = `/conversations/${fixture.conversationId}`;
    const requests: [string, string, number, unknown?][] = [
      ['GET', at, 404],
      ['GET', `${at}/messages`, 403],
      ['GET', `${at}/participants`, 403],
      ['GET', `${at}/listen`, 403],
      ['DELETE', at, 404],
      ['POST', `${at}/typing`, 403, { typing: true }],
      [
        'POST',
        '/messages',
        403,
        { conversationId: fixture.conversationId, payload: { type: 'text', text: 'x' } },
      ],
      ['POST', '/events', 403, { conversationId: fixture.conversationId, payload: {} }],
      ['GET', `/messages/${fixture.said}`, 404],
      ['DELETE', `/messages/${fixture.answer}`, 404],
      ['GET', `/events/${fixture.event}`, 404],
    ];
    for (const [method, path, status, body] of requests) {
      const answer = await server.call(method, path, { key, body });
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} ${status}`);
    }
    expect((await server.call('GET', '/users/me', { key: fixture.owner })).status).toBe(401);
    expect((await server.fetch(url)).status).toBe(404);
    expect((await server.fetch(upload, { method: 'HEAD' })).status).toBe(404);
    const people = await server.call('GET', `/conversations/${fixture.other}/participants`, { key });
    expect(people.body.participants).toMatchObject([{ id: fixture.guest.id }]);
    expect((await rowsOf('conversations')).length).toBe(2);
  });

  test('the conversations of a deleted user are in no list of the bot and in no dead letter', async () => {
    const fixture = await createFixture();
    const bot = (await rowsOf('bots'))[0]?.id as string;
    const send = requesterFor(server, server.admin.token ?? '', server.admin.workspaceId);
    const token = (await send('POST', '/tokens', { name: 'b', kind: 'bot', botId: bot })).body
      .value as string;
    const asBot = async (path: string, body?: unknown) => {
      const response = await server.fetch(`/v1/chat${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'x-bot-id': bot, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
      return { status: response.status, body: (await response.json()) as any };
    };
    const rows = await rowsOf('conversations');
    const id = rows.find((row) => row.foreign_id === 'room')?.id as string;
    await server.db.write((tx) =>
      tx.run(
        `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, created_at, state, failed_at)
         VALUES ('evt_dead', ?, ?, 999, ?, 'message', 1, 'dead', 1)`,
        id,
        bot,
        fixture.guest.id,
      ),
    );
    expect((await asBot('/conversations')).body.conversations).toHaveLength(2);
    expect((await send('GET', `/bots/${bot}/dead-letters`)).body.deadLetters).toHaveLength(1);
    await deleteWithoutCleanup('owner');
    expect((await asBot('/conversations')).body.conversations).toMatchObject([{ id: fixture.other }]);
    expect((await asBot(`/conversations?userId=${fixture.guest.id}`)).body.conversations).toHaveLength(1);
    expect((await asBot(`/conversations/${id}`)).status).toBe(404);
    expect((await asBot(`/messages?conversationId=${id}`)).status).toBe(404);
    expect((await asBot(`/messages/${fixture.answer}`)).status).toBe(404);
    expect((await asBot('/streams', { conversationId: id })).status).toBe(404);
    const payload = { type: 'text', text: 'x' };
    expect((await asBot('/messages', { conversationId: id, payload })).status).toBe(404);
    expect((await send('GET', `/bots/${bot}/dead-letters`)).body.deadLetters).toEqual([]);
    expect((await send('DELETE', `/bots/${bot}/dead-letters/evt_dead`)).status).toBe(404);
  });

  test('the ids of the user and of their conversations are free, and a new owner gets no data of the old one', async () => {
    const fixture = await createFixture();
    const headers = { 'idempotency-key': 'the same key' };
    const getOrCreate = () =>
      server.call('POST', '/users/get-or-create', { key: fixture.owner, body: { name: 'New' }, headers });
    expect((await getOrCreate()).status).toBe(201);
    await deleteWithoutCleanup('owner');
    const deletedAt = Date.now();
    expect((await getOrCreate()).body.type).toBe('Unauthorized');
    // Only a key that is signed after the deletion, in a later millisecond, is valid for the new user.
    await expect.poll(() => Date.now(), pollOptions).toBeGreaterThan(deletedAt);
    const key = server.sign('owner', { iat: Date.now() / 1_000 + 60 });
    expect((await server.call('POST', '/users/get-or-create', { key, body: {} })).status).toBe(201);
    expect((await server.call('GET', `/conversations/${fixture.other}/messages`, { key })).status).toBe(403);
    // The new user is invited before the old one is removed: participants must not be notified that this id left.
    const guest = { key: fixture.guest.key };
    await server.call('POST', `/conversations/${fixture.other}/participants`, {
      ...guest,
      body: { userId: 'owner' },
    });
    const stream = await server.listen(fixture.guest.key, fixture.other);
    const conversation = await server.call('POST', '/conversations', { key, body: { id: 'room' } });
    expect(conversation.status).toBe(201);
    const list = await server.call('GET', '/conversations/room/messages', { key });
    expect(list.body.messages).toEqual([]);
    await server.composition.cleanUp();
    expect((await server.call('GET', '/conversations/room', { key })).status).toBe(200);
    const removed = await stream.untilType('participant_removed');
    expect(removed.data.participantId).toMatch(/^user_/);
    const people = await server.call('GET', `/conversations/${fixture.other}/participants`, guest);
    expect(people.body.participants).toHaveLength(2);
  });

  test('a restart continues the deletion', async () => {
    await createFixture();
    await deleteWithoutCleanup('owner');
    server = await server.restart();
    await expect.poll(() => rowsOf('deletions'), pollOptions).toEqual([]);
    expect(await rowsOf('conversations')).toHaveLength(1);
    expect(JSON.stringify(await rowsOf('messages'))).not.toContain('from the');
    expect(JSON.stringify(await rowsOf('messages'))).toContain('said elsewhere');
    expect(JSON.stringify(await rowsOf('signals'))).not.toContain('"owner"');
  });
});

test('a deletion closes streams at once, notifies participants of other conversations and cancels bot code', async () => {
  let stopped = 0;
  let begun = 0;
  await server.close();
  server = await startTestServer({
    PARTICIPANTS: 'direct',
    handler: (event, bot) =>
      new Promise((resolve) => {
        if (event.type !== 'text' || event.preview !== 'from the owner') return resolve();
        begun += 1;
        bot.signal.addEventListener('abort', () => {
          stopped += 1;
          resolve();
        });
      }),
  });
  const fixture = await createFixture();
  await expect.poll(() => begun, pollOptions).toBe(1);
  const [own, shared, elsewhere] = [
    await server.listen(fixture.owner, fixture.conversationId),
    await server.listen(fixture.guest.key, fixture.conversationId),
    await server.listen(fixture.guest.key, fixture.other),
  ];
  expect((await server.call('DELETE', '/users/me', { key: fixture.owner })).status).toBe(200);
  await own.ended;
  await shared.ended;
  expect((await elsewhere.untilType('participant_removed')).data.participantId).toBe('owner');
  await expect.poll(() => stopped, pollOptions).toBe(1);
  await expect.poll(() => rowsOf('deliveries'), pollOptions).toEqual([]);
  await elsewhere.cancel();
});

test('a user who is deleted twice, also concurrently, is deleted once', async () => {
  const { key } = await server.user();
  const remove = () => server.call('DELETE', '/users/me', { key });
  const both = await Promise.all([remove(), remove()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await remove()).status).toBe(401);
  await server.composition.cleanUp();
  expect(await rowsOf('deletions')).toEqual([]);
});

/** The recorded effects of a transaction. */
interface Transaction {
  deleted: number;
  isMessage: boolean;
}

/** A database that records the transactions which delete rows or store messages. */
function recorded(db: Database): Database & { records: Transaction[] } {
  const records: Transaction[] = [];
  return {
    ...db,
    records,
    write: (work) =>
      db.write(async (tx) => {
        const record: Transaction = { deleted: 0, isMessage: false };
        const run: WriteTx['run'] = async (sql, ...values) => {
          const changes = await tx.run(sql, ...values);
          if (/^\s*DELETE/i.test(sql)) record.deleted += changes;
          if (/INSERT INTO messages/.test(sql)) record.isMessage = true;
          return changes;
        };
        // A statement that returns the rows which it deletes.
        const all: WriteTx['all'] = async <Row>(sql: string, ...values: Value[]) => {
          const rows = await tx.all<Row>(sql, ...values);
          if (/^\s*DELETE/i.test(sql)) record.deleted += rows.length;
          return rows;
        };
        const result = await work({ ...tx, run, all });
        if (record.deleted > 0 || record.isMessage) records.push(record);
        return result;
      }),
  };
}

test('5,000 conversations are deleted in transactions of at most 1,000 rows, with other writes in between', async () => {
  const db = recorded(await openTestDatabase(await mkdtemp(join(tmpdir(), 'webchat-'))));
  const many = await startTestServer({ db });
  const { id, key } = await many.user();
  const other = await many.user();
  const conversationId = await many.conversation(other.key);
  const bot = (await rowsOf('bots', db))[0]?.id as string;
  await db.write(async (tx) => {
    const counter = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)';
    await tx.run(
      `INSERT INTO conversations (id, bot_id, owner_id, created_at, updated_at)
       ${counter} SELECT 'conv_' || i, ?, ?, 1, 1 FROM n`,
      bot,
      id,
    );
    await tx.run(
      `INSERT INTO participants (conversation_id, user_id) ${counter} SELECT 'conv_' || i, ? FROM n`,
      id,
    );
    for (const seq of [1, 2]) {
      await tx.run(
        `INSERT INTO messages (id, conversation_id, seq, user_id, is_bot, payload, created_at)
         ${counter} SELECT 'msg_' || i || '_${seq}', 'conv_' || i, ${seq}, ?, 0, '{}', 1 FROM n`,
        id,
      );
    }
  });
  db.records.length = 0;
  expect((await many.call('DELETE', '/users/me', { key })).status).toBe(200);
  while ((await rowsOf('deletions', db)).length > 0)
    await many.sendMessage(other.key, conversationId, 'meanwhile');
  await many.composition.cleanUp();
  const { records } = db;
  expect((await rowsOf('conversations', db)).length).toBe(1);
  expect(await rowsOf('participants', db)).toHaveLength(1);
  expect(await rowsOf('deletions', db)).toEqual([]);
  expect(records.reduce((sum, { deleted }) => sum + deleted, 0)).toBeGreaterThan(20_000);
  expect(Math.max(...records.map(({ deleted }) => deleted))).toBeLessThanOrEqual(1_000);
  // A remote database writes messages at the same time.
  const longest = db.isRemote ? Number.POSITIVE_INFINITY : 5;
  // Only a few batches run between two messages of other users.
  const lastMessage = records.findLastIndex(({ isMessage }) => isMessage);
  const runs = records
    .slice(0, lastMessage)
    .map(({ isMessage }) => (isMessage ? ' ' : 'd'))
    .join('')
    .split(' ');
  expect(runs.length).toBeGreaterThan(10);
  expect(Math.max(...runs.map(({ length }) => length))).toBeLessThanOrEqual(longest);
  await many.close();
  await db.close();
});
