// Runs the conformance suite of stores on a folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '../../testing.ts';
import { openFolder } from './folder.ts';
import { testFileStore } from './store.contract.ts';
import type { FileStore } from './store.ts';

testFileStore('a folder', 100_000, async () => {
  const home = await mkdtemp(join(tmpdir(), 'webchat-files-'));
  const db = await openTestDatabase(home);
  const stores: FileStore[] = [];
  const open = async () => {
    const store = await openFolder(join(home, 'files'));
    stores.push(store);
    return store;
  };
  return {
    db,
    store: await open(),
    async reopen(isKilled) {
      if (!isKilled) await stores.at(-1)?.close();
      return open();
    },
    async dispose() {
      await Promise.all(stores.map((store) => store.close()));
      await db.close();
      await rm(home, { recursive: true, force: true });
    },
  };
});
