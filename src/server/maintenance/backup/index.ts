// Backups and moves of data, for the command line.
import { readS3, type S3Options, s3Settings } from '../../files/index.ts';
import { readTable } from '../../startup/setting.ts';
import { asStartError } from '../../startup/start-error.ts';
import { type BackupOptions, backUp as writeBackup } from './backup.ts';
import type { Manifest } from './manifest.ts';
import { asMoveError } from './move/index.ts';
import { type Restored, type RestoreOptions, restore as readBackup } from './restore.ts';

export { move, readLocation } from './move/index.ts';

/** Writes a backup; see backup.ts. Rejects with an error of one line. */
export const backUp = (options: BackupOptions): Promise<Manifest> =>
  writeBackup(options).catch((error: unknown) => {
    throw options.s3 ? asMoveError(error) : asStartError(error);
  });

/** Restores a backup; see restore.ts. Rejects with an error of one line. */
export const restore = (options: RestoreOptions): Promise<Restored> =>
  readBackup(options).catch((error: unknown) => {
    throw options.s3 ? asMoveError(error) : asStartError(error);
  });

/** Reads the settings of the object store; undefined without one. Throws StartError. */
export const readStore = (env: Record<string, string | undefined>): S3Options | undefined =>
  readS3(readTable(s3Settings, env));
