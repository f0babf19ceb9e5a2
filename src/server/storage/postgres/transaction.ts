// The beginning and the end of a transaction of PostgreSQL, also when the connection is lost.
import type pg from 'pg';
import { DatabaseUnavailable } from '../database.ts';
import type { Availability } from './availability.ts';
import { isConnectionLost, pauseAfter } from './failures.ts';

/** How often the status of a transaction is asked for that is not over yet, or unknown. */
const maxQuestions = 10;

/**
 * By what the outcome of a transaction can be asked for. `server`: when PostgreSQL was started. After a crash it gives ids again
 * that no flushed record has, so an id means nothing to a server that was started later.
 */
export interface TransactionId {
  xid: string;
  server: string;
}

/**
 * Begins a transaction, and returns the id by which its outcome can be asked for. `settings`: statements for settings of this
 * transaction, each with a semicolon.
 */
export async function begin(client: pg.ClientBase, settings = ''): Promise<TransactionId> {
  // Several statements in one round trip; their results are a list, which the types of `pg` do not know.
  const results = (await client.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; ${settings}SELECT pg_current_xact_id()::text AS xid,
       pg_postmaster_start_time()::text AS server`,
  )) as unknown as pg.QueryResult<TransactionId>[];
  return results.at(-1)?.rows[0] ?? { xid: '', server: '' };
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
  { xid, server }: TransactionId,
  availability: Availability,
  cause: unknown,
): Promise<boolean> {
  const since = availability.now();
  for (let attempt = 1; !availability.isLost(since) || attempt === 1; attempt += 1) {
    try {
      const question = `SELECT CASE WHEN pg_postmaster_start_time()::text = $2 THEN pg_xact_status($1::xid8)
        ELSE 'restarted' END AS status`;
      const asked = pool.query<{ status: string | null }>(question, [xid, server]);
      const status = (await availability.orLost(since, asked)).rows[0]?.status;
      availability.answered();
      if (status === 'restarted') break;
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
