// The beginning and the end of a transaction of PostgreSQL, also when the connection is lost.
import type pg from 'pg';
import { DatabaseUnavailable } from '../database.ts';
import type { Availability } from './availability.ts';
import { idleLimitOfTransaction } from './connections.ts';
import { isConnectionLost, pauseAfter } from './failures.ts';

/** The number of queries for the status of a transaction that is unknown or not over yet. */
const maxQuestions = 10;

/**
 * Identifies a transaction, to query its outcome. `run`: the run of the database in which it began (`runOf`). After a
 * crash, PostgreSQL assigns ids again whose records were not flushed, so an id is not valid in a later run. Null: the
 * outcome cannot be queried.
 */
export interface TransactionId {
  xid: string;
  run: string | null;
}

/**
 * The run of the database changes with each crash, also with the crash of a single backend, after which the main
 * process continues with the same start time. The UNLOGGED table is empty after a crash. The start time is compared for
 * services that keep such tables.
 */
const runOf =
  "(SELECT pg_postmaster_start_time()::text || ' ' || token FROM database_run WHERE name = 'run')";

/** True in a row if the run has no token yet; see `beginRun`. */
export const isRunMissing = "NOT EXISTS (SELECT 1 FROM database_run WHERE name = 'run')";

/** Stores a token of the run of the database, if there is none: after a crash, or in a new database. */
export async function beginRun(connection: Pick<pg.ClientBase, 'query'> | pg.Pool): Promise<void> {
  await connection.query(
    "INSERT INTO database_run (name, token) VALUES ('run', gen_random_uuid()::text) ON CONFLICT DO NOTHING",
  );
}

/** The run in which each connection was opened. A session ends with the run, so the run is read once. */
const runs = new WeakMap<pg.ClientBase, string>();

/**
 * Begins a transaction, and returns the id with which its outcome can be queried. `areShared`: whether each transaction
 * can use another session (sessions.ts).
 */
export async function begin(client: pg.ClientBase, areShared = false): Promise<TransactionId> {
  const cachedRun = areShared ? undefined : runs.get(client);
  // Several statements in one round trip; their results are a list, which the types of `pg` do not know.
  const results = (await client.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; ${areShared ? idleLimitOfTransaction : ''}SELECT pg_current_xact_id()::text AS xid${
      cachedRun === undefined ? `, ${runOf} AS run` : ''
    }`,
  )) as unknown as pg.QueryResult<{ xid: string; run?: string | null }>[];
  const { xid = '', run = cachedRun ?? null } = results.at(-1)?.rows[0] ?? {};
  if (run !== null && !areShared) runs.set(client, run);
  return { xid, run };
}

/** Rolls back and returns the connection to the pool; a lost connection is removed from the pool. */
export async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}

/**
 * Commits and returns the connection to the pool. Rejects if the changes are not stored, or if the outcome is unknown.
 */
export async function commit(
  client: pg.PoolClient,
  pool: pg.Pool,
  id: TransactionId,
  availability: Availability,
): Promise<void> {
  let command: string;
  try {
    command = (await client.query('COMMIT')).command;
  } catch (error) {
    if (!isConnectionLost(error)) {
      client.release();
      throw error;
    }
    client.release(true);
    if (!(await isCommitted(pool, id, availability, error))) throw error;
    return;
  }
  client.release();
  // After a failed statement, COMMIT rolls back without an error.
  if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, so it was rolled back.');
}

/**
 * Returns the outcome of a transaction whose connection was lost during its commit. Queries it for as long as requests
 * wait for an unresponsive database.
 */
async function isCommitted(
  pool: pg.Pool,
  { xid, run }: TransactionId,
  availability: Availability,
  cause: unknown,
): Promise<boolean> {
  const since = availability.now();
  for (let attempt = 1; !availability.isLost(since) || attempt === 1; attempt += 1) {
    try {
      const question = `SELECT CASE WHEN ${runOf} = $2 THEN pg_xact_status($1::xid8) ELSE 'another run' END AS status`;
      const asked = pool.query<{ status: string | null }>(question, [xid, run]);
      const status = (await availability.orLost(since, asked)).rows[0]?.status;
      availability.answered();
      if (status === 'another run') break;
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
      // The server was replaced by one that does not know this transaction, or the transaction is not over yet.
      if (attempt > maxQuestions) break;
    } catch {
      // The database is still unavailable.
    }
    await pauseAfter(attempt, cause);
  }
  throw new DatabaseUnavailable('The connection was lost during a commit, and its outcome is unknown.', {
    isUnknown: true,
    cause,
  });
}

/** A position in the order. */
interface Turn {
  /** Resolves when the effects of all commits that were sent earlier have run. */
  before: Promise<void>;
  /** Lets the next one follow. */
  end(): void;
}

/**
 * The order of commits within this process, in which the effects of transactions run. Responses to commits of several
 * connections can overtake each other. A transaction that waited for a lock of another one sends its commit after the other
 * one, so the order of sending is a valid order of the transactions.
 */
export function createCommitOrder(): { take(): Turn } {
  let last = Promise.resolve();
  return {
    take() {
      const before = last;
      let end = () => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      return { before, end };
    },
  };
}
