// Waits for writes of all processes that do not see a change yet.
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Milliseconds between two looks. */
const pause = 10;

/**
 * Resolves when all writes have ended that were running at the call, at any process. Later ones see what was committed
 * before the call. `isClosed`: ends the wait. SQLite runs one write after the other, so that there are none.
 */
export async function runningWritesEnded(db: Database, isClosed: () => boolean): Promise<void> {
  const first = await db.read(async (tx) =>
    tx.dialect === 'postgres'
      ? tx.get<{ next: string }>('SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS next')
      : undefined,
  );
  if (!first) return;
  const hasEnded = () =>
    db.read((tx) =>
      // The id of a transaction is assigned at its beginning (postgres/transaction.ts).
      tx.get('SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) >= CAST(? AS xid8)', first.next),
    );
  while (!isClosed() && !(await hasEnded())) await wait(pause);
}
