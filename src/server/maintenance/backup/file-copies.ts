// Copies the files of a backup: from the data folder, and from an object store.
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MissingBytes, type Objects } from '../../files/index.ts';
import type { StoredContent, StoredObject } from '../../storage/files/contents.ts';
import { copyIfPresent, sync } from './folders.ts';

export interface FileCopies {
  /** Copies files that were not copied before, and returns the ids of complete files whose bytes are missing. */
  copy(contents: StoredContent[], objects: Objects | undefined): Promise<string[]>;
  /** Removes everything else from the target. */
  keepOnly(contents: StoredContent[]): Promise<void>;
}

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
      const known = new Set(contents.map(({ id }) => id));
      for (const name of await readdir(to)) if (!known.has(name)) await rm(join(to, name), { force: true });
    },
  };
}

const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.size;
