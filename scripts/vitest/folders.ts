// Folders of one run of the tests, which are removed at its end: one for what they compile (src/server/testing.ts), and one
// for their temporary files.

import { access, chmod, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createCacheFolder } from '../cache-folder.mjs';

/** A file system in memory, where a commit does not wait for a disk. No test depends on the disk. */
const memory = '/dev/shm';
/** Bytes that must be free there: the largest tests write files of some hundred megabytes, several at a time. */
const neededBytes = 4_000_000_000;

export default async function setup(): Promise<() => Promise<void>> {
  const folders = [await createCacheFolder('run-')];
  process.env.TEST_BUILD_FOLDER = folders[0];
  if (process.env.TMPDIR === undefined && (await hasMemory())) {
    const folder = await mkdtemp(join(memory, 'webchat-tests-'));
    folders.push(folder);
    // The services of the tests have accounts of their own.
    await chmod(folder, 0o1777);
    process.env.TMPDIR = folder;
  }
  return async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
}

/** Whether temporary files can be in memory; in a container it often has only 64 MB. */
async function hasMemory(): Promise<boolean> {
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
