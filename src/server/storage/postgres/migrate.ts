// Brings the schema of a database up to date.
import type pg from 'pg';
import { StartError } from '../../startup/start-error.ts';
import { unfinishedTable } from '../transfer/tables.ts';
import { newestVersion, stepsAfter } from './migrations.ts';

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
