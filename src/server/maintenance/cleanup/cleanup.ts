// The cleanup of a server: one of its processes does it, at the request of any.
import type { Processes } from '../../jobs/processes.ts';
import { type CleanupOptions, createCleanupJob } from './cleanup-job.ts';

export interface Cleanup {
  /** Must be called after a commit that deletes a conversation, a user, a bot or a file. */
  run(): void;
  /** Removes deleted and unused data, and purges the write-ahead log, if this process does the cleanup. */
  runAndPurge(): Promise<void>;
}

export function createCleanup({ processes, ...options }: CleanupOptions & { processes: Processes }): Cleanup {
  const role = processes.assign('clean up', (db) => createCleanupJob({ ...options, db }));
  return {
    run: processes.broadcasts.everywhere('clean up', () => void role.worker?.run()),
    runAndPurge: async () => role.worker?.runAndPurge(),
  };
}
