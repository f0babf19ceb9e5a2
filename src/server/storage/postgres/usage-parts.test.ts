// Tests that the messages of several processes do not wait for each other to count the usage of their bot, and that its
// quotas have the sum nevertheless.
import { beforeEach, describe, expect, test } from 'vitest';
import { startTestServer } from '../../testing.ts';
import type { Database, WriteTx } from '../database.ts';
import { mergeParts } from '../move.ts';
import { addUsage, deleteUsage, releaseUsage, releaseUsages } from '../usage.ts';
import { usePostgres } from './databases.testing.ts';
import { openPostgres } from './postgres.ts';

const item = { messages: 1, bytes: 10, files: 0, hour: 7, hourBytes: 10 };
const add = (tx: WriteTx, userId: string, more: Partial<typeof item> = {}) =>
  addUsage(tx, { userId, botId: 'bot' }, { ...item, ...more });

/** Adds to the usage of the bot in a transaction that stays open until the returned function is called. */
async function addAndStay(db: Database, userId: string, botId = 'bot'): Promise<() => Promise<unknown>> {
  let end = () => {};
  let written: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    written = db.write(async (tx) => {
      await addUsage(tx, { userId, botId }, item);
      resolve();
      await new Promise<void>((ended) => {
        end = ended;
      });
    });
    written.catch(reject);
  });
  return () => {
    end();
    return written;
  };
}

/** Adds as a process that does not wait for the rows of others. */
const addAtOnce = (db: Database, userId: string, more?: Partial<typeof item>) =>
  db.write(async (tx) => {
    await tx.run('SET LOCAL lock_timeout = 1');
    return add(tx, userId, more);
  });

describe('the usage of a bot', () => {
  const postgres = usePostgres();
  let first: Database;
  let second: Database;
  beforeEach(async () => {
    [first, second] = [await postgres.open(), await postgres.open()];
  });

  const rowsOf = (id: string) =>
    first.read((tx) =>
      tx.all<{ id: string; messages: number; bytes: number }>(
        "SELECT id, messages, bytes FROM usage WHERE id >= ? AND id < ? || '!' ORDER BY id",
        id,
        id,
      ),
    );

  test('is one row while its transactions follow each other', async () => {
    for (const db of [first, second, first]) await addAtOnce(db, 'user');
    expect(await rowsOf('bot')).toEqual([{ id: 'bot', messages: 3, bytes: 30 }]);
  });

  test('is counted while a process is frozen inside of a transaction', async () => {
    await addAtOnce(second, 'before');
    const ends = [await addAndStay(first, 'frozen'), await addAndStay(first, 'frozen, too')];
    const [, bot] = (await addAtOnce(second, 'user')).toSorted((a, b) => (a.id < b.id ? 1 : -1));
    // Its own, and those that are committed.
    expect(bot).toEqual({
      id: 'bot',
      messages: 2,
      bytes: 20,
      files: 0,
      hour: 7,
      hourMessages: 2,
      hourBytes: 20,
    });
    for (const end of ends) await end();
    const rows = await addAtOnce(second, 'user');
    expect(rows.find(({ id }) => id === 'bot')).toMatchObject({ messages: 5, hourMessages: 5 });
  });

  test('is the sum of all that is counted at the same time', async () => {
    const ends = await Promise.all([addAndStay(first, 'a'), addAndStay(second, 'b'), addAndStay(first, 'c')]);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? first : second).write((tx) => add(tx, `${n}`))),
    );
    for (const end of ends) await end();
    const rows = await first.write((tx) => add(tx, 'last'));
    expect(rows.find(({ id }) => id === 'bot')).toMatchObject({ messages: 44, bytes: 440, hourMessages: 44 });
  });

  test('counts the hours of its parts only where they are the same', async () => {
    const end = await addAndStay(first, 'a');
    await addAtOnce(second, 'b', { hour: 8 });
    await end();
    const rows = await addAtOnce(second, 'c', { hour: 9 });
    expect(rows.find(({ id }) => id === 'bot')).toMatchObject({ messages: 3, hour: 9, hourMessages: 1 });
  });

  test('is reduced, merged and deleted with all its parts', async () => {
    const ends = [await addAndStay(first, 'a'), await addAndStay(first, 'b')];
    await addAtOnce(second, 'c');
    for (const end of ends) await end();
    expect((await rowsOf('bot')).map(({ id }) => id)).toEqual(['bot', 'bot 1', 'bot 2']);
    // As after a transaction that has counted first, and was rolled back.
    await first.write((tx) => tx.run("DELETE FROM usage WHERE id = 'bot'"));
    await first.write((tx) => releaseUsage(tx, { botId: 'bot' }, { messages: 1, bytes: 5, files: 0 }));
    await first.write((tx) => releaseUsages(tx, [{ id: 'bot', messages: 1, bytes: 5, files: 0 }]));
    await first.write(mergeParts);

    expect(await rowsOf('bot')).toEqual([{ id: 'bot', messages: 0, bytes: 10 }]);
    const end = await addAndStay(first, 'd');
    await addAtOnce(second, 'e');
    await end();
    await first.write((tx) => deleteUsage(tx, 'bot'));
    expect(await rowsOf('bot')).toEqual([]);
  });
});

test('messages of visitors are stored while another process is frozen in the middle of one for the same bot', async () => {
  const server = await startTestServer();
  const other = await openPostgres(server.db.location);
  try {
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    await server.sendMessage(key, conversationId, 'one');
    const bot = await other.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'));
    const thaw = await addAndStay(other, 'user', bot?.id);
    await server.sendMessage(key, conversationId, 'two').finally(thaw);
    const rows = await other.write((tx) => addUsage(tx, { userId: 'user', botId: bot?.id ?? '' }, item));
    expect(rows.find(({ id }) => id === bot?.id)).toMatchObject({ messages: 4 });
  } finally {
    await other.close();
    await server.close();
  }
});
