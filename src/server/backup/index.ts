// Backups of data folders, for the command line.
import { asStartError } from '../start-error.ts';
import { type BackupOptions, backUp as writeBackup } from './backup.ts';
import type { Manifest } from './manifest.ts';
import { type Restored, type RestoreOptions, restore as readBackup } from './restore.ts';

/** Writes a backup; see backup.ts. Rejects with an error of one line. */
export const backUp = (options: BackupOptions): Promise<Manifest> =>
  writeBackup(options).catch((error: unknown) => {
    throw asStartError(error);
  });

/** Restores a backup; see restore.ts. Rejects with an error of one line. */
export const restore = (options: RestoreOptions): Promise<Restored> =>
  readBackup(options).catch((error: unknown) => {
    throw asStartError(error);
  });
