// Takes named locks in PostgreSQL, which releases them at the end of the transaction.
import { arrayText } from '../dialect.ts';
import { type LockName, sortLocks } from '../locks.ts';

const prefix = 'conversation:';

/** A statement that takes some of the locks, and its parameter. */
interface Taking {
  sql: string;
  values: [string];
}

/**
 * The statements that take these locks in their order. The lock of a conversation is that of its row, which a new
 * sequence number takes, too. All others are advisory locks with a 64-bit hash of the name: two names with the same
 * hash only wait for each other.
 */
export function statementsOf(names: readonly LockName[]): Taking[] {
  const sorted = sortLocks(names);
  const first = sorted.findIndex((name) => name.startsWith(prefix));
  if (first === -1) return advisory(sorted);
  const end = sorted.findLastIndex((name) => name.startsWith(prefix)) + 1;
  const ids = sorted.slice(first, end).map((name) => name.slice(prefix.length));
  const rows: Taking = {
    sql: 'SELECT 1 FROM conversations WHERE id = ANY (?) ORDER BY id FOR UPDATE',
    values: [arrayText(ids)],
  };
  return [...advisory(sorted.slice(0, first)), rows, ...advisory(sorted.slice(end))];
}

function advisory(names: LockName[]): Taking[] {
  if (names.length === 0) return [];
  // The rows of unnest have the order of the array.
  const sql =
    'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(CAST(? AS text[])) AS names (name)';
  return [{ sql, values: [arrayText(names)] }];
}
