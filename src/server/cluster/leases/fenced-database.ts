// The database of background work: it refuses writes of a process after another process has taken the work.

import { LeaseLost } from '../../jobs/processes.ts';
import { publish } from '../../startup/events.ts';
import { holdLease, type LeaseRow } from '../../storage/cluster/processes.ts';
import type { Database } from '../../storage/database.ts';

/**
 * Returns `db` with a condition for each write: this process still has the lease, until the write is stored. This also
 * holds if the process was frozen for longer than the lease. If another process has the lease, `onLost` is called, and
 * the write rejects with LeaseLost.
 */
export function fencedDatabase(db: Database, lease: LeaseRow, onLost: () => void): Database {
  return {
    ...db,
    read: (work) => db.read(work),
    async write(work) {
      try {
        return await db.write(async (tx) => {
          if (!(await holdLease(tx, lease)))
            throw new LeaseLost(`Another process has the lease ${lease.name}.`);
          return work(tx);
        });
      } catch (error) {
        if (error instanceof LeaseLost) {
          publish('fenced', { kind: 'background' });
          onLost();
        }
        throw error;
      }
    },
  };
}
