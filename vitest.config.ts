// Unit and contract tests, beside their sources. Files that need a DOM say so on their first line.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests that are only for PostgreSQL. */
const ofPostgres = 'src/server/storage/postgres/**/*.test.ts';

/** Tests of the files of SQLite in a data folder. */
const ofDataFolders = [
  'src/server/cleanup/data-remains.test.ts',
  'src/server/main.test.ts',
  'src/server/storage/data-folder.test.ts',
];

/** Whether a test, or a testing.ts that it imports, starts a server or opens its database. */
function usesDatabase(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  if (/\b(?:start|open)Test(?:Server|Database)\b/.test(text)) return true;
  const imported = [...text.matchAll(/from '(\.[^']*testing\.ts)'/g)];
  return imported.some(([, path = '']) => usesDatabase(join(dirname(file), path)));
}

/** The tests that use the database of a server. `npm run test:postgres` runs all of them on PostgreSQL. */
const ofServers = () =>
  readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src/server', file))
    .filter((file) => file.endsWith('.test.ts') && usesDatabase(file));

/** Those that `npm test` runs on PostgreSQL, too: at least one of each feature. */
const mainOfServers = [
  'src/server/admin/admin.test.ts',
  'src/server/bots/{runner,stream}.test.ts',
  'src/server/chat/operations/{invitations,user-keys}.test.ts',
  'src/server/chat/user-merge.test.ts',
  'src/server/files/operations/*.test.ts',
  'src/server/files/search/full-text.test.ts',
  'src/server/http/app.test.ts',
  'src/server/realtime/stream.test.ts',
  'src/server/runtime/**/*.test.ts',
  'src/server/tables/tables.test.ts',
];

export default defineConfig({
  test: {
    environment: 'node',
    // A process for each file costs a quarter of the time (vitest.setup.ts).
    isolate: false,
    setupFiles: './vitest.setup.ts',
    // Tests wait for a third of their time: with as many workers as cores, two cores are used to two thirds.
    maxWorkers: availableParallelism() + 1,
    // On a busy machine a condition may take its time; a test fails by its condition, not by the clock.
    // The longest property takes 60 s at a load of 18 on two cores.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'src/**/*.test.tsx',
            'demo/**/*.test.ts',
            'bench/**/*.test.ts',
            'e2e/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ofPostgres],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [ofPostgres, ...(process.env.POSTGRES_TESTS === 'all' ? ofServers() : mainOfServers)],
          exclude: ofDataFolders,
          globalSetup: './vitest.postgres.ts',
          env: { TEST_DATABASE: 'postgres' },
        },
      },
    ],
  },
});
