// Opens the database of a server: PostgreSQL by its address, otherwise SQLite by its file.
import type { Database, Reader } from './database.ts';
import type { ProcessLock, ProcessLockOptions } from './postgres/process-lock.ts';
import { openSqlite, openSqliteReader, type SqliteOptions } from './sqlite.ts';

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
