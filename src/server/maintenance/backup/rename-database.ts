// Renames a new, closed database of SQLite to the name under which a server finds it.
import { chmod, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sync } from './folders.ts';

export async function renameDatabase(temporary: string, target: string): Promise<void> {
  // The write-ahead log is not renamed, so it must be empty.
  const log = await stat(`${temporary}-wal`).catch(() => undefined);
  if (log && log.size > 0) throw new Error('The write-ahead log of the new database is not empty.');
  for (const part of ['-wal', '-shm']) await rm(temporary + part, { force: true });
  await chmod(temporary, 0o600);
  await sync(temporary);
  await rename(temporary, target);
  await sync(dirname(target));
}
