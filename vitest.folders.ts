// A folder for what the tests of a run compile, which is removed at the end (src/server/testing.ts).
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

export default async function setup(): Promise<() => Promise<void>> {
  const cache = join(import.meta.dirname, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'run-'));
  process.env.TEST_BUILD_FOLDER = folder;
  return () => rm(folder, { recursive: true, force: true });
}
