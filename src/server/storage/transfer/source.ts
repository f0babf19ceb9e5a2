// Opens the source database of a move. It is not changed, not even by an upgrade of its schema.
import { stat } from 'node:fs/promises';
import { StartError } from '../../startup/start-error.ts';
import { assertCurrentSchema } from '../copy.ts';
import type { Reader } from '../database.ts';
import { migrations } from '../migrations.ts';
import { openReader } from '../open.ts';
import { findUnfinishedMove } from './unfinished.ts';

/** `location`: the address of a database of PostgreSQL, or the path of a file. Throws StartError when it cannot be used. */
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
