// Waits for writes of all processes that do not see a change yet.
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Milliseconds between two looks. */
const pollIntervalMs = 10;

/**
 * Resolves when all writes have ended that were running at the call, at any process. Later ones see what was committed
 * before the call. `isClosed`: ends the wait. SQLite runs one write after the other, so that there are none.
 */
export async function runningWritesEnded(db: Database, isClosed: () => boolean): Promise<void> {
  if (!db.isShared) return;
  // The id of a transaction is assigned at its beginning (postgres/transaction.ts), so those that are running have lower ones
  // than this. The end of a snapshot would not do: it is the id of the oldest of them when none that is newer has ended.
  const last = await db.write((tx) =>
    tx.get<{ id: string }>('SELECT CAST(pg_current_xact_id() AS TEXT) AS id'),
  );
  const id = last?.id ?? '';
  const hasEnded = () =>
    db.read((tx) => tx.get('SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) > CAST(? AS xid8)', id));
  while (!isClosed() && !(await hasEnded())) await wait(pollIntervalMs);
}
