// Decides which failures of PostgreSQL are retried, and after which pause.
import { StorageFull } from '../database.ts';

/** The number of times that a write runs again. */
export const maxRetries = 5;

/**
 * serialization_failure and deadlock_detected; and unique_violation, because the second run finds the row that the
 * first one missed. A repeated violation has another reason.
 */
const conflicts = new Set(['40001', '40P01', '23505']);

/**
 * The connection was closed: by the server (class 57P: shutdown, crash; 25P03: an idle transaction), or by the network.
 */
const lost = new Set([
  '25P03',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  '08001',
  '08004',
  '53300',
]);
const lostSockets = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
/** The messages of `pg` for errors without a code. */
const lostMessages =
  /^(?:Connection terminated|timeout (?:exceeded|expired)|Client has encountered a connection error)/;

/**
 * The messages of PgBouncer for a connection to the database that it lost, or does not get. Their code is 08P01
 * (protocol_violation), which also has other reasons.
 */
const lostBehindPgbouncer =
  /^(?:server conn crashed|server closed the connection|server login has been failing|pgbouncer cannot connect|pgbouncer shutting down|admin forced disconnect|query_wait_timeout)/;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/** True for a conflict with another transaction. */
export const isConflict = (error: unknown): boolean => conflicts.has(codeOf(error));

/** True when the database cannot be reached, or closed the connection. */
export const isConnectionLost = (error: unknown): boolean =>
  lost.has(codeOf(error)) ||
  lostSockets.has(codeOf(error)) ||
  (error instanceof Error &&
    (lostMessages.test(error.message) ||
      (codeOf(error) === '08P01' && lostBehindPgbouncer.test(error.message))));

/** True if the pool gave no connection because it was closed. */
export const isPoolEnded = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Cannot use a pool after calling end');

/** The label of a retried statement in metrics: the code of the conflict, or `connection`. */
export const retryCode = (error: unknown): string => (isConflict(error) ? codeOf(error) : 'connection');

/** Returns StorageFull for the error disk_full, and any other error unchanged. */
export const withStorageFull = (error: unknown): unknown =>
  codeOf(error) === '53100' ? new StorageFull('The disk of the database is full.', { cause: error }) : error;

/** The longest pause in milliseconds, so that the end of an interruption is noticed soon. */
const maxPauseMs = 1_000;

/**
 * Waits before run `attempt` + 1: a random part of a time that doubles. Two transactions that collided therefore do not
 * collide again, and a recovered database does not receive all retries at once.
 */
export async function pauseAfter(attempt: number, error: unknown): Promise<void> {
  const longest = Math.min(maxPauseMs, (isConnectionLost(error) ? 100 : 5) * 2 ** attempt);
  await new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}
