// The two ends of a move: a data folder with SQLite, or a database of PostgreSQL.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../../startup/start-error.ts';
import type { Database, Reader } from '../../../storage/database.ts';
import { lockFolder } from '../../../storage/lock.ts';
import { lockDatabase, openDatabase } from '../../../storage/open.ts';
import { openSource } from '../../../storage/transfer/source.ts';
import { createEmptyFolder, sync } from '../folders.ts';
import { databaseName } from '../manifest.ts';
import { renameDatabase } from '../rename-database.ts';

export type DataLocation = { kind: 'folder'; path: string } | { kind: 'postgres'; url: string };

/** The database of a target folder until the move has ended, so that no server finds it. */
const temporaryName = `${databaseName}.moving`;

/** The files that a target folder contains during a move. */
const parts: string[] = [
  'lock',
  'lock-journal',
  temporaryName,
  `${temporaryName}-wal`,
  `${temporaryName}-shm`,
];
const laterParts = ['files', 'webchat', 'user-key-secret'];

export interface Source {
  db: Reader;
  close(): Promise<void>;
}

export interface Target {
  db: Database;
  /** Closes the database. From now on, a server can use it. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Locks the source against a server, and opens it. Throws StartError. */
export async function openFrom(location: DataLocation): Promise<Source> {
  if (location.kind === 'folder') {
    const file = join(location.path, databaseName);
    const found = await stat(file).catch(() => undefined);
    if (!found?.size) throw new StartError(`The folder ${location.path} has no database.`);
  }
  const unlock = await lock(location);
  try {
    const isFile = location.kind === 'folder';
    const db = await openSource(isFile ? join(location.path, databaseName) : location.url, isFile);
    return {
      db,
      async close() {
        await db.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Creates the target, locks it, and opens it. Throws StartError. */
export async function openTo(location: DataLocation): Promise<Target> {
  if (location.kind === 'folder') await prepareFolder(location.path);
  const unlock = await lock(location);
  try {
    const temporary = location.kind === 'folder' ? join(location.path, temporaryName) : '';
    const db = await openDatabase(location.kind === 'folder' ? temporary : location.url, {
      isMoveTarget: true,
    });
    const close = async () => {
      await db.close();
      await unlock();
    };
    return {
      db,
      close,
      async finish() {
        if (location.kind === 'folder') {
          await db.close();
          await renameDatabase(temporary, join(location.path, databaseName));
        }
        await close();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** A server refuses to start on a folder with files and without a database, so it never serves an incomplete move. */
async function prepareFolder(path: string): Promise<void> {
  const names: string[] = await readdir(path).catch(() => []);
  await createEmptyFolder(path, names.includes(temporaryName) ? [...parts, ...laterParts] : parts);
  await mkdir(join(path, 'files'), { recursive: true, mode: 0o700 });
  await sync(path);
}

async function lock(location: DataLocation): Promise<() => Promise<void>> {
  if (location.kind === 'folder') {
    const unlock = await lockFolder(location.path);
    return async () => unlock();
  }
  const held = await lockDatabase(location.url, { isShared: false, onTaken() {} });
  return held.release;
}
