// Tests of PostgreSQL as storage: the conformance suite.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '../database.contract.ts';
import type { Database } from '../database.ts';
import { repeatWrites } from '../repeated-writes.testing.ts';
import { openPostgres } from './postgres.ts';
import { releaseTestDatabase, testDatabaseOf } from './testing.ts';

const contractDatabase = async (open: (url: string) => Promise<Database>) => {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-contract-'));
  const url = await testDatabaseOf(folder);
  let opened = await open(url);
  return {
    db: opened,
    async reopen() {
      opened = await open(url);
      return opened;
    },
    async dispose() {
      await opened.close();
      await releaseTestDatabase(folder);
      await rm(folder, { recursive: true });
    },
  };
};

testDatabase('PostgreSQL', () => contractDatabase(openPostgres), { isSerial: false });
testDatabase('PostgreSQL with one writer', () =>
  contractDatabase((url) => openPostgres(url, { writers: 1 })),
);
testDatabase('PostgreSQL with works that run twice', () =>
  contractDatabase(async (url) => repeatWrites(await openPostgres(url, { writers: 1 }), 1)),
);
