// Opens the database of a server: PostgreSQL by its address, otherwise SQLite by its file. Locks a data folder.
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { matching, type Setting, wholeNumber } from '../startup/setting.ts';
import { StartError } from '../startup/start-error.ts';
import type { Database, Reader } from './database.ts';
import type { ProcessLock, ProcessLockOptions } from './postgres/process-lock.ts';
import { openSqlite, openSqliteReader, type SqliteOptions, sqlite } from './sqlite.ts';

export const isAddress = (location: string): boolean => /^postgres(?:ql)?:/.test(location);

export interface DatabaseOptions extends SqliteOptions {
  /** The maximum number of connections to PostgreSQL. */
  pool?: number | undefined;
  /** True when the address of PostgreSQL may be that of a connection pooler, for which it is asked. */
  isPooled?: boolean | undefined;
  /** True for a move to a database of PostgreSQL, which may not have ended. */
  isMoveTarget?: boolean | undefined;
  /** Called when PostgreSQL does not answer any more, and when it answers again. */
  onAvailable?: ((isAvailable: boolean) => void) | undefined;
}

/**
 * Opens the database, creates what is missing, and brings its schema up to date. `location`: the address of a database of
 * PostgreSQL, or the path of a file. Throws StartError when it cannot be used.
 */
export async function openDatabase(location: string, options: DatabaseOptions = {}): Promise<Database> {
  if (!isAddress(location)) return openSqlite(location, options);
  // Only here, so that a server with SQLite loads nothing of it.
  const { openPostgres } = await import('./postgres/postgres.ts');
  if (!options.isPooled) return openPostgres(location, options);
  const { inspectSessions } = await import('./postgres/sessions.ts');
  return openPostgres(location, { ...options, ...(await inspectSessions(location)) });
}

/** Locks a database of PostgreSQL against other processes (postgres/process-lock.ts). */
export async function lockDatabase(url: string, options: ProcessLockOptions): Promise<ProcessLock> {
  return (await import('./postgres/process-lock.ts')).lockDatabase(url, options);
}

/** Opens a connection for reading in a worker thread. `location`: of a database that is open. */
export async function openReader(location: string): Promise<Reader> {
  if (!isAddress(location)) return openSqliteReader(location);
  const { openPostgresReader } = await import('./postgres/postgres.ts');
  return openPostgresReader(location);
}

/**
 * Locks the folder until this process ends, by an open exclusive transaction on a separate file. The operating system
 * holds the lock (fcntl), so kill -9 releases it and no stale lock file can remain. Throws StartError when another
 * process has the lock. Returns the function that releases it.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const DatabaseSync = await sqlite();
  let lock: DatabaseSyncInstance | undefined;
  try {
    lock = new DatabaseSync(join(folder, 'lock'));
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if (/locked|busy/i.test(String(error))) {
      throw new StartError(`The data folder ${folder} is in use by another process.`);
    }
    throw new StartError(`The data folder ${folder} cannot be written: ${String(error).split('\n')[0]}`);
  }
  const held = lock;
  return () => held.close();
}

/** The settings of PostgreSQL. */
export const databaseSettings = {
  DATABASE_URL: {
    doc: 'Address of a database of PostgreSQL 14 or later, `postgres://USER:PASSWORD@HOST/DATABASE`, which holds the data instead of SQLite in `DATA_DIR`. `USER_KEY_SECRET` and `PUBLIC_URL` are then required ([scaling.md](../guides/scaling.md)).',
    defaultDoc: 'SQLite',
    schema: matching(
      /^postgres(?:ql)?:\/\/[^/?#]+\/[^/?#]+/,
      'must be an address such as `postgres://user:password@host/database`',
    ),
    isSecret: true,
  },
  DATABASE_POOL: {
    doc: 'The maximum number of connections to PostgreSQL, in addition to up to five for the lock, notifications, health checks and semantic search. More than 5 for each of its cores make it slower.',
    default: '10',
    schema: wholeNumber(2, 1_000),
  },
} satisfies Record<string, Setting<unknown>>;
