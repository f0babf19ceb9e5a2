// Locks a database against processes that cannot access the same files: with files in the data folder, one process can
// run; with an object store, any number.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { StartError } from '../../startup/start-error.ts';
import { inspectSessions } from './sessions.ts';

/** Milliseconds between two attempts to take the lock again. */
const retryDelayMs = 500;

const lock = "hashtextextended('platform-webchat process', 0)";

/** The database detects within 25 s that the machine of a session has failed, and releases its lock. */
const keepAlive =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

/** A lock of a session of PostgreSQL: a process that is killed loses its connection, and with it the lock. */
export interface ProcessLock {
  release(): Promise<void>;
}

export interface ProcessLockOptions {
  /** Whether the lock is shared: other processes that also share it may use the database. */
  isShared: boolean;
  /** The setting with the address, for error messages; `DATABASE_URL` by default. */
  setting?: 'DATABASE_URL' | 'RELAY_DATABASE_URL' | undefined;
  /** Called when another process took the lock while the connection was lost. */
  onTaken(): void;
}

/**
 * Locks the database until this process ends. If the connection is lost, for example in a restart of the database, the
 * lock is taken again. Throws StartError if another process has it, and for the address of a connection pooler that
 * shares sessions between transactions: all processes would have the lock, and it would stay after this process ends.
 */
export async function lockDatabase(
  url: string,
  { isShared, setting = 'DATABASE_URL', onTaken }: ProcessLockOptions,
): Promise<ProcessLock> {
  const tryLock = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  /** Identifies the sessions of this process. */
  const application = `platform-webchat lock ${randomUUID()}`;
  let client: pg.Client | undefined;
  let isReleased = false;

  /** `waits`: a lost session of this process still has the lock, because the database has not detected the loss yet. */
  async function take(): Promise<'taken' | 'waits' | 'held by another'> {
    const next = new pg.Client({ connectionString: url, keepAlive: true, application_name: application });
    next.on('error', () => {});
    next.once('end', () => {
      if (client === next && !isReleased) void takeAgain();
    });
    await next.connect();
    await next.query(keepAlive);
    const { rows } = await next.query<{ locked: boolean; ended: string }>(
      `SELECT ${tryLock}(${lock}) AS locked, (SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE application_name = $1 AND datname = current_database() AND pid <> pg_backend_pid()) AS ended`,
      [application],
    );
    if (rows[0]?.locked === true && !isReleased) {
      client = next;
      return 'taken';
    }
    await next.end();
    return Number(rows[0]?.ended) > 0 ? 'waits' : 'held by another';
  }

  async function takeAgain(): Promise<void> {
    while (!isReleased) {
      const outcome = await take().catch(() => 'waits');
      if (outcome === 'taken' || isReleased) return;
      if (outcome === 'held by another') return onTaken();
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }

  const unreachable = (error: unknown) =>
    new StartError(`${setting}: the database cannot be opened: ${firstLineOf(error)}`);
  const { areShared } = await inspectSessions(url).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (areShared) {
    throw new StartError(
      `${setting}: a connection pooler shares its sessions between transactions, which loses locks and notifications. Use the address of PostgreSQL itself (for a server behind the pooler: in RELAY_DATABASE_URL), or set the pooler to session mode.`,
    );
  }
  const outcome = await take().catch((error: unknown) => {
    throw unreachable(error);
  });
  if (outcome !== 'taken') {
    throw new StartError(
      'DATABASE_URL: the database is in use by another process. Several processes need S3_URL, each of them the same.',
    );
  }
  return {
    async release() {
      isReleased = true;
      await client?.end();
    },
  };
}

/** The first line of an error; of several addresses of a host that all refused, that of the first one. */
export function firstLineOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return String(first instanceof Error ? first.message : first).split('\n')[0] ?? '';
}
