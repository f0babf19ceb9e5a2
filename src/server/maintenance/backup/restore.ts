// Restores a backup into a new data folder.
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { openFileStore, type S3Options } from '../../files/index.ts';
import { StartError } from '../../startup/start-error.ts';
import { readVersion } from '../../startup/version.ts';
import { currentSchema, findDamage, forgetStore } from '../../storage/copy.ts';
import { lockFolder, openDatabase } from '../../storage/open.ts';
import { readCopy } from './backup.ts';
import { copyFolder, copyIfPresent, createEmptyFolder, renameDatabase, sync } from './folders.ts';
import { databaseName, digestOf, format, type Manifest, readManifest } from './manifest.ts';
import { sendToStore } from './move/files.ts';

export interface RestoreOptions {
  /** The backup. */
  folder: string;
  /** The data folder to create: a new folder, or an empty one. With `s3` also one whose restore was interrupted. */
  dataFolder: string;
  /**
   * The object store to which the files are sent; undefined: they go to the data folder, or stay in their object store.
   */
  s3?: S3Options | undefined;
  signal: AbortSignal;
}

export interface Restored extends Manifest {
  /** False if the secret that signs user keys is not in the backup, because it is a setting. */
  hasSecret: boolean;
}

/**
 * Checks a backup and copies it. The database is copied last. A server refuses to start on a folder with files and
 * without a database, so it never serves an incomplete copy. Throws StartError for a problem that the operator can fix.
 */
export async function restore({ folder, dataFolder, s3, signal }: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(folder);
  if (manifest.format > format || manifest.schema > currentSchema) {
    throw new StartError(
      `The backup ${folder} was made by version ${manifest.version}, which is newer than this one (${readVersion()}): restore it with that version.`,
    );
  }
  await assertIntact(folder, manifest, s3 !== undefined, signal);
  await assertUnused(dataFolder);
  const temporary = join(dataFolder, s3 ? sentName(manifest) : `${databaseName}.new`);
  const names: string[] = await readdir(dataFolder).catch(() => []);
  const isResumed = s3 !== undefined && names.includes(sentName(manifest));
  await createEmptyFolder(dataFolder, [...lockFiles, ...(isResumed ? partsOf(sentName(manifest)) : [])]);
  const unlock = await lockFolder(dataFolder);
  try {
    await mkdir(join(dataFolder, 'files'), { recursive: true, mode: 0o700 });
    await sync(dataFolder);
    for (const name of s3 ? ['webchat'] : ['files', 'webchat']) {
      await copyFolder(join(folder, name), join(dataFolder, name), signal);
    }
    const secret = 'user-key-secret';
    const hasSecret = (await copyIfPresent(join(folder, secret), join(dataFolder, secret))) !== undefined;
    if (!isResumed) {
      const copy = join(dataFolder, `${databaseName}.copy`);
      await copyIfPresent(join(folder, databaseName), copy);
      if (manifest.hasObjects || s3) await forgetStore(copy);
      await sync(copy);
      await rename(copy, temporary);
    }
    if (s3) await sendFiles({ folder, dataFolder, s3, signal }, temporary);
    signal.throwIfAborted();
    await renameDatabase(temporary, join(dataFolder, databaseName));
    return { ...manifest, hasSecret };
  } finally {
    unlock();
  }
}

/**
 * The name of the database until its files are in the object store. Its rows record which files were sent, so that an
 * interrupted restore of this backup can continue.
 */
const sentName = ({ database }: Manifest) => `${databaseName}.${database.sha256.slice(0, 16)}`;
const partsOf = (name: string) => [name, `${name}-wal`, `${name}-shm`, 'files', 'webchat', 'user-key-secret'];

async function sendFiles(
  { folder, dataFolder, s3, signal }: RestoreOptions,
  database: string,
): Promise<void> {
  const db = await openDatabase(database);
  try {
    const logger = pino({ level: 'silent' });
    const target = join(dataFolder, 'files');
    const store = await openFileStore({ db, folder: target, s3, logger, now: Date.now });
    try {
      await sendToStore({ db, signal }, join(folder, 'files'), store);
    } finally {
      await store.close();
      await rm(join(target, 'temporary'), { recursive: true, force: true });
    }
  } finally {
    await db.close();
  }
}

/** The files of lockFolder. */
const lockFiles = ['lock', 'lock-journal'];

async function assertIntact(
  folder: string,
  manifest: Manifest,
  isSent: boolean,
  signal: AbortSignal,
): Promise<void> {
  const database = join(folder, databaseName);
  const size = await stat(database).catch(() => undefined);
  const isSame =
    size?.size === manifest.database.bytes && (await digestOf(database)) === manifest.database.sha256;
  if (!isSame || (await findDamage(database)) !== undefined) {
    throw new StartError(
      `The backup ${folder} is damaged: ${databaseName} is not the file that was written.`,
    );
  }
  let missing = 0;
  const { contents, storeId } = await readCopy(database);
  if (isSent && storeId !== undefined && !manifest.hasObjects) {
    throw new StartError(
      `The backup ${folder} does not have the files of the object store: only \`backup --files\` copies them.`,
    );
  }
  for (const { id, size, isComplete, stored } of contents) {
    signal.throwIfAborted();
    if (!isComplete || (stored && !manifest.hasObjects)) continue;
    const found = await stat(join(folder, 'files', id)).catch(() => undefined);
    if (!found || (size !== null && found.size !== size)) missing += 1;
  }
  if (missing > manifest.missing) {
    throw new StartError(
      `The backup ${folder} is damaged: ${missing - manifest.missing} of its files are missing or have another size.`,
    );
  }
}

/** Throws StartError while a server runs on the folder. */
async function assertUnused(dataFolder: string): Promise<void> {
  const lock = await stat(join(dataFolder, 'lock')).catch(() => undefined);
  if (lock) (await lockFolder(dataFolder))();
  await rm(join(dataFolder, 'lock-journal'), { force: true });
}
