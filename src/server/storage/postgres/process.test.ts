// Tests of a server process with DATABASE_URL: what it refuses, one process at a time, and what survives kill -9.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { useServerProcess } from '../../testing/process.testing.ts';
import { enter } from '../../testing/visitor.testing.ts';
import { testDatabaseOf } from './testing.ts';

const serverProcess = useServerProcess();
const { run, folder } = serverProcess;

const dataFolder = () => join(folder(), 'data');

async function query(sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: await testDatabaseOf(dataFolder()) });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Creates a user with a conversation and a message. */
async function enterWithMessage(at: string | (() => string)) {
  const visitor = await enter(at);
  expect((await visitor.send('hello')).status).toBe(201);
  return visitor;
}

test.each([
  [{ USER_KEY_SECRET: '' }, 'DATABASE_URL: set USER_KEY_SECRET, too'],
  [{ PUBLIC_URL: '' }, 'DATABASE_URL: set PUBLIC_URL, too'],
  [{ DATABASE_URL: 'mysql://localhost/chat' }, 'DATABASE_URL must be an address such as'],
  [
    { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/chat' },
    'DATABASE_URL: the database cannot be opened',
  ],
])('a start with %j is refused in one line without the password', async (env, message) => {
  const { exit, stderr } = await run(env);
  expect(await exit).toBe(1);
  expect(stderr()).toContain(message);
  expect(stderr().trimEnd().split('\n')).toHaveLength(1);
  expect(stderr()).not.toContain('hidden');
});

test('DATABASE_URL is not accepted as a flag, because every user of the machine can read a command line', async () => {
  const { exit, stderr } = await run({}, ['--database-url', 'postgres://user:hidden@127.0.0.1/chat']);
  expect(await exit).toBe(2);
  expect(stderr()).toContain('DATABASE_URL');
  expect(stderr()).not.toContain('hidden');
});

test('the data is in PostgreSQL, and the data folder has no database', async () => {
  const { url } = await run();
  await enterWithMessage(url);
  expect(JSON.stringify((await query('SELECT payload FROM messages')).rows)).toContain('hello');
  expect((await readdir(dataFolder())).filter((name) => name.endsWith('.db'))).toEqual([]);
});

test('a second process is refused in one line, also with another data folder, and the first one goes on', async () => {
  const { url } = await run();
  const { send } = await enterWithMessage(url);
  const second = await run({ DATA_DIR: join(folder(), 'other') });
  expect(await second.exit).toBe(1);
  expect(second.stderr().trim()).toBe(
    'DATABASE_URL: the database is in use by another process. Several processes need S3_URL, each of them the same.',
  );
  expect((await send('still here')).status).toBe(201);
});

test('after kill -9 the next process starts at once, with everything that was acknowledged', async () => {
  const first = await run();
  let { url } = first;
  const { send, texts } = await enterWithMessage(() => url);
  const sent = Array.from({ length: 20 }, (_, n) => `message ${n}`);
  for (const text of sent) expect((await send(text)).status).toBe(201);
  first.child.kill('SIGKILL');
  await first.exit;
  ({ url } = await run());
  expect(await texts()).toEqual(expect.arrayContaining(['hello', ...sent]));
});

test('a server that another process has replaced while the database was away stops', async () => {
  const { exit, stderr } = await run();
  const other = new pg.Client({ connectionString: await testDatabaseOf(dataFolder()) });
  await other.connect();
  // The lock is free for a moment: the other session waits for it.
  const taken = other.query("SELECT pg_advisory_lock(hashtextextended('platform-webchat process', 0))");
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'platform-webchat lock%'`,
  );
  await taken;
  expect(await exit).toBe(0);
  expect(stderr()).toContain('another process uses the database');
  await other.end();
});
