// The beginning and the end of a transaction of PostgreSQL, also when the connection is lost.
import type pg from 'pg';
import { DatabaseUnavailable } from '../database.ts';
import type { Availability } from './availability.ts';
import { idleLimitOfTransaction } from './connections.ts';
import { isConnectionLost, pauseAfter } from './failures.ts';

/** How often the status of a transaction is asked for that is not over yet, or unknown. */
const maxQuestions = 10;

/**
 * By what the outcome of a transaction can be asked for. `run`: of the database, in which the transaction began (`runOf`). After a
 * crash PostgreSQL gives ids again that no flushed record has, so an id means nothing in a later run. Null: nobody can say.
 */
export interface TransactionId {
  xid: string;
  run: string | null;
}

/**
 * The run of the database: another one after each crash, also one of a single connection, whose server goes on with the time at
 * which it was started. The table is empty then (UNLOGGED). The time of the start is for servers that keep such tables.
 */
const runOf =
  "(SELECT pg_postmaster_start_time()::text || ' ' || token FROM database_run WHERE name = 'run')";

/** True in a row when the run has no token yet; see `beginRun`. */
export const isRunMissing = "NOT EXISTS (SELECT 1 FROM database_run WHERE name = 'run')";

/** Stores a token of the run of the database, if there is none: after a crash, or in a new database. */
export async function beginRun(connection: Pick<pg.ClientBase, 'query'> | pg.Pool): Promise<void> {
  await connection.query(
    "INSERT INTO database_run (name, token) VALUES ('run', gen_random_uuid()::text) ON CONFLICT DO NOTHING",
  );
}

/** The run in which each connection was opened. A session does not outlast it, so it is asked for once. */
const runs = new WeakMap<pg.ClientBase, string>();

/**
 * Begins a transaction, and returns the id by which its outcome can be asked for. `areShared`: whether each transaction can be
 * in another session (sessions.ts).
 */
export async function begin(client: pg.ClientBase, areShared = false): Promise<TransactionId> {
  const known = areShared ? undefined : runs.get(client);
  // Several statements in one round trip; their results are a list, which the types of `pg` do not know.
  const results = (await client.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; ${areShared ? idleLimitOfTransaction : ''}SELECT pg_current_xact_id()::text AS xid${
      known === undefined ? `, ${runOf} AS run` : ''
    }`,
  )) as unknown as pg.QueryResult<{ xid: string; run?: string | null }>[];
  const { xid = '', run = known ?? null } = results.at(-1)?.rows[0] ?? {};
  if (run !== null && !areShared) runs.set(client, run);
  return { xid, run };
}

/** Rolls back and returns the connection to the pool; a lost one is removed from it. */
export async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}

/** Commits and returns the connection to the pool. Rejects when the changes are not stored, or when nobody can say. */
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
 * Returns what happened to a transaction whose connection was lost while it was committed. Asks for as long as requests
 * wait for a database that does not answer.
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
      // The server of this transaction was replaced by one that does not know it, or it is not over yet.
      if (attempt > maxQuestions) break;
    } catch {
      // The database is still away.
    }
    await pauseAfter(attempt, cause);
  }
  throw new DatabaseUnavailable('The connection was lost during a commit, and its outcome is unknown.', {
    isUnknown: true,
    cause,
  });
}
