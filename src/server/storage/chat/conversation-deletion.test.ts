// Tests of the deletion of many conversations at once: nothing of others is touched, and usage stays right.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pollOptions, startTestServer, type TestServer } from '../../testing.ts';
import { deleteConversationRows, deleteConversations } from './conversation-deletion.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const tables = ['messages', 'events', 'signals', 'participants', 'invitations', 'deliveries'];

/** The number of rows of a conversation in each table. */
const rowsOf = (id: string) =>
  server.db.read(async (tx) => {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const rows = await tx.all(`SELECT 1 FROM ${table} WHERE conversation_id = ?`, id);
      counts[table] = rows.length;
    }
    return counts;
  });
const usage = () =>
  server.db.read((tx) =>
    tx.all<{ id: string; messages: number; bytes: number }>(
      'SELECT id, messages, bytes FROM usage ORDER BY id',
    ),
  );

/** Two users with some conversations each, in which both write messages and events. */
async function seed() {
  const users = [await server.user(), await server.user()] as const;
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const [owner, guest] = n % 2 ? users : [users[1], users[0]];
    const id = await server.conversation(owner.key);
    await server.join(owner.key, id, guest);
    for (const { key } of [owner, guest, owner]) {
      await server.sendMessage(key, id, 'x'.repeat(10 * (n + 1)), { 'idempotency-key': crypto.randomUUID() });
      await server.call('POST', '/events', { key, body: { conversationId: id, payload: { n } } });
    }
    ids.push(id);
  }
  // The bot has handled all events, whose rows end then.
  const deliveries = () => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries'));
  await expect.poll(deliveries, pollOptions).toEqual([]);
  return { users, ids };
}

/** The stored data of each user, counted again. */
const counted = (userIds: string[]) =>
  server.db.read(async (tx) => {
    const sums: Record<string, { messages: number; bytes: number }> = {};
    for (const id of userIds) {
      const messages = await tx.all<{ bytes: number }>(
        `SELECT octet_length(payload) + COALESCE(octet_length(metadata), 0) AS bytes FROM messages WHERE user_id = ?
         UNION ALL SELECT octet_length(payload) AS bytes FROM events WHERE user_id = ?`,
        id,
        id,
      );
      sums[id] = { messages: messages.length, bytes: messages.reduce((sum, { bytes }) => sum + bytes, 0) };
    }
    return sums;
  });

test('rows of many conversations are deleted in bounded steps, and those of others stay', async () => {
  const { users, ids } = await seed();
  const before = await Promise.all(ids.map(rowsOf));
  const gone = ids.slice(0, 4);
  expect(await server.db.write((tx) => deleteConversations(tx, gone))).toEqual(expect.arrayContaining(gone));
  const steps: number[] = [];
  do {
    steps.push(await server.db.write((tx) => deleteConversationRows(tx, gone, 7)));
  } while (steps.at(-1) === 7);
  // The cleanup of the server may remove some of them.
  expect(steps.length).toBeGreaterThan(0);
  expect(Math.max(...steps)).toBeLessThanOrEqual(7);
  for (const id of gone) expect(Object.values(await rowsOf(id)).every((count) => count === 0)).toBe(true);
  expect(await Promise.all(ids.slice(4).map(rowsOf))).toEqual(before.slice(4));
  const stored = new Map((await usage()).map(({ id, messages, bytes }) => [id, { messages, bytes }]));
  expect(gone.some((id) => stored.has(id))).toBe(false);
  for (const [id, expected] of Object.entries(await counted(users.map(({ id }) => id)))) {
    // The cached responses of idempotency keys are not part of it.
    expect(stored.get(id)).toEqual(expected);
  }
});

test('notes with several mentions, and notifications about the same message, are deleted in bounded steps, too', async () => {
  const id = 'conv_with_notes';
  await server.db.write(async (tx) => {
    for (const note of ['note_1', 'note_2', 'note_3'])
      for (const member of ['a', 'b', 'c', 'd', 'e'])
        await tx.run(
          'INSERT INTO note_mentions (conversation_id, note_id, member_id) VALUES (?, ?, ?)',
          id,
          note,
          member,
        );
    for (const target of ['a', 'b', 'c', 'd'])
      for (const channel of ['mail', 'push'])
        await tx.run(
          `INSERT INTO notifications (conversation_id, target, channel, from_seq, state) VALUES (?, ?, ?, 1, 'sent')`,
          id,
          target,
          channel,
        );
  });
  const steps: number[] = [];
  do {
    steps.push(await server.db.write((tx) => deleteConversationRows(tx, [id], 3)));
  } while ((steps.at(-1) ?? 0) >= 3);
  expect(steps).toEqual([3, 3, 3, 3, 3, 3, 3, 2]);
});

test('conversations that are deleted twice at once, in any order, are deleted and subtracted once', async () => {
  const { ids } = await seed();
  const bot = await server.db.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'));
  const before = (await usage()).find(({ id }) => id === bot?.id)?.messages ?? 0;
  const deleted = await Promise.all(
    [ids, ids.toReversed(), ids.slice(2), [...ids, 'conv_none']].map((some) =>
      server.db.write((tx) => deleteConversations(tx, some)),
    ),
  );
  expect(deleted.flat().sort()).toEqual([...ids].sort());
  const after = (await usage()).find(({ id }) => id === bot?.id)?.messages ?? 0;
  expect([before, after]).toEqual([36, 0]);
  expect(await server.db.write((tx) => deleteConversations(tx, ids))).toEqual([]);
});
