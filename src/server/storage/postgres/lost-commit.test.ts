// Tests of a commit whose response is lost, and of a PostgreSQL that crashes before the commit is on the disk: it gives the id of
// the transaction again.
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../../../e2e/support/faults/tcp-proxy.ts';
import { startPostgres } from '../../../../scripts/services/postgres.mjs';
import { pollOptions } from '../../testing.ts';
import { DatabaseUnavailable } from '../database.ts';
import type { Availability } from './availability.ts';
import { createPool } from './connections.ts';
import { openPostgres } from './postgres.ts';
import { begin, commit, rollBack } from './transaction.ts';

/** Nothing writes the log of transactions to the disk but commits: what was not committed is lost with the processes. */
const settings = {
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: 0,
  wal_writer_delay: '10s',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
};

/** Waits for as long as a test needs, where a request would be given up. */
const patient: Availability = {
  answered() {},
  isLost: () => false,
  now: () => 0,
  orLost: (_since, waiting) => waiting,
  isReady: () => true,
  close: async () => {},
};

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let proxy: TcpProxy;
let pool: pg.Pool;
beforeEach(async () => {
  postgres = await startPostgres(settings);
  const url = postgres.urlOf('postgres');
  await (await openPostgres(url)).close();
  proxy = await startTcpProxy(url);
  pool = createPool(proxy.url, 2);
});
afterEach(async () => {
  proxy.state = 'open';
  await pool.end();
  await proxy.close();
  await postgres.stop();
});

async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgres.urlOf('postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const canConnect = () =>
  connected(async () => true).catch((error: { code?: string }) => error.code ?? 'no connection');

/** The process of one connection is killed: the others end, and the server, which goes on, recovers from its log. */
async function killBackend(): Promise<void> {
  await connected(async (observer) => {
    const ended = new Promise<void>((resolve) => observer.once('end', resolve));
    await connected(async (victim) => {
      const { rows } = await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
      // Before the server has noticed it, connections are those of the time before.
      await ended;
    });
  });
  await expect.poll(canConnect, pollOptions).toBe(true);
}

const crashes = {
  'the whole server': () => postgres.restart('SIGQUIT'),
  'the process of one connection': killBackend,
};

/** Begins a transaction that stores a row, and loses the connection at its commit. */
async function loseCommit(when: 'before' | 'after') {
  const client = await pool.connect();
  const id = await begin(client);
  await client.query("INSERT INTO deletions (kind, id) VALUES ('bot', 'lost')");
  // The database does not notice it, so that the transaction stays open until the crash.
  proxy.isUnnoticed = true;
  const cuts = proxy.cutAt('COMMIT', when);
  const { filter } = proxy;
  proxy.filter = (sent) => {
    const filtered = filter(sent);
    if (filtered.cut) proxy.state = 'refused';
    return filtered;
  };
  const outcome = commit(client, pool, id, patient);
  outcome.catch(() => {});
  await expect.poll(() => cuts.count(), pollOptions).toBe(1);
  return { id, outcome };
}

const stored = () =>
  connected(async (client) => (await client.query("SELECT id FROM deletions WHERE id = 'lost'")).rows);

test.each(Object.entries(crashes))(
  'a commit that was lost with %s is not taken for that of a transaction with the same id',
  async (_name, crash) => {
    const { id, outcome } = await loseCommit('before');
    await crash();
    // Others store something until one of them has the id.
    const status = await connected(async (client) => {
      for (;;) {
        const { rows } = await client.query<{ isBefore: boolean }>(
          `INSERT INTO deletions (kind, id) VALUES ('bot', gen_random_uuid()::text)
         RETURNING pg_current_xact_id() < $1::xid8 AS "isBefore"`,
          [id.xid],
        );
        if (!rows[0]?.isBefore) break;
      }
      return (await client.query('SELECT pg_xact_status($1::xid8) AS status', [id.xid])).rows;
    });
    // Otherwise this test shows nothing.
    expect(status).toEqual([{ status: 'committed' }]);
    proxy.state = 'open';
    await expect(outcome).rejects.toMatchObject({ isUnknown: true });
    await expect(outcome).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await stored()).toEqual([]);
  },
);

test('a commit whose response is lost has succeeded, and one that the database did not receive has failed', async () => {
  const { outcome } = await loseCommit('after');
  proxy.state = 'open';
  await outcome;
  expect(await stored()).toEqual([{ id: 'lost' }]);
  await connected((client) => client.query('DELETE FROM deletions'));

  const other = await loseCommit('before');
  proxy.cutAll();
  proxy.state = 'open';
  await expect(other.outcome).rejects.toThrow(/Connection terminated|ECONNRESET/);
  expect(await stored()).toEqual([]);
});

test('after a crash commits have another run, which an open server begins, and until then their outcome is unknown', async () => {
  const runOf = async () => {
    const client = await pool.connect();
    const { run } = await begin(client);
    await rollBack(client);
    return run;
  };
  const before = await runOf();
  expect(before).toMatch(/\w/);
  await killBackend();
  await expect.poll(() => runOf().catch(() => ''), pollOptions).toBe(null);
  const { outcome } = await loseCommit('after');
  proxy.state = 'open';
  await expect(outcome).rejects.toMatchObject({ isUnknown: true });

  const db = await openPostgres(postgres.urlOf('postgres'));
  const second = await runOf();
  await killBackend();
  await expect.poll(() => runOf().catch(() => null), pollOptions).toMatch(/\w/);
  expect(new Set([before, second, await runOf()]).size).toBe(3);
  await db.close();
});
