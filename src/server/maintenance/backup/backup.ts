// Backs up a data folder while its server runs: a consistent copy of the database, with all files that it refers to.
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MissingBytes, type Objects, openObjects, type S3Options } from '../../files/index.ts';
import { storeLastBackup } from '../../startup/last-backup.ts';
import { StartError } from '../../startup/start-error.ts';
import { readVersion } from '../../startup/version.ts';
import { copyDatabase } from '../../storage/copy.ts';
import { type StoredContent, type StoredObject, storedContents } from '../../storage/files/files.ts';
import { findStoreId } from '../../storage/files/uploads.ts';
import { openSqliteReader } from '../../storage/sqlite.ts';
import { copyFolder, copyIfPresent, createEmptyFolder, sync } from './folders.ts';
import { databaseName, digestOf, format, type Manifest, manifestName } from './manifest.ts';

/** How often the database is copied again because files of the previous copy were deleted in the meantime. */
const maxCopies = 5;

/** A file that marks an unfinished backup with files of an object store. */
const unfinishedName = 'unfinished';

export interface BackupOptions {
  /** The data folder of the server. */
  dataFolder: string;
  /** Where the backup is written: a new folder, or an empty one. With `s3` also one whose backup was interrupted. */
  folder: string;
  /** The object store of the server, if its files are copied, too; undefined: they stay there. */
  s3?: S3Options | undefined;
  signal: AbortSignal;
}

/** Writes a backup and returns its manifest. Throws StartError for a problem that the operator can fix. */
export async function backUp({ dataFolder, folder, s3, signal }: BackupOptions): Promise<Manifest> {
  const source = join(dataFolder, databaseName);
  const size = await stat(source).catch(() => undefined);
  if (!size?.size) throw new StartError(`The folder ${dataFolder} has no database. Name it with --data-dir.`);
  await prepare(folder, s3 !== undefined);
  const target = join(folder, databaseName);
  const files = createFileCopies(join(dataFolder, 'files'), join(folder, 'files'), signal);
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 });

  let schema = 0;
  let missing: string[] = [];
  let contents: StoredContent[] = [];
  let objects: Objects | undefined;
  try {
    for (let copies = 0; copies < maxCopies; copies += 1) {
      signal.throwIfAborted();
      await rm(target, { force: true });
      schema = await copyDatabase(source, target);
      await chmod(target, 0o600);
      const copy = await readCopy(target);
      contents = copy.contents;
      if (s3 && copy.storeId !== undefined) objects ??= await openObjects(s3, copy.storeId);
      const before = missing.join();
      missing = await files.copy(contents, objects);
      // The bytes of a deleted file disappear after its row, so the next copy does not refer to them. Bytes that are
      // missing twice were already lost before.
      if (missing.length === 0 || missing.join() === before) break;
    }
  } finally {
    objects?.close();
  }
  await files.keepOnly(contents);

  await copyIfPresent(join(dataFolder, 'user-key-secret'), join(folder, 'user-key-secret'));
  await copyFolder(join(dataFolder, 'webchat'), join(folder, 'webchat'), signal);
  for (const path of [target, join(folder, 'files'), folder]) await sync(path);
  signal.throwIfAborted();
  const inStore = objects ? [] : contents.filter(({ stored }) => stored);
  const complete = contents.filter(({ isComplete, stored }) => isComplete && (objects || !stored));
  const manifest: Manifest = {
    format,
    version: readVersion(),
    schema,
    createdAt: new Date().toISOString(),
    database: { bytes: (await stat(target)).size, sha256: await digestOf(target) },
    files: complete.length - missing.length,
    missing: missing.length,
    inStore: inStore.length,
    hasObjects: objects !== undefined,
  };
  // Renamed, so that an incomplete file never has this name.
  const temporary = join(folder, `${manifestName}.new`);
  await writeFile(temporary, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await sync(temporary);
  await rename(temporary, join(folder, manifestName));
  await rm(join(folder, unfinishedName), { force: true });
  await sync(folder);
  await storeLastBackup(dataFolder, { createdAt: manifest.createdAt, bytes: manifest.database.bytes });
  return manifest;
}

/**
 * Creates the folder. The folder of an interrupted backup is used again if it has files of an object store; these files
 * stay.
 */
async function prepare(folder: string, hasStore: boolean): Promise<void> {
  const names: string[] = await readdir(folder).catch(() => []);
  const isResumed = hasStore && names.includes(unfinishedName) && !names.includes(manifestName);
  const copied = [
    'user-key-secret',
    'webchat',
    databaseName,
    `${databaseName}-journal`,
    `${manifestName}.new`,
  ];
  await createEmptyFolder(folder, isResumed ? [unfinishedName, 'files', ...copied] : []);
  for (const name of isResumed ? copied : []) await rm(join(folder, name), { recursive: true, force: true });
  if (!hasStore) return;
  await writeFile(join(folder, unfinishedName), '', { mode: 0o600 });
  await sync(folder);
}

/** The files that a copy of the database refers to. `storeId`: the id of its object store, if it has one. */
export async function readCopy(
  database: string,
): Promise<{ contents: StoredContent[]; storeId: string | undefined }> {
  const reader = await openSqliteReader(database);
  try {
    return { contents: await reader.read(storedContents), storeId: await reader.read(findStoreId) };
  } finally {
    await reader.close();
  }
}

export interface FileCopies {
  /** Copies files that were not copied before, and returns the ids of complete files whose bytes are missing. */
  copy(contents: StoredContent[], objects: Objects | undefined): Promise<string[]>;
  /** Removes everything else from the target. */
  keepOnly(contents: StoredContent[]): Promise<void>;
}

/** Copies the files of a backup: from the data folder, and from an object store. */
export function createFileCopies(from: string, to: string, signal: AbortSignal): FileCopies {
  /**
   * The bytes of complete files never change, so they are copied once. The bytes of a running upload are copied again.
   */
  const copied = new Set<string>();

  /**
   * Returns false if the object was deleted. An object that an interrupted backup has already copied is not copied
   * again.
   */
  async function copyObject(id: string, stored: StoredObject, objects: Objects): Promise<boolean> {
    const target = join(to, id);
    if ((await sizeOf(target)) === stored.size) return true;
    // Renamed after the copy, so that a file with its final name is complete.
    const temporary = `${target}.new`;
    try {
      await pipeline(await objects.read(stored), createWriteStream(temporary, { mode: 0o600 }), { signal });
    } catch (error) {
      if (error instanceof MissingBytes) return false;
      throw error;
    }
    const size = await sizeOf(temporary);
    if (size !== stored.size)
      throw new Error(`The object store has sent ${size} of ${stored.size} bytes of ${id}.`);
    await sync(temporary);
    await rename(temporary, target);
    return true;
  }

  return {
    async copy(contents, objects) {
      const missing: string[] = [];
      for (const { id, size, isComplete, stored } of contents) {
        signal.throwIfAborted();
        if (copied.has(id) || (stored && !objects)) continue;
        let isCopied: boolean;
        if (stored && objects) isCopied = await copyObject(id, stored, objects);
        else {
          const bytes = await copyIfPresent(join(from, id), join(to, id));
          isCopied = bytes !== undefined && (size === null || bytes === size);
        }
        if (!isComplete) continue;
        if (isCopied) copied.add(id);
        else missing.push(id);
      }
      return missing;
    },

    async keepOnly(contents) {
      const contentIds = new Set(contents.map(({ id }) => id));
      for (const name of await readdir(to))
        if (!contentIds.has(name)) await rm(join(to, name), { force: true });
    },
  };
}

const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.size;
