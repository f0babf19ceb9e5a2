// Locks a data folder against a second process without waiting: a folder in use is rejected at once.
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StartError } from '../startup/start-error.ts';
import { sqlite } from './sqlite.ts';

/**
 * Locks the folder until this process ends, by an open exclusive transaction on a separate file. The operating system
 * holds the lock (fcntl), so kill -9 releases it and no stale lock file can remain. Throws StartError when another
 * process has the lock. Returns the function that releases it.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const DatabaseSync = await sqlite();
  let lock: DatabaseSyncInstance | undefined;
  try {
    lock = new DatabaseSync(join(folder, 'lock'));
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if (/locked|busy/i.test(String(error))) {
      throw new StartError(`The data folder ${folder} is in use by another process.`);
    }
    throw new StartError(`The data folder ${folder} cannot be written: ${String(error).split('\n')[0]}`);
  }
  const held = lock;
  return () => held.close();
}
