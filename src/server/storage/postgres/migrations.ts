// The schema of PostgreSQL as numbered steps, with the numbers of ../migrations.ts, and the upgrade of a database.
import type pg from 'pg';
import { StartError } from '../../startup/start-error.ts';
import { botStreams, botStreamsOfPostgres } from '../migrations/chat.ts';
import {
  conversationPeriods,
  conversationPeriodsOfPostgres,
  databaseRun,
  databaseRunOfPostgres,
  sharedLimits,
  sharedLimitsOfPostgres,
} from '../migrations/cluster.ts';
import { rowVectors } from '../migrations/tables.ts';
import { migrations } from '../migrations.ts';
import { unfinishedTable } from '../move.ts';
import { adminTables } from './schema/admin.ts';
import { chatTables } from './schema/chat.ts';
import { fileTables } from './schema/files.ts';
import { tableTables } from './schema/tables.ts';

// Refuses a database that cannot hold the data.

/** The oldest version of PostgreSQL that is tested. */
const oldestVersion = 14;

/** Throws StartError for an old version, and for a database that is not in UTF-8. */
export async function checkServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Record<'version' | 'encoding', string>>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`,
  );
  const [{ version = '0', encoding = '' } = {}] = rows;
  const major = Math.floor(Number(version) / 10_000);
  if (major < oldestVersion) {
    throw new StartError(
      `DATABASE_URL: PostgreSQL ${oldestVersion} or later is necessary, and this is version ${major}.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `DATABASE_URL: the encoding of the database is ${encoding}; create it with ENCODING 'UTF8'.`,
    );
  }
}

// Brings the schema of a database up to date.

/** The advisory lock that one process holds while it migrates, so that others wait: "webchat" and a number, as bytes. */
const migrationLock = "hashtextextended('platform-webchat migration', 0)";

/**
 * Applies the steps that the database does not have, in one transaction: it is upgraded completely or not at all. Throws
 * StartError for a database of a newer version, and, except for a move itself, while a move to it has not ended.
 */
export async function migrate(client: pg.ClientBase, isMoveTarget = false): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    if (!isMoveTarget) await assertMoved(client);
    const version = await versionOf(client);
    if (version > newestVersion) {
      throw new StartError('DATABASE_URL: the database was written by a newer version of this server.');
    }
    for (const step of stepsAfter(version)) await client.query(step.sql);
    if (version < newestVersion)
      await client.query('UPDATE schema_version SET version = $1', [newestVersion]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** The incomplete data of a move must not be served. */
async function assertMoved(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('${unfinishedTable}')::text AS found`);
  if (rows[0]?.found) {
    throw new StartError('DATABASE_URL: a move to this database has not ended: repeat its command.');
  }
}

/** The version of the schema; 0 for a new database. */
async function versionOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ found: string | null }>(
    "SELECT to_regclass('schema_version')::text AS found",
  );
  if (rows[0]?.found) {
    const stored = await client.query<{ version: number }>('SELECT version FROM schema_version');
    return stored.rows[0]?.version ?? 0;
  }
  await client.query('CREATE TABLE schema_version (version BIGINT NOT NULL)');
  await client.query('INSERT INTO schema_version (version) VALUES (0)');
  return 0;
}

// The schema of PostgreSQL as numbered steps, with the numbers of ../migrations.ts.

/** The version that a new database begins with: this schema is the result of all steps of SQLite up to this one. */
const firstVersion = migrations.indexOf(rowVectors) + 1;
const firstSchema = [chatTables, adminTables, fileTables, tableTables].join(';');

/** The SQL of a later step by its SQL for SQLite, if it differs. Most steps have one text (`toPostgres`). */
const ownTexts: ReadonlyMap<string, string> = new Map([
  [sharedLimits, sharedLimitsOfPostgres],
  [botStreams, botStreamsOfPostgres],
  [databaseRun, databaseRunOfPostgres],
  [conversationPeriods, conversationPeriodsOfPostgres],
]);

/** A step, and the version that the database has after it. */
export interface Step {
  version: number;
  sql: string;
}

/** The steps that a database of this version does not have; 0: a new one. */
export function stepsAfter(version: number): Step[] {
  const later = migrations.slice(Math.max(version, firstVersion)).map((sql, index) => ({
    version: Math.max(version, firstVersion) + index + 1,
    sql: toPostgres(ownTexts.get(sql) ?? sql),
  }));
  return version === 0 ? [{ version: firstVersion, sql: toPostgres(firstSchema) }, ...later] : later;
}

/** The version of this program. */
export const newestVersion = migrations.length;

/** Comments and literals, which are not changed; then the types. */
const parts =
  /--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\bINTEGER PRIMARY KEY AUTOINCREMENT\b|\bINTEGER\b|\bBLOB\b|\bTEXT\b|\s*\bWITHOUT ROWID\b/g;

const types: Record<string, string> = {
  'INTEGER PRIMARY KEY AUTOINCREMENT': 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
  INTEGER: 'BIGINT',
  BLOB: 'BYTEA',
  // Texts are compared by bytes, as in SQLite: a page of a list begins after an id and ends before `~`.
  TEXT: 'TEXT COLLATE "C"',
  'WITHOUT ROWID': '',
};

/** Returns the statements of a step with the types of PostgreSQL. */
const toPostgres = (sql: string): string => sql.replace(parts, (part) => types[part.trim()] ?? part);
