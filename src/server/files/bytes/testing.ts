// Opens stores of files in a temporary folder, for the conformance suite.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../storage/database.ts';
import { openTestDatabase } from '../../testing.ts';
import type { OpenedStore } from './store.contract.ts';
import type { FileStore } from './store.ts';

/** `open`: opens a store; all have the same files. `home`: the folder. */
export async function openInFolder(
  open: (home: string, db: Database) => Promise<FileStore>,
): Promise<OpenedStore> {
  const home = await mkdtemp(join(tmpdir(), 'webchat-files-'));
  const db = await openTestDatabase(home);
  const store = await open(home, db);
  const stores = [store];
  return {
    db,
    store,
    async reopen(isKilled) {
      if (!isKilled) await stores.at(-1)?.close();
      const another = await open(home, db);
      stores.push(another);
      return another;
    },
    async dispose() {
      await Promise.all(stores.map((one) => one.close()));
      await db.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
