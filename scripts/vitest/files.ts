// The test files of PostgreSQL and of proxies (vitest.config.ts).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The examples of the documentation for proxies, with several processes of the build. */
export const ofProxies = 'e2e/cluster/**/*.test.ts';

/** Tests of the connection to PostgreSQL, and of several processes: with SQLite a server is one process. */
export const ofPostgresOnly = [
  'src/server/storage/postgres/**/*.test.ts',
  'src/server/cluster/leases/claims.test.ts',
  'src/server/notifications/push-processes.test.ts',
  'src/server/cluster/{background,races}.test.ts',
  'src/server/cluster/relay/connect-relay.test.ts',
  'src/server/inbox/process-races.test.ts',
  'src/server/http/cluster-metrics.test.ts',
];

/**
 * The tests on SQLite that run on PostgreSQL, too. First what another engine can break: works of several processes at once, claims,
 * locks, and statements of which each engine has its own. Then one file for the statements of each feature: the run fails when no
 * test has sent a statement of a file of `storage` (src/server/storage/postgres/covered-files.testing.ts). Rules of features that no
 * engine knows are tested on SQLite only.
 */
const ofBothEngines = [
  'src/server/bots/own-events.test.ts',
  'src/server/chat/interrupts/races.test.ts',
  'src/server/chat/{post-group,user-deletion,user-merge}.test.ts',
  'src/server/cluster/leases/*.test.ts',
  'src/server/cluster/leases/{fair-share,shared-cluster}.test.ts',
  'src/server/cluster/limits/*.test.ts',
  'src/server/cluster/mirrors/shared-streams.test.ts',
  'src/server/files/full-text.test.ts',
  'src/server/http/bounded-reads.test.ts',
  'src/server/http/restricted-teams.test.ts',
  'src/server/inbox/{bot-list,found-texts,inbox,visitors,note-file-races,paired-races.integration,races,reports,told-changes}.test.ts',
  'src/server/inbox/alerts/alerts.test.ts',
  'src/server/limits/slots.test.ts',
  'src/server/session/{attempts,links,sessions}.test.ts',

  'src/server/admin/{bot-logs,delete-bot,operator,rotate}.test.ts',
  'src/server/admin/operations/{api-keys,user-keys,visitors}.test.ts',
  'src/server/auth/user-keys.test.ts',
  'src/server/bots/agents/deployment.test.ts',
  'src/server/notifications/{answer-pushes,push-processes,transcript-mails}.test.ts',
  'src/server/chat/interrupts/client-tools-docs.test.ts',
  'src/server/chat/superseding.test.ts',
  'src/server/maintenance/cleanup/retention.test.ts',
  'src/server/files/indexing/indexer.test.ts',
  'src/server/files/operations/{files,lists}.test.ts',
  'src/server/limits/limits.test.ts',
  'src/server/realtime/access.test.ts',
  'src/server/tables/tables.test.ts',
];

/** Tests of the files of SQLite in a data folder, of its query plans and figures, and of processes that use it. */
const ofSqlite =
  /backup\/|cleanup\/(?:inbox-)?data-remains|files\/s3\/(?:process|queries)|full-disk|\/main\.|http\/metrics|storage\/data-folder/;

/** Whether a test, or a testing.ts that it imports, starts a server or opens its database. */
function usesDatabase(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  if (/\b(?:start|open)Test(?:Server|Cluster|Database)\b/.test(text)) return true;
  const imported = [...text.matchAll(/from '(\.[^']*testing\.ts)'/g)];
  return imported.some(([, path = '']) => usesDatabase(join(dirname(file), path)));
}

/** The tests on PostgreSQL: the files above or, with `POSTGRES_TESTS=all`, every test of the server that uses a database. */
export function ofPostgres(): string[] {
  if (process.env.POSTGRES_TESTS !== 'all') return [...ofPostgresOnly, ...ofBothEngines];
  const ofServers = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src/server', file))
    .filter((file) => file.endsWith('.test.ts') && !ofSqlite.test(file) && usesDatabase(file));
  return [...ofPostgresOnly, ...ofServers];
}
