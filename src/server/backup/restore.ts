// Restores a backup into a new data folder.
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import { currentSchema, findDamage } from '../storage/copy.ts';
import { lockFolder } from '../storage/lock.ts';
import { readVersion } from '../version.ts';
import { contentsOf } from './backup.ts';
import { copyFolder, copyIfPresent, createEmptyFolder, sync } from './folders.ts';
import { databaseName, digestOf, format, type Manifest, readManifest } from './manifest.ts';

export interface RestoreOptions {
  /** The backup. */
  folder: string;
  /** The data folder to create: a new folder, or an empty one. */
  dataFolder: string;
  signal: AbortSignal;
}

export interface Restored extends Manifest {
  /** False if the secret that signs user keys is not in the backup, because it is a setting. */
  hasSecret: boolean;
}

/**
 * Checks a backup and copies it. The database comes last, and a server refuses to start on a folder with files and without
 * a database, so half a copy is never served. Throws StartError for a problem that the operator can fix.
 */
export async function restore({ folder, dataFolder, signal }: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(folder);
  if (manifest.format > format || manifest.schema > currentSchema) {
    throw new StartError(
      `The backup ${folder} was made by version ${manifest.version}, which is newer than this one (${readVersion()}): restore it with that version.`,
    );
  }
  await assertIntact(folder, manifest, signal);
  await assertUnused(dataFolder);
  await createEmptyFolder(dataFolder, lockFiles);
  const unlock = await lockFolder(dataFolder);
  try {
    await mkdir(join(dataFolder, 'files'), { mode: 0o700 });
    await sync(dataFolder);
    for (const name of ['files', 'webchat']) {
      await copyFolder(join(folder, name), join(dataFolder, name), signal);
    }
    const secret = 'user-key-secret';
    const hasSecret = (await copyIfPresent(join(folder, secret), join(dataFolder, secret))) !== undefined;
    const temporary = join(dataFolder, `${databaseName}.new`);
    await copyIfPresent(join(folder, databaseName), temporary);
    signal.throwIfAborted();
    await rename(temporary, join(dataFolder, databaseName));
    await sync(dataFolder);
    return { ...manifest, hasSecret };
  } finally {
    unlock();
  }
}

/** The files of lockFolder. */
const lockFiles = ['lock', 'lock-journal'];

async function assertIntact(folder: string, manifest: Manifest, signal: AbortSignal): Promise<void> {
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
  for (const { id, size, isComplete, isInStore } of await contentsOf(database)) {
    signal.throwIfAborted();
    if (!isComplete || isInStore) continue;
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
