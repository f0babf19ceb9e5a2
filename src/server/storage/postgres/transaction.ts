// The beginning and the end of a transaction of PostgreSQL, also when the connection is lost.
import type pg from 'pg';
import { DatabaseUnavailable } from '../database.ts';
import { isConnectionLost, pauseAfter } from './failures.ts';

/** How often the status of a transaction is asked for. */
const maxQuestions = 5;

/** Begins a transaction, and returns the id by which its outcome can be asked for. */
export async function begin(client: pg.ClientBase): Promise<string> {
  // Two statements in one round trip; their results are a list, which the types of `pg` do not know.
  const results = (await client.query(
    'BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_current_xact_id()::text AS xid',
  )) as unknown as pg.QueryResult<{ xid: string }>[];
  return results[1]?.rows[0]?.xid ?? '';
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
export async function commit(client: pg.PoolClient, pool: pg.Pool, xid: string): Promise<void> {
  let command: string;
  try {
    command = (await client.query('COMMIT')).command;
  } catch (error) {
    if (!isConnectionLost(error)) {
      client.release();
      throw error;
    }
    client.release(true);
    if (!(await isCommitted(pool, xid, error))) throw error;
    return;
  }
  client.release();
  // After a failed statement, COMMIT rolls back without an error.
  if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, so it was rolled back.');
}

/** Returns what happened to a transaction whose connection was lost while it was committed. */
async function isCommitted(pool: pg.Pool, xid: string, cause: unknown): Promise<boolean> {
  for (let attempt = 1; attempt <= maxQuestions; attempt += 1) {
    try {
      const { rows } = await pool.query<{ status: string | null }>(
        'SELECT pg_xact_status($1::xid8) AS status',
        [xid],
      );
      const status = rows[0]?.status;
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
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
