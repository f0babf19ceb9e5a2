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
