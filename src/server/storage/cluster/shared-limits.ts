// SQL of what several processes count together: used proofs of work, and the usage of limits. Only on PostgreSQL.
import type { Database, WriteTx } from '../database.ts';
import { arrayOf, databaseTime } from '../dialect.ts';

/** Whether a challenge was used by a request whose transaction is stored. */
export async function isProofUsed(tx: WriteTx, salt: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM used_proofs WHERE salt = ?', salt)) !== undefined;
}

/** Marks a challenge as used. The second one of two simultaneous requests violates the key, and its work runs again. */
export async function insertUsedProof(tx: WriteTx, salt: string, until: number): Promise<void> {
  await tx.run('INSERT INTO used_proofs (salt, until) VALUES (?, ?)', salt, until);
}

/** What one process has used since it was last asked, in thousandths. */
export interface SharedUse {
  id: string;
  used: number;
  /** What of it becomes free in a second, in thousandths. */
  freed: number;
  /** Milliseconds until the count expires, if nothing is added to it. */
  lifetime: number;
}

/**
 * Adds the use of one process, and returns that of all processes, in thousandths. The time is that of the database, so that
 * the clocks of the processes do not matter.
 */
export async function addSharedUse(
  db: Database,
  uses: readonly SharedUse[],
): Promise<{ id: string; used: number }[]> {
  return db.write((tx) =>
    tx.all(
      `INSERT INTO shared_usage (id, used, at, until)
       SELECT u.id, GREATEST(0, u.used), t.now, t.now + u.lifetime
       FROM unnest(CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS bigint[])) AS u (id, used, lifetime),
         (SELECT ${databaseTime(tx)} AS now) t
       ORDER BY u.id
       ON CONFLICT (id) DO UPDATE SET at = GREATEST(shared_usage.at, excluded.at), until = excluded.until,
         used = GREATEST(0, GREATEST(0, shared_usage.used
           - (SELECT f.freed * GREATEST(0, excluded.at - shared_usage.at) / 1000
              FROM unnest(CAST(? AS text[]), CAST(? AS bigint[])) AS f (id, freed) WHERE f.id = excluded.id))
           + (SELECT f.used FROM unnest(CAST(? AS text[]), CAST(? AS bigint[])) AS f (id, used)
              WHERE f.id = excluded.id))
       RETURNING id, used`,
      arrayOf(uses.map(({ id }) => id)),
      arrayOf(uses.map(({ used }) => used)),
      arrayOf(uses.map(({ lifetime }) => lifetime)),
      arrayOf(uses.map(({ id }) => id)),
      arrayOf(uses.map(({ freed }) => freed)),
      arrayOf(uses.map(({ id }) => id)),
      arrayOf(uses.map(({ used }) => used)),
    ),
  );
}

/** Deletes counts and proofs that are over. `now`: milliseconds since 1970. */
export async function deleteSharedLimitsBefore(db: Database, now: number): Promise<void> {
  await db.write(async (tx) => {
    await tx.run('DELETE FROM shared_usage WHERE until < ?', now);
    await tx.run('DELETE FROM used_proofs WHERE until < ?', now);
  });
}
