// The tests of storage and of the server on PostgreSQL. `POSTGRES_TESTS=all` runs every test that uses a database.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import config, { ofPostgres } from './vitest.config.ts';

/** Tests of the files of SQLite in a data folder, of its query plans and figures, and of processes that use it. */
const ofSqlite = [
  'src/server/backup/backup.test.ts',
  'src/server/backup/note-files.test.ts',
  'src/server/backup/object-store.test.ts',
  'src/server/cleanup/data-remains.test.ts',
  'src/server/cleanup/inbox-data-remains.test.ts',
  'src/server/files/s3/process.test.ts',
  'src/server/files/s3/queries.test.ts',
  'src/server/full-disk.test.ts',
  'src/server/main.test.ts',
  'src/server/metrics/metrics.test.ts',
  'src/server/storage/data-folder.test.ts',
];

/** Whether a test, or a testing.ts that it imports, starts a server or opens its database. */
function usesDatabase(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  if (/\b(?:start|open)Test(?:Server|Cluster|Database)\b/.test(text)) return true;
  const imported = [...text.matchAll(/from '(\.[^']*testing\.ts)'/g)];
  return imported.some(([, path = '']) => usesDatabase(join(dirname(file), path)));
}

/** The tests that use the database of a server, of which `POSTGRES_TESTS=all` runs all. */
const ofServers = () =>
  readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src/server', file))
    .filter((file) => file.endsWith('.test.ts') && usesDatabase(file));

/**
 * Those that `npm test` runs on PostgreSQL, too. First what another engine can break: works of several processes at once, claims,
 * locks, and statements of which each engine has its own. Then one file for the statements of each feature: the run fails when no
 * test has sent a statement of a file of `storage` (src/server/storage/postgres/covered-files.testing.ts). Rules of features that no
 * engine knows are tested on SQLite only.
 */
const mainOfServers = [
  'src/server/bots/claims/*.test.ts',
  'src/server/chat/interrupts/races.test.ts',
  'src/server/chat/{post-group,user-deletion,user-merge}.test.ts',
  'src/server/cluster/{background,cluster,connect-relay,fair-share,races,shared-cluster}.test.ts',
  'src/server/files/search/full-text.test.ts',
  'src/server/inbox/{inbox,note-file-races,paired-races,process-races,races,reports}.test.ts',
  'src/server/limits/{shared-limits,stream-slots}.test.ts',
  'src/server/metrics/cluster-metrics.test.ts',
  'src/server/runtime/shared-streams.test.ts',
  'src/server/session/{attempts,links,sessions}.test.ts',

  'src/server/admin/{bot-logs,delete-bot,operator,rotate}.test.ts',
  'src/server/admin/operations/{api-keys,user-keys,visitors}.test.ts',
  'src/server/auth/anonymous-user-ids.test.ts',
  'src/server/bots/agents/deployment.test.ts',
  'src/server/chat/answer-pushes/*.test.ts',
  'src/server/chat/transcript-mails/*.test.ts',
  'src/server/chat/interrupts/client-tools-docs.test.ts',
  'src/server/chat/superseding.test.ts',
  'src/server/cleanup/retention.test.ts',
  'src/server/files/indexing/indexer.test.ts',
  'src/server/files/operations/{files,lists}.test.ts',
  'src/server/limits/limits.test.ts',
  'src/server/realtime/access.test.ts',
  'src/server/tables/tables.test.ts',
];

export default defineConfig({
  test: {
    ...config.test,
    include: [ofPostgres, ...(process.env.POSTGRES_TESTS === 'all' ? ofServers() : mainOfServers)],
    exclude: ofSqlite,
    globalSetup: ['./vitest.folders.ts', './vitest.postgres.ts'],
    // Several processes share a PostgreSQL, so that bot events are claimed and writes of handlers are fenced.
    env: { TEST_DATABASE: 'postgres', TEST_RELAY: 'on' },
  },
});
