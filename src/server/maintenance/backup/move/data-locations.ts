// The two ends of a move: a data folder with SQLite, or a database of PostgreSQL.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../../startup/start-error.ts';
import { openSource } from '../../../storage/copy.ts';
import type { Database, Reader } from '../../../storage/database.ts';
import { isAddress, lockDatabase, lockFolder, openDatabase } from '../../../storage/open.ts';
import { createEmptyFolder, renameDatabase, sync } from '../folders.ts';
import { databaseName } from '../manifest.ts';

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

const variable = 'DATABASE_URL';

/**
 * Reads the source or the target of a move from the command line: a data folder, the word `DATABASE_URL` for the address in
 * this variable, or an address without a password. Throws StartError for an address with a password, because every user of the
 * machine can read a command line.
 */
export function readLocation(
  option: string,
  text: string,
  env: Record<string, string | undefined>,
): DataLocation {
  if (text === variable) {
    const url = env[variable]?.trim() ?? '';
    if (!isAddress(url)) throw new StartError(`${variable} must be the address of a database of PostgreSQL.`);
    return { kind: 'postgres', url };
  }
  if (!isAddress(text)) return { kind: 'folder', path: text };
  if (URL.canParse(text) && new URL(text).password === '') return { kind: 'postgres', url: text };
  throw new StartError(
    `${option}: this address has a password, which other users of the machine can read in a command line: set ${variable}, and write \`${option} ${variable}\`.`,
  );
}
