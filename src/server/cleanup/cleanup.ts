// The cleanup of a server: one of its processes does it, at the request of any.
import type { Cluster } from '../cluster/cluster.ts';
import { type CleanupOptions, createCleanupJob } from './cleanup-job.ts';

export interface Cleanup {
  /** Must be called after a commit that deletes a conversation, a user, a bot or a file. */
  run(): void;
  /** Removes deleted and unused data, and purges the write-ahead log, if this process does the cleanup. */
  runAndPurge(): Promise<void>;
}

export function createCleanup({ cluster, ...options }: CleanupOptions & { cluster: Cluster }): Cleanup {
  const role = cluster.assign('clean up', (db) => createCleanupJob({ ...options, db }));
  return {
    run: cluster.broadcasts.everywhere('clean up', () => void role.worker?.run()),
    runAndPurge: async () => role.worker?.runAndPurge(),
  };
}
