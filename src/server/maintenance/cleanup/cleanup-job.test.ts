// Tests of the order of the cleanup: what waits for what.
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Database, Tx } from '../../storage/database.ts';
import { openTestDatabase, pollOptions, startTestServer, type TestServer } from '../../testing.ts';

const servers: TestServer[] = [];
let search: ReturnType<typeof hold> | undefined;
afterEach(async () => {
  search?.release();
  for (const server of servers.splice(0)) await server.close();
});

/** Lets reads that ask for `value` wait. The result lets them go on. */
function hold(db: Database, value: string): { isAsked(): boolean; release(): void } {
  const { read } = db;
  const isHeld = new Error('The read is held.');
  let isAsked = false;
  let isReleased = false;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  db.read = async (work) => {
    const held = (tx: Tx): Tx => ({
      dialect: tx.dialect,
      all: tx.all,
      get(sql, ...values) {
        if (isReleased || !values.includes(value)) return tx.get(sql, ...values);
        throw isHeld;
      },
    });
    try {
      return await read((tx) => work(held(tx)));
    } catch (error) {
      if (error !== isHeld) throw error;
      // Not within the read, which could keep others from the database.
      isAsked = true;
      await released;
      return read(work);
    }
  };
  return {
    isAsked: () => isAsked,
    release() {
      isReleased = true;
      release();
    },
  };
}

test('deletions after a start do not wait for the search of orphaned files, and a stop waits for it', async () => {
  // The bytes are there before the only server: another one could remove them by a late search of its own.
  const home = await mkdtemp(join(tmpdir(), 'webchat-test-'));
  const folder = join(home, 'files');
  const orphan = 'file_01JD0000000000000000000000';
  await mkdir(folder);
  await writeFile(join(folder, orphan), 'orphan');
  const db = await openTestDatabase(home);
  search = hold(db, orphan);
  const server = await startTestServer({ db }, home);
  servers.push(server);
  await expect.poll(search.isAsked, pollOptions).toBe(true);

  const { key } = await server.user();
  await server.sendMessage(key, await server.conversation(key), 'to be deleted');
  expect((await server.call('DELETE', '/users/me', { key })).status).toBe(200);
  const messages = () => server.db.read((tx) => tx.all('SELECT id FROM messages'));
  await expect.poll(messages, pollOptions).toEqual([]);
  expect(await readdir(folder)).toContain(orphan);

  const closing = server.composition.close();
  search.release();
  await closing;
  expect(await readdir(folder)).not.toContain(orphan);
});
