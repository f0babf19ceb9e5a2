// Copies the bytes of files in a move: between two folders, to an object store, or from one.
import { createReadStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '../../../files/index.ts';
import type { Database } from '../../../storage/database.ts';
import { type StoredContent, storedContents } from '../../../storage/files/files.ts';
import { findUpload } from '../../../storage/files/uploads.ts';
import { copyIfPresent, sync } from '../folders.ts';

export interface FileMove {
  /** The target, with all rows. */
  db: Database;
  signal: AbortSignal;
}

export interface MovedFiles {
  /** Complete files that are at the target. */
  files: number;
  /** Complete files whose bytes were already lost. */
  missing: number;
  /** Unfinished uploads that begin again, because an object store does not return their bytes. */
  restarted: number;
}

/**
 * Copies files from one folder to another. A file that the target already has with the same size is not copied again.
 */
export async function copyToFolder({ db, signal }: FileMove, from: string, to: string): Promise<MovedFiles> {
  const moved = await eachContent(db, signal, async ({ id, size }) => {
    const found = await sizeOf(join(from, id));
    if (found === undefined || (size !== null && found !== size)) return false;
    if ((await sizeOf(join(to, id))) !== found) {
      // Renamed after the copy, so that a file with its final name is complete.
      const temporary = join(to, `${id}.new`);
      await copyIfPresent(join(from, id), temporary);
      await rename(temporary, join(to, id));
    }
    return true;
  });
  await sync(to);
  return moved;
}

/**
 * Sends the files of a folder to an object store. A file that the store already has with the same size is not sent
 * again.
 */
export async function sendToStore(
  { db, signal }: FileMove,
  from: string,
  store: FileStore,
): Promise<MovedFiles> {
  return eachContent(db, signal, async ({ id, size, isComplete }) => {
    const path = join(from, id);
    const found = await sizeOf(path);
    if (found === undefined || (isComplete && size !== null && found !== size)) return false;
    const sent = await db.read((tx) => findUpload(tx, id));
    if (sent?.isWhole && sent.size === found) return true;
    await store.hold(id, async (writer) => {
      const size = await writer.write(0, Number.POSITIVE_INFINITY, createReadStream(path));
      if (size !== found)
        throw new Error(`The object store has received ${size} of ${found} bytes of ${id}.`);
      if (isComplete) await writer.finish();
      else await writer.sync();
    });
    const stored = await db.read((tx) => findUpload(tx, id));
    if (stored?.size !== found)
      throw new Error(`The object store has ${stored?.size} of ${found} bytes of ${id}.`);
    return true;
  });
}

/** Reads the files of an object store into a folder. */
export async function readFromStore(
  { db, signal }: FileMove,
  store: FileStore,
  to: string,
): Promise<MovedFiles> {
  const moved = await eachContent(db, signal, async ({ id, isComplete }) => {
    const upload = await db.read((tx) => findUpload(tx, id));
    // The parts of an unfinished object cannot be read.
    if (!isComplete || !upload?.isWhole) return false;
    if ((await sizeOf(join(to, id))) === upload.size) return true;
    const temporary = join(to, `${id}.new`);
    await store.withLocalFile(id, (path) => copyIfPresent(path, temporary));
    const size = await sizeOf(temporary);
    if (size !== upload.size)
      throw new Error(`The object store has sent ${size} of ${upload.size} bytes of ${id}.`);
    await rename(temporary, join(to, id));
    return true;
  });
  await rm(join(to, 'temporary'), { recursive: true, force: true });
  await sync(to);
  return moved;
}

/** `copy` returns false when there are no bytes. */
async function eachContent(
  db: Database,
  signal: AbortSignal,
  copy: (content: StoredContent) => Promise<boolean>,
): Promise<MovedFiles> {
  const moved: MovedFiles = { files: 0, missing: 0, restarted: 0 };
  for (const content of await db.read(storedContents)) {
    signal.throwIfAborted();
    const isCopied = await copy(content);
    if (content.isComplete) moved[isCopied ? 'files' : 'missing'] += 1;
    else if (!isCopied) moved.restarted += 1;
  }
  return moved;
}

const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.size;
