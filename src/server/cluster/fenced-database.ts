// The database of work that one process does at a time: it refuses writes when another process does the work.
import { publish } from '../diagnostics/events.ts';
import { holdLease, type LeaseRow } from '../storage/cluster/leases.ts';
import type { Database } from '../storage/database.ts';

/** Another process does the work: nothing was written. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/**
 * Returns `db` with a condition of each write: the lease is still that of this process. It stays so until the write is
 * stored, also when this process was frozen for longer than the lease. `onLost` is called when it is not; the write rejects
 * with LeaseLost.
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
