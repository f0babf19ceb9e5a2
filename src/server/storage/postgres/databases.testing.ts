// An empty database of PostgreSQL for each test of a file.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Database } from '../database.ts';
import { openPostgres } from './postgres.ts';
import { releaseTestDatabase, testDatabaseOf } from './testing.ts';

export function usePostgres() {
  let folder = '';
  const opened: Database[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webchat-postgres-'));
  });
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close();
    await releaseTestDatabase(folder);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    /** The data folder to which the database of the present test belongs. */
    folder: () => folder,
    url: () => testDatabaseOf(folder),
    /** Opens a database without the statistics of earlier tests. */
    async openNew(): Promise<Database> {
      return this.open({}, await testDatabaseOf(folder, true));
    },
    /** Opens the database, until the test ends. `url`: another way to it. */
    async open(options?: Parameters<typeof openPostgres>[1], url?: string): Promise<Database> {
      const db = await openPostgres(url ?? (await testDatabaseOf(folder)), options);
      opened.push(db);
      return db;
    },
  };
}
