// PostgreSQL as a Database: a small pool of connections. Each write is a transaction on one of them, which runs again
// after a conflict. The number of writes at the same time is limited.
// Why not `p-limit`: a task that waits cannot leave its queue (decision 152).
import { publish } from '../../startup/events.ts';
import { StartError } from '../../startup/start-error.ts';
import { type Database, DatabaseUnavailable, type Reader, type WriteTx } from '../database.ts';
import { createAvailability, unavailable } from './availability.ts';
import { connect, createPool, endConnections, reading, sendTogether, writing } from './connections.ts';
import {
  isConflict,
  isConnectionLost,
  maxRetries,
  pauseAfter,
  retryCode,
  withStorageFull,
} from './failures.ts';
import { checkServer, migrate, newestVersion } from './migrations.ts';
import { firstLineOf } from './process-lock.ts';
import { type ConnectionSessions, inspectSessions } from './sessions.ts';
import { createTranslator } from './statements.ts';
import {
  begin,
  beginRun,
  commit,
  createCommitOrder,
  isRunMissing,
  rollBack,
  type TransactionId,
} from './transaction.ts';

/** The kind of sessions at the address (sessions.ts); by default one session for each connection. */
export interface PostgresOptions extends Partial<ConnectionSessions> {
  /** The maximum number of connections; 10 by default. */
  pool?: number | undefined;
  /**
   * The number of writes that run at the same time, each on its own connection; by default two fewer than the pool has,
   * so that reads do not wait for writes.
   */
  writers?: number | undefined;
  /** True for a move to this database (../transfer/), which may be unfinished. */
  isMoveTarget?: boolean | undefined;
  /** Called when the database stops responding, and when it responds again. */
  onAvailable?: ((isAvailable: boolean) => void) | undefined;
}

/**
 * Opens the database and brings its schema up to date. `url`: `postgres://user:password@host/database`. Throws StartError
 * when it cannot be used.
 */
export async function openPostgres(
  url: string,
  {
    pool: size = 10,
    writers = Math.max(1, size - 2),
    areShared = false,
    keepsStatements = true,
    isMoveTarget,
    onAvailable,
  }: PostgresOptions = {},
): Promise<Database> {
  const pool = createPool(url, size, areShared);
  try {
    const client = await pool.connect();
    try {
      await checkServer(client);
      await migrate(client, isMoveTarget);
      await beginRun(client);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_URL: the database cannot be opened: ${firstLineOf(error)}`);
  }

  const statementOf = createTranslator(keepsStatements);
  let version = newestVersion;
  const availability = createAvailability({
    url,
    question: `SELECT version, ${isRunMissing} AS "isNewRun" FROM schema_version`,
    onAnswer([row]) {
      const answer = row as { version?: number; isNewRun?: boolean } | undefined;
      version = Number(answer?.version ?? 0);
      // It is tried again at the next response.
      if (answer?.isNewRun) beginRun(pool).catch(() => {});
    },
    onLost: () => endConnections(pool),
    onChange: onAvailable,
  });
  let closing: Promise<void> | undefined;
  const reads = reading(pool, statementOf, availability, () => closing !== undefined);
  const commits = createCommitOrder();
  const limiter = createConcurrencyLimiter(writers);
  const unfinished = new Set<Promise<unknown>>();

  async function runOnce<T>(work: (tx: WriteTx) => Promise<T>, since: number): Promise<T> {
    const client = await connect(pool, availability, since);
    const effects: (() => void)[] = [];
    let id: TransactionId;
    let value: T;
    try {
      sendTogether(client);
      const begun = begin(client, areShared);
      const { tx, settled } = writing(client, statementOf, begun, (effect) => effects.push(effect));
      value = await work(tx);
      await settled();
      id = await begun;
    } catch (error) {
      await rollBack(client);
      throw error;
    }
    const turn = commits.take();
    try {
      await commit(client, pool, id, availability);
      availability.answered();
      await turn.before;
      for (const effect of effects) effect();
    } finally {
      await turn.before;
      turn.end();
    }
    return value;
  }

  async function transact<T>(work: (tx: WriteTx) => Promise<T>, since: number): Promise<T> {
    let conflicts = 0;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(work, since);
      } catch (error) {
        const isLost = isConnectionLost(error);
        if (isLost && availability.isLost(since)) throw unavailable(error);
        if (isConflict(error)) conflicts += 1;
        if (conflicts > maxRetries || !(isLost || isConflict(error))) throw withStorageFull(error);
        publish('databaseRetry', { code: retryCode(error) });
        await pauseAfter(isLost ? attempt : conflicts, error);
      }
    }
  }

  return {
    isRemote: true,
    isShared: true,
    location: url,
    read: (work) => work(reads),
    waiting: () => pool.waitingCount + limiter.waiting(),
    write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
      // Clients retry requests that are still running when this process ends, at other processes.
      if (closing !== undefined) return Promise.reject(new DatabaseUnavailable('The database is closed.'));
      const since = availability.now();
      const written = limiter(
        () => transact(work, since),
        (slot) => availability.orLost(since, slot),
      );
      const settled: Promise<unknown> = written.then(
        () => unfinished.delete(settled),
        () => unfinished.delete(settled),
      );
      unfinished.add(settled);
      return written;
    },
    async isReady() {
      if (closing !== undefined) throw new Error('The database is closed.');
      // A newer process may have migrated it: every step works with the code of the version before.
      return availability.isReady() && version >= newestVersion;
    },
    // The operator manages the write-ahead log of PostgreSQL: checkpoints recycle it, and archives keep it.
    purge: async () => true,
    close() {
      closing ??= (async () => {
        while (unfinished.size > 0) await Promise.all(unfinished);
        await availability.close();
        await pool.end();
      })();
      return closing;
    },
  };
}

/** Opens a connection that only reads, for a worker thread. The main thread has opened the database. */
export async function openPostgresReader(url: string): Promise<Reader> {
  const { areShared, keepsStatements } = await inspectSessions(url);
  const pool = createPool(url, 1, areShared);
  const availability = createAvailability({
    url,
    question: 'SELECT 1',
    onAnswer() {},
    onLost: () => endConnections(pool),
  });
  const reads = reading(pool, createTranslator(keepsStatements), availability);
  return {
    read: (work) => work(reads),
    async close() {
      await availability.close();
      await pool.end();
    },
  };
}

export interface ConcurrencyLimiter {
  /**
   * Runs `work` when it has a slot. `limitWait` gets the promise of a slot if none is free; when it rejects, the work does
   * not run.
   */
  <T>(work: () => Promise<T>, limitWait: (slot: Promise<void>) => Promise<void>): Promise<T>;
  /** The number of writes that wait for a slot. */
  waiting(): number;
}

/** Limits the number of writes that run at the same time. Waiting writes run in the order of their requests. */
export function createConcurrencyLimiter(max: number): ConcurrencyLimiter {
  const queue: (() => void)[] = [];
  let running = 0;

  const release = () => {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  };

  const run = async <T>(
    work: () => Promise<T>,
    limitWait: (slot: Promise<void>) => Promise<void>,
  ): Promise<T> => {
    if (running < max) running += 1;
    else {
      let acquire = () => {};
      // A write that ends passes its slot on to the next one.
      const slot = new Promise<void>((resolve) => {
        acquire = resolve;
        queue.push(resolve);
      });
      try {
        await limitWait(slot);
      } catch (error) {
        const index = queue.indexOf(acquire);
        // It has got the slot in the meantime.
        if (index === -1) release();
        else queue.splice(index, 1);
        throw error;
      }
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
  return Object.assign(run, { waiting: () => queue.length });
}
