// Folders of tests that must be inside the repository, so that its packages and its own name resolve there.
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../.cache');

/**
 * Creates a new folder in `.cache`, which Git ignores and no package contains: a folder that appears and disappears in `dist`
 * breaks an `npm pack` that reads it at that moment. Whoever creates it removes it.
 * @param {string} prefix the begin of its name.
 */
export async function createCacheFolder(prefix) {
  await mkdir(cache, { recursive: true });
  return mkdtemp(join(cache, prefix));
}
