// Backs up a data folder while its server runs: the database as it is at one moment, with all files that it refers to.
import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import { copyDatabase } from '../storage/copy.ts';
import { type StoredContent, storedContents } from '../storage/files/contents.ts';
import { openSqliteReader } from '../storage/sqlite.ts';
import { readVersion } from '../version.ts';
import { copyFolder, copyIfPresent, createEmptyFolder, sync } from './folders.ts';
import { databaseName, digestOf, format, type Manifest, manifestName } from './manifest.ts';

/** How often the database is copied again because files of the previous copy were deleted meanwhile. */
const maxCopies = 5;

export interface BackupOptions {
  /** The data folder of the server. */
  dataFolder: string;
  /** Where the backup is written: a new folder, or an empty one. */
  folder: string;
  signal: AbortSignal;
}

/** Writes a backup and returns its manifest. Throws StartError for a problem that the operator can fix. */
export async function backUp({ dataFolder, folder, signal }: BackupOptions): Promise<Manifest> {
  const source = join(dataFolder, databaseName);
  const size = await stat(source).catch(() => undefined);
  if (!size?.size) throw new StartError(`The folder ${dataFolder} has no database. Name it with --data-dir.`);
  await createEmptyFolder(folder);
  const target = join(folder, databaseName);
  const files = createFileCopies(join(dataFolder, 'files'), join(folder, 'files'), signal);
  await mkdir(join(folder, 'files'), { mode: 0o700 });

  let schema = 0;
  let missing: string[] = [];
  let contents: StoredContent[] = [];
  for (let copies = 0; copies < maxCopies; copies += 1) {
    signal.throwIfAborted();
    await rm(target, { force: true });
    schema = await copyDatabase(source, target);
    await chmod(target, 0o600);
    contents = await contentsOf(target);
    const before = missing.join();
    // Those in an object store stay there.
    missing = await files.copy(contents.filter(({ isInStore }) => !isInStore));
    // The bytes of a file that is deleted disappear after its row, so that the next copy does not refer to them. Those
    // that are missing twice were lost before.
    if (missing.length === 0 || missing.join() === before) break;
  }
  await files.keepOnly(contents);

  await copyIfPresent(join(dataFolder, 'user-key-secret'), join(folder, 'user-key-secret'));
  await copyFolder(join(dataFolder, 'webchat'), join(folder, 'webchat'), signal);
  for (const path of [target, join(folder, 'files'), folder]) await sync(path);
  signal.throwIfAborted();
  const manifest: Manifest = {
    format,
    version: readVersion(),
    schema,
    createdAt: new Date().toISOString(),
    database: { bytes: (await stat(target)).size, sha256: await digestOf(target) },
    files: contents.filter(({ isComplete, isInStore }) => isComplete && !isInStore).length - missing.length,
    missing: missing.length,
    inStore: contents.filter(({ isInStore }) => isInStore).length,
  };
  // Renamed, so that half of it never exists.
  const temporary = join(folder, `${manifestName}.new`);
  await writeFile(temporary, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await sync(temporary);
  await rename(temporary, join(folder, manifestName));
  await sync(folder);
  return manifest;
}

/** The bytes that a copy of the database refers to. */
export async function contentsOf(database: string): Promise<StoredContent[]> {
  const reader = await openSqliteReader(database);
  try {
    return await reader.read(storedContents);
  } finally {
    await reader.close();
  }
}

function createFileCopies(from: string, to: string, signal: AbortSignal) {
  /** Complete bytes never change, so they are copied once; those of a running upload are copied again. */
  const copied = new Set<string>();
  const begun = new Set<string>();

  return {
    /** Copies what was not copied before, and returns the ids of complete files without their bytes. */
    async copy(contents: StoredContent[]): Promise<string[]> {
      const missing: string[] = [];
      for (const { id, size, isComplete } of contents) {
        signal.throwIfAborted();
        if (copied.has(id)) continue;
        begun.add(id);
        const bytes = await copyIfPresent(join(from, id), join(to, id));
        if (!isComplete) continue;
        if (bytes === undefined || (size !== null && bytes !== size)) missing.push(id);
        else copied.add(id);
      }
      return missing;
    },
    /** Removes the copies of other files. */
    async keepOnly(contents: StoredContent[]): Promise<void> {
      const known = new Set(contents.map(({ id }) => id));
      for (const id of begun) if (!known.has(id)) await rm(join(to, id), { force: true });
    },
  };
}
