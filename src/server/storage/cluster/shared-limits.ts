// SQL of limits that several processes count together: proofs of work, usage of limits, and open streams. Only on PostgreSQL.
import type { Database, Tx, WriteTx } from '../database.ts';
import { arrayOf, databaseTime, inList } from '../dialect.ts';
import { jsonRows } from '../json-rows.ts';
import { isAlive } from './processes.ts';

/** Whether a challenge was used by a request whose transaction is stored. */
export async function isProofUsed(tx: WriteTx, salt: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM used_proofs WHERE salt = ?', salt)) !== undefined;
}

/** Marks a challenge as used. The second one of two simultaneous requests violates the key, and its work runs again. */
export async function insertUsedProof(tx: WriteTx, salt: string, until: number): Promise<void> {
  await tx.run('INSERT INTO used_proofs (salt, until) VALUES (?, ?)', salt, until);
}

/** The usage of one process since its last report, in thousandths. */
export interface SharedUse {
  id: string;
  used: number;
  /** Units that become free in a second, in thousandths. */
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

/**
 * The number of open streams of a user or an address, which all processes count together. Each process writes only its own
 * totals, so no process waits for another one, and a repeated write changes nothing.
 */
export interface OpenStreams {
  id: string;
  streams: number;
}

/** Stores the number of open streams of these ids in a process. */
export async function saveOpenStreams(
  tx: WriteTx,
  processId: string,
  counts: readonly OpenStreams[],
): Promise<void> {
  const open = counts.filter(({ streams }) => streams > 0);
  if (open.length > 0) {
    const rows = jsonRows(tx);
    await tx.run(
      `INSERT INTO open_streams (id, process_id, streams)
       SELECT ${rows.text(0)}, CAST(? AS TEXT), ${rows.integer(1)} FROM ${rows.from} WHERE true
       ON CONFLICT (id, process_id) DO UPDATE SET streams = excluded.streams`,
      processId,
      JSON.stringify(open.map(({ id, streams }) => [id, streams])),
    );
  }
  const ended = counts.filter(({ streams }) => streams === 0);
  if (ended.length > 0) {
    const condition = inList(
      tx,
      'id',
      ended.map(({ id }) => id),
    );
    await tx.run(
      `DELETE FROM open_streams WHERE ${condition.sql} AND process_id = ?`,
      ...condition.values,
      processId,
    );
  }
}

/**
 * Returns the number of streams of these ids in all other live processes together. Ids without a stream are left out.
 */
export async function openStreamsOfOthers(
  tx: Tx,
  processId: string,
  ids: readonly string[],
): Promise<OpenStreams[]> {
  const condition = inList(tx, 'o.id', ids);
  return tx.all(
    `SELECT o.id, CAST(SUM(o.streams) AS BIGINT) AS streams
     FROM open_streams o JOIN processes p ON p.id = o.process_id
     WHERE ${condition.sql} AND o.process_id <> ? AND ${isAlive(tx, 'p.seen_at')} GROUP BY o.id`,
    ...condition.values,
    processId,
  );
}

/** The number of ids for which a process has open streams. */
export async function countOpenStreams(tx: WriteTx, processId: string): Promise<number> {
  const row = await tx.get<{ count: number }>(
    'SELECT COUNT(*) AS count FROM open_streams WHERE process_id = ?',
    processId,
  );
  return row?.count ?? 0;
}

/** Removes the numbers of a process that ends. */
export async function deleteOpenStreams(tx: WriteTx, processId: string): Promise<void> {
  await tx.run('DELETE FROM open_streams WHERE process_id = ?', processId);
}

/** Removes the numbers of processes that have ended. A process that was only frozen stores its own again. */
export async function deleteOpenStreamsOfGone(tx: WriteTx): Promise<void> {
  // Step by step over the index: there are few processes, and many rows of each.
  const rows = await tx.all<{ id: string }>(
    `WITH RECURSIVE owners (id) AS (
       SELECT MIN(process_id) FROM open_streams
       UNION ALL
       SELECT (SELECT MIN(s.process_id) FROM open_streams s WHERE s.process_id > o.id) FROM owners o WHERE o.id IS NOT NULL
     )
     SELECT o.id FROM owners o WHERE o.id IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM processes p WHERE p.id = o.id AND ${isAlive(tx, 'p.seen_at')})`,
  );
  for (const { id } of rows) await deleteOpenStreams(tx, id);
}
