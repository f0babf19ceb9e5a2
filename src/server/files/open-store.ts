// Opens the store of files that the settings select: the data folder, or an object store.
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { StartError } from '../startup/start-error.ts';
import type { Database } from '../storage/database.ts';
import { isContentUsed } from '../storage/files/deletions.ts';
import { findUpload, hasUploads } from '../storage/files/uploads.ts';
import { openFolder } from './bytes/folder.ts';
import type { FileStore } from './bytes/store.ts';
import { fileIdPattern } from './bytes/tokens.ts';
import type { Objects } from './s3/objects.ts';
import type { S3Options } from './s3/requests.ts';

export interface FileStoreOptions {
  db: Database;
  /** The folder of files; of those that are on their way, with an object store. */
  folder: string;
  /** The object store; undefined for the folder. */
  s3: S3Options | undefined;
  logger: Logger;
  now(): number;
}

/** Throws StartError when files of the database are in the other kind of store, or the object store cannot be used. */
export async function openFileStore({ db, folder, s3, logger, now }: FileStoreOptions): Promise<FileStore> {
  if (!s3) {
    if (await db.read(hasUploads)) {
      throw new StartError('S3_URL is missing: files of this database are in an object store.');
    }
    return openFolder(folder);
  }
  if (await hasLocalFiles(db, folder)) {
    throw new StartError(
      `S3_URL: the folder ${folder} has files of this database, which would not be found. Start without S3_URL, or with a new DATA_DIR.`,
    );
  }
  // Loaded only with the setting.
  const { openS3Store } = await import('./s3/store.ts');
  return openS3Store({ db, s3, folder: join(folder, 'temporary'), logger, now });
}

/** Opens an object store for reading only; see s3/objects.ts. */
export async function openObjects(s3: S3Options, storeId: string): Promise<Objects> {
  const { openS3Objects } = await import('./s3/objects.ts');
  return openS3Objects(s3, storeId);
}

/** True when the folder has bytes in use that are not in the object store. */
async function hasLocalFiles(db: Database, folder: string): Promise<boolean> {
  const names = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  for await (const { name: id } of names ?? []) {
    if (!fileIdPattern.test(id)) continue;
    const isMissing = await db.read(
      async (tx) => (await isContentUsed(tx, id)) && (await findUpload(tx, id)) === undefined,
    );
    if (isMissing) return true;
  }
  return false;
}
