// The PostgreSQL of a trial, behind two proxies: one for statements and one for notifications. It can be restarted, and fail
// over to a replica that has everything that was acknowledged.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../../scripts/services/postgres.mjs';
import { startTcpProxy, type TcpProxy } from '../../support/faults/tcp-proxy.ts';
import { pollUntil } from '../../support/poll.ts';

export interface TrialDatabase {
  /** The address for the processes of the server. */
  url: string;
  /** The same database for notifications. */
  relayUrl: string;
  statements: TcpProxy;
  relay: TcpProxy;
  /** Stops the database, and starts it again. */
  restart(): Promise<void>;
  /** Kills the primary, and promotes a replica that had every commit. Once. */
  failOver(): Promise<void>;
  query<Row extends object>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function startTrialDatabase(): Promise<TrialDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-trial-'));
  const homeOf = (name: string) => join(folder, name);
  execFileSync('chmod', ['711', folder]);
  let running = await startPostgres({}, { home: homeOf('primary') });
  const urlAt = (port: number, database = 'webchat') => `postgres://webchat@127.0.0.1:${port}/${database}`;
  const statements = await startTcpProxy(urlAt(running.port));
  const relay = await startTcpProxy(urlAt(running.port));
  await run(urlAt(running.port, 'postgres'), 'CREATE DATABASE webchat');

  async function run<Row extends object>(url: string, sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  return {
    url: statements.url,
    relayUrl: relay.url,
    statements,
    relay,
    query: (sql) => run(urlAt(running.port), sql),

    async restart() {
      const { port } = running;
      await running.stop();
      running = await startPostgres({}, { home: homeOf('primary'), port });
    },

    async failOver() {
      const primary = running;
      const data = join(homeOf('replica'), 'data');
      const { account, programs } = primary as { account: { uid?: number; gid?: number }; programs: string };
      execFileSync('mkdir', ['-p', homeOf('replica')]);
      if (account.uid !== undefined) {
        execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, homeOf('replica')]);
      }
      const source = `host=127.0.0.1 port=${primary.port} user=webchat`;
      execFileSync(
        join(programs, 'pg_basebackup'),
        ['-D', data, '-d', source, '-X', 'stream', '-R', '--checkpoint=fast', '--no-sync'],
        { ...account, cwd: homeOf('replica'), stdio: 'pipe' },
      );
      const replica = await startPostgres({ primary_conninfo: source }, { home: homeOf('replica') });
      // From now on a commit is acknowledged only when the replica has it.
      const admin = urlAt(primary.port, 'postgres');
      await run(admin, "ALTER SYSTEM SET synchronous_standby_names = '*'");
      await run(admin, 'SELECT pg_reload_conf()');
      await pollUntil(
        'the replica is synchronous',
        async () =>
          (await run(admin, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0,
        { timeoutMs: 60_000 },
      );
      // Transactions of before have reached it, too.
      await run(urlAt(primary.port), 'CREATE TABLE before_failover (n int); DROP TABLE before_failover');
      statements.disconnect();
      relay.disconnect();
      await primary.stop();
      await run(urlAt(replica.port), 'SELECT pg_promote(true, 60)');
      for (const proxy of [statements, relay]) {
        proxy.lead(replica.port);
        proxy.reconnect();
      }
      running = replica;
    },

    async stop() {
      await Promise.all([statements.close(), relay.close()]);
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
