// Copies of files and folders that are on disk when the functions resolve.
import { constants, type Dirent } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../startup/start-error.ts';

/** Creates a folder that only its owner can access, or uses an empty one. `isLeftover`: names that are ignored. */
export async function createEmptyFolder(folder: string, allowed: readonly string[] = []): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(folder)).filter((name) => !allowed.includes(name));
    if (names.length > 0) throw new StartError(`The folder ${folder} is not empty: name another one.`);
    await chmod(folder, 0o700);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The folder ${folder} cannot be written (${codeOf(error)}).`);
  }
}

/** Copies a file, if there is one, and returns its size; undefined without one. */
export async function copyIfPresent(from: string, to: string): Promise<number | undefined> {
  try {
    // Shares the bytes where the file system can.
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  await chmod(to, 0o600);
  await sync(to);
  return (await stat(to)).size;
}

/** Copies the files of a folder and of its subfolders. A missing folder counts as empty. */
export async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  let entries: Dirent[];
  try {
    entries = await readdir(from, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of entries) {
    signal.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target, signal);
    else if (entry.isFile()) await copyIfPresent(source, target);
  }
  await sync(to);
}

/** Waits until a file, or the entries of a folder, are on disk. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'error';

/** Renames a new, closed database of SQLite to the name under which a server finds it. */
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
