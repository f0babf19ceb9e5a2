// Marks the target database of an unfinished move: no server starts on it, and only the same move continues with it.
import type { Database, Tx } from '../database.ts';
import { forDialect } from '../dialect.ts';
import { mergeParts } from './merge-usage.ts';
import { unfinishedTable } from './tables.ts';

/** The tables of an object store. */
export const storeTables = ['uploads', 'file_store'];

/** The state of a move at its beginning. */
export interface UnfinishedMove {
  /** The digest of the source: another content has another one. */
  source: string;
  /** How files are moved. */
  files: string;
}

/** Returns the unfinished move, if there is one. */
export async function findUnfinishedMove(tx: Tx): Promise<UnfinishedMove | undefined> {
  const found = await tx.get(
    forDialect(tx, {
      sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
      postgres: 'SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?',
    }),
    unfinishedTable,
  );
  if (!found) return undefined;
  return tx.get<UnfinishedMove>(`SELECT source, files FROM ${unfinishedTable}`);
}

export async function beginMove(db: Database, { source, files }: UnfinishedMove): Promise<void> {
  await db.write(async (tx) => {
    await tx.run(`CREATE TABLE ${unfinishedTable} (source TEXT NOT NULL, files TEXT NOT NULL)`);
    await tx.run(`INSERT INTO ${unfinishedTable} (source, files) VALUES (?, ?)`, source, files);
  });
}

/**
 * Removes the mark, so that a server can start on the database. `withoutStore`: the files are no longer in an object
 * store, so the data about the store is removed.
 */
export async function endMove(db: Database, withoutStore: boolean): Promise<void> {
  await db.write(async (tx) => {
    if (withoutStore) for (const table of storeTables) await tx.run(`DELETE FROM ${table}`);
    // SQLite has one writer, which counts in one row.
    if (forDialect(tx, { sqlite: true, postgres: false })) await mergeParts(tx);
    await tx.run(`DROP TABLE ${unfinishedTable}`);
    // The planner of PostgreSQL does not know the new tables yet.
    if (forDialect(tx, { sqlite: false, postgres: true })) await tx.run('ANALYZE');
  });
}
