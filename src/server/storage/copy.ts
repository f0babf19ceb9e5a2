// Copies of a database that a server is writing to, as it was at one moment, and the source database of a move.
import { stat } from 'node:fs/promises';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StartError } from '../startup/start-error.ts';
import type { Reader } from './database.ts';
import { migrations } from './migrations.ts';
import { findUnfinishedMove, storeTables } from './move.ts';
import { openReader } from './open.ts';
import { busyTimeoutMs, sqlite } from './sqlite.ts';

/** The number of the schema of this version. */
export const currentSchema = migrations.length;

/**
 * Copies the committed content of the database to a new file, and returns the number of its schema. Other processes can
 * read and write meanwhile. The copy contains no deleted content. Throws StartError for a database of another version.
 */
export async function copyDatabase(file: string, target: string): Promise<number> {
  const DatabaseSync = await sqlite();
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    assertVersion(source, file);
    source.prepare('VACUUM INTO ?').run(target);
    return currentSchema;
  } finally {
    source.close();
  }
}

/** Throws StartError if a database file was written by another version. */
export async function assertCurrentSchema(file: string): Promise<void> {
  const DatabaseSync = await sqlite();
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    assertVersion(db, file);
  } finally {
    db.close();
  }
}

function assertVersion(db: DatabaseSyncInstance, file: string): void {
  const row: { user_version: number } = db.prepare('PRAGMA user_version').get();
  if (row.user_version === currentSchema) return;
  const other = row.user_version > currentSchema ? 'a newer' : 'an earlier';
  throw new StartError(
    `The database ${file} was written by ${other} version of this server: use the program of that version.`,
  );
}

/** Makes a database forget its object store, because its files are elsewhere from now on. Nobody else uses it. */
export async function forgetStore(file: string): Promise<void> {
  const DatabaseSync = await sqlite();
  const db = new DatabaseSync(file);
  try {
    db.exec(`BEGIN; ${storeTables.map((table) => `DELETE FROM ${table}`).join('; ')}; COMMIT`);
  } finally {
    db.close();
  }
}

/** Returns the first problem of a database file; undefined if it is intact. */
export async function findDamage(file: string): Promise<string | undefined> {
  const DatabaseSync = await sqlite();
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const row: { quick_check: string } = db.prepare('PRAGMA quick_check(1)').get();
    return row.quick_check === 'ok' ? undefined : row.quick_check;
  } catch (error) {
    return String(error).split('\n')[0];
  } finally {
    db.close();
  }
}

/**
 * Opens the source database of a move. It is not changed, not even by an upgrade of its schema. `location`: the address of a
 * database of PostgreSQL, or the path of a file. Throws StartError when it cannot be used.
 */
export async function openSource(location: string, isFile: boolean): Promise<Reader> {
  if (isFile) {
    const found = await stat(location).catch(() => undefined);
    if (!found?.size) throw new StartError(`There is no database at ${location}.`);
    await assertCurrentSchema(location);
    return openReader(location);
  }
  const reader = await openReader(location);
  try {
    const version = await reader.read(async (tx) => {
      const found = await tx.get<{ name: string | null }>(
        `SELECT to_regclass('schema_version')::text AS name`,
      );
      if (!found?.name) return 0;
      return (await tx.get<{ version: number }>('SELECT version FROM schema_version'))?.version ?? 0;
    });
    if (version === 0) throw new StartError('DATABASE_URL: the database has no data of a server.');
    if (version !== migrations.length) {
      const other = version > migrations.length ? 'a newer' : 'an earlier';
      throw new StartError(
        `DATABASE_URL: the database was written by ${other} version of this server: use the program of that version.`,
      );
    }
    if (await reader.read(findUnfinishedMove)) {
      throw new StartError('DATABASE_URL: a move to this database has not ended: repeat its command.');
    }
    return reader;
  } catch (error) {
    await reader.close();
    throw error;
  }
}
