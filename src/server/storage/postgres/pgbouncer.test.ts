// Tests a server behind a real PgBouncer: in session mode as it is, in transaction mode with an additional direct address.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTcpProxy } from '../../../../e2e/support/faults/tcp-proxy.ts';
import { startPgbouncer } from '../../../../scripts/services/pgbouncer.mjs';
import { useServerProcess } from '../../testing/process.testing.ts';
import { enter } from '../../testing/visitor.testing.ts';
import { pollOptions, readStream } from '../../testing.ts';
import { enqueueDeletion } from '../deletions.ts';
import { usePostgres } from './databases.testing.ts';
import { openPostgres } from './postgres.ts';
import { lockDatabase } from './process-lock.ts';
import { inspectSessions } from './sessions.ts';
import { testDatabaseOf } from './testing.ts';

const postgres = usePostgres();
let direct: string;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  direct = await postgres.url();
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function pooler(mode: 'transaction' | 'session', settings = {}, target = direct): Promise<string> {
  const { url, stop } = await startPgbouncer(target, mode, settings);
  stops.push(stop);
  return url;
}

describe('sessions', () => {
  test('those of PostgreSQL itself and of session mode are kept', async () => {
    const sessionState = { areShared: false, keepsStatements: true };
    expect(await inspectSessions(direct)).toEqual(sessionState);
    expect(await inspectSessions(await pooler('session'))).toEqual(sessionState);
  });

  test.each([1, 2, 20])(
    'those of transaction mode with %i connections are shared, also when it uses them in turn',
    async (default_pool_size) => {
      // PgBouncer of Debian 12 does not know the prepared statements of its clients; 1.21 and later can.
      const shared = { areShared: true, keepsStatements: false };
      expect(await inspectSessions(await pooler('transaction', { default_pool_size }))).toEqual(shared);
      const inTurn = { default_pool_size, server_round_robin: 1 };
      expect(await inspectSessions(await pooler('transaction', inTurn))).toEqual(shared);
    },
  );

  test('a lock is refused where it would belong to everybody', async () => {
    const options = { isShared: true, onTaken() {} };
    await expect(lockDatabase(await pooler('transaction'), options)).rejects.toThrow(
      /^DATABASE_URL: a connection pooler .+ in RELAY_DATABASE_URL\), .+ session mode\.$/,
    );
    const setting = 'RELAY_DATABASE_URL' as const;
    await expect(lockDatabase(await pooler('transaction'), { ...options, setting })).rejects.toThrow(
      /^RELAY_DATABASE_URL: a connection pooler .+$/,
    );
    await (await lockDatabase(await pooler('session'), options)).release();
  });
});

describe('statements in transaction mode', () => {
  test('two processes with other statements do not execute those of each other, and transactions are whole', async () => {
    // Two connections for all of them.
    const url = await pooler('transaction', { default_pool_size: 2 });
    const sessions = await inspectSessions(url);
    const open = async () => {
      const db = await openPostgres(url, { ...sessions, pool: 5 });
      stops.push(() => db.close());
      return db;
    };
    const [one, other] = [await open(), await open()];
    await one.write((tx) => tx.run('CREATE TABLE numbers (name TEXT PRIMARY KEY, n BIGINT)'));
    stops.push(() => one.write((tx) => tx.run('DROP TABLE numbers')));
    await one.write((tx) => tx.run('INSERT INTO numbers VALUES (?, ?)', 'a', 0));
    // The same number of parameters, so that a statement under the name of another one would be executed.
    const add = (db: typeof one) =>
      db.write(async (tx) => {
        await tx.lock('bot:one');
        const { n } = (await tx.get<{ n: number }>('SELECT n FROM numbers WHERE name = ?', 'a')) ?? { n: 0 };
        await tx.run('UPDATE numbers SET n = ? WHERE name = ?', n + 1, 'a');
      });
    const names = (db: typeof one, text: string) =>
      db.read((tx) => tx.all<{ name: string }>(`SELECT name FROM numbers WHERE ${text} = ?`, 'a'));
    const work = Array.from({ length: 60 }, (_, n) => (n % 2 ? add(one) : add(other)));
    const reads = Array.from({ length: 60 }, (_, n) =>
      n % 2 ? names(one, 'name') : names(other, "'a' || name"),
    );
    await Promise.all(work);
    expect((await Promise.all(reads)).map((rows) => rows.length)).toEqual(
      Array.from({ length: 60 }, (_, n) => n % 2),
    );
    expect(await one.read((tx) => tx.get('SELECT n FROM numbers'))).toEqual({ n: 60 });
  });

  test('a transaction whose process sends nothing is ended as without a pooler', async () => {
    const url = await pooler('transaction', { default_pool_size: 1 });
    const db = await openPostgres(url, { ...(await inspectSessions(url)), pool: 2 });
    stops.push(() => db.close());
    const limits = await db.write((tx) =>
      tx.all("SELECT current_setting('idle_in_transaction_session_timeout') AS limit"),
    );
    expect(limits).toEqual([{ limit: '10s' }]);
    // It is that of the transaction only: others use the same connection.
    const outside = await db.read((tx) =>
      tx.all("SELECT current_setting('idle_in_transaction_session_timeout') AS limit"),
    );
    expect(outside).toEqual([{ limit: '0' }]);
  });
});

describe.each(['transaction', 'session'] as const)(
  'a connection of PgBouncer to the database that is cut (%s mode)',
  (mode) => {
    test.each([
      ['INSERT INTO deletions', 'before'],
      ['INSERT INTO deletions', 'after'],
      ['COMMIT', 'before'],
      ['COMMIT', 'after'],
      ['SELECT id FROM deletions', 'before'],
    ] as const)(
      'at %s, %s the database receives it: the work is done once, and nobody gets an error',
      async (text, when) => {
        const proxy = await startTcpProxy(direct);
        stops.push(() => proxy.close());
        // PgBouncer connects again at once instead of after 15 s.
        const url = await pooler(mode, { server_login_retry: 0.1 }, proxy.url);
        const db = await openPostgres(url, { ...(await inspectSessions(url)), pool: 3, writers: 3 });
        stops.push(() => db.close());
        const cuts = proxy.cutAt(text, when);
        await db.write((tx) => enqueueDeletion(tx, 'user', 'a'));
        expect(await db.read((tx) => tx.all('SELECT id FROM deletions ORDER BY id'))).toEqual([{ id: 'a' }]);
        expect(cuts.count()).toBe(1);
      },
    );
  },
);

describe('a server', () => {
  const serverProcess = useServerProcess();
  const dataFolder = () => join(serverProcess.folder(), 'data');

  async function chat(url: string) {
    const visitor = await enter(url);
    const stream = readStream(await visitor.listen());
    await Promise.all(Array.from({ length: 20 }, (_, n) => visitor.send(`message ${n}`)));
    // The demo bot answers each.
    await expect.poll(async () => (await visitor.texts()).length, pollOptions).toBeGreaterThan(20);
    await stream.untilType('message_created');
    await stream.cancel();
  }

  test('transaction mode without a direct address: the start says in one line what to set', async () => {
    const url = await pooler('transaction', {}, await testDatabaseOf(dataFolder()));
    const { exit, stderr } = await serverProcess.run({ DATABASE_URL: url });
    expect(await exit).toBe(1);
    expect(stderr()).toMatch(/^DATABASE_URL: a connection pooler .+ in RELAY_DATABASE_URL\), .+\n$/);
  });

  test('transaction mode with a direct address: visitors chat, and after kill -9 the next start works at once', async () => {
    const target = await testDatabaseOf(dataFolder());
    const env = {
      DATABASE_URL: await pooler('transaction', { default_pool_size: 3 }, target),
      RELAY_DATABASE_URL: target,
    };
    const first = await serverProcess.run(env);
    await chat(first.url);
    first.child.kill('SIGKILL');
    await first.exit;
    await chat((await serverProcess.run(env)).url);
  });

  test('session mode: visitors chat without a direct address', async () => {
    const url = await pooler('session', { default_pool_size: 40 }, await testDatabaseOf(dataFolder()));
    await chat((await serverProcess.run({ DATABASE_URL: url })).url);
  });
});
