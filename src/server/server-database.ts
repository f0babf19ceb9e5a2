// Opens the database of a server by its settings: SQLite in the data folder, or PostgreSQL.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from './composition/settings.ts';
import { assertDatabaseKept, hasSecret } from './data-folder.ts';
import { StartError } from './startup/start-error.ts';
import type { Database } from './storage/database.ts';
import { lockDatabase, openDatabase } from './storage/open.ts';
import type { SqliteOptions } from './storage/sqlite.ts';

const databaseName = 'platform.db';

export interface ServerDatabaseOptions extends SqliteOptions {
  /** Called when another process has taken the lock of PostgreSQL while the database could not be reached. */
  onTaken(): void;
}

/** Throws StartError when a setting is missing that a server needs whose data is not on this machine. */
export function checkDatabaseSettings(settings: Settings): void {
  if (settings.DATABASE_URL === undefined) return;
  if (!hasSecret(settings)) {
    throw new StartError(
      'DATABASE_URL: set USER_KEY_SECRET, too, because the generated secret would be stored on this machine only.',
    );
  }
  if (settings.PUBLIC_URL === undefined) {
    throw new StartError(
      'DATABASE_URL: set PUBLIC_URL, too, because the default is an address of this machine.',
    );
  }
}

/**
 * Opens the database. `close` of the result also releases the lock of PostgreSQL; the data folder has its own. Throws
 * StartError.
 */
export async function openServerDatabase(
  {
    DATABASE_URL: url,
    RELAY_DATABASE_URL: direct,
    DATABASE_POOL: pool,
    DATA_DIR: folder,
    S3_URL: objectStore,
  }: Settings,
  logger: Logger,
  { onTaken, ...options }: ServerDatabaseOptions,
): Promise<Database> {
  if (url === undefined) {
    await assertDatabaseKept(folder, databaseName);
    return openFile(folder, options);
  }
  const lock = await lockDatabase(direct ?? url, {
    setting: direct === undefined ? 'DATABASE_URL' : 'RELAY_DATABASE_URL',
    isShared: objectStore !== undefined,
    onTaken() {
      logger.fatal('another process uses the database, so this one stops');
      onTaken();
    },
  });
  try {
    const db = await openDatabase(url, {
      pool,
      isPooled: direct !== undefined,
      onAvailable(isAvailable) {
        if (isAvailable) logger.info('the database answers again');
        else logger.error('the database does not answer');
      },
    });
    return {
      ...db,
      async close() {
        await db.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openFile(folder: string, options: SqliteOptions): Promise<Database> {
  try {
    return await openDatabase(join(folder, databaseName), options);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATA_DIR: the database cannot be opened: ${String(error).split('\n')[0]}`);
  }
}
