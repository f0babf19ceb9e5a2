// A folder for the tests of a file, which is removed after them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Returns a function that returns the path of a file in the folder, or of the folder. */
export function useFolder(): (name?: string) => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webchat-test-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (name = '') => join(folder, name);
}
