// The rows of a test server at rest, for tests that compare them before and after a request.
import { expect } from 'vitest';
import type { Database } from '../storage/database.ts';
import { allRows, pollOptions } from '../testing.ts';

/**
 * Returns all rows once the background work that earlier requests began is done: events are delivered, and deleted data
 * is removed (which also redacts stored responses).
 */
export async function settledRows(db: Database, without: string[] = []): Promise<Record<string, unknown[]>> {
  const unfinished = async () => {
    const { deliveries, deletions } = await allRows(db);
    return { deliveries, deletions };
  };
  await expect.poll(unfinished, pollOptions).toEqual({ deliveries: [], deletions: [] });
  return allRows(db, without);
}

/** Waits until the bot has handled all events: afterwards only requests use the database. */
export const allDelivered = (db: Database): Promise<void> =>
  expect.poll(() => db.read((tx) => tx.all('SELECT event_id FROM deliveries')), pollOptions).toEqual([]);
