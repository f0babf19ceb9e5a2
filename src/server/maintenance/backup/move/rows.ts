// Copies all tables of one database to another one in batches, and compares them.
import { createHash } from 'node:crypto';
import { rebuildFullText } from '../../../files/index.ts';
import { StartError } from '../../../startup/start-error.ts';
import type { Database, Reader } from '../../../storage/database.ts';
import {
  beginMove,
  commonTables,
  continueNumbers,
  digestOf,
  findUnfinishedMove,
  insertRows,
  lastKey,
  listTables,
  readPiece,
  storeTables,
  type Table,
  type TableDigest,
} from '../../../storage/move.ts';

export interface RowMove {
  from: Reader;
  to: Database;
  /**
   * True if only a move writes to the target: its rows are then those of a move that was interrupted at its very end.
   */
  isNew: boolean;
  /** True if files are sent to an object store: the target then has other rows for them than the source. */
  isSent: boolean;
  /** How files are moved. */
  files: string;
  signal: AbortSignal;
  onProgress(line: string): void;
}

export interface MovedRows {
  tables: number;
  rows: number;
}

/** Copies the rows that the target does not have yet. Throws StartError if it has other rows. */
export async function moveRows(options: RowMove): Promise<MovedRows> {
  const { from, to, isNew, isSent, files, signal, onProgress } = options;
  const all = commonTables(await from.read(listTables), await to.read(listTables));
  const unfinished = await to.read(findUnfinishedMove);
  if (!unfinished && !isNew && (await hasRows(to, all))) {
    throw new StartError('The target is not empty: name another one, or empty it.');
  }
  const tables = isSent ? all.filter(({ name }) => !storeTables.includes(name)) : all;
  onProgress('reading the source');
  const digests = new Map<string, TableDigest>();
  for (const table of tables) digests.set(table.name, await digestOf(from.read, table, signal));
  const source = createHash('sha256')
    .update(JSON.stringify([...digests]))
    .digest('hex');
  if (!unfinished) await beginMove(to, { source, files });
  else if (unfinished.source !== source || unfinished.files !== files) {
    const what =
      unfinished.source === source
        ? 'had another --files'
        : 'was from another source, or the source has changed since';
    throw new StartError(
      `A move to this target has not ended, and it ${what}: empty the target and begin again.`,
    );
  }

  let rows = 0;
  for (const table of tables) {
    await copyTable(from, to, table, signal);
    const { rows: count } = digests.get(table.name) ?? { rows: 0 };
    rows += count;
    if (count > 0) onProgress(`${table.name}: ${count} rows`);
  }
  const passages = await rebuildFullText(to, signal);
  if (passages > 0) onProgress(`${passages} passages indexed`);

  onProgress('comparing');
  for (const table of tables) {
    const [before, after] = [digests.get(table.name), await digestOf(to.read, table, signal)];
    if (before?.sha256 === after.sha256) continue;
    throw new StartError(
      `The table ${table.name} differs after the move (${before?.rows} and ${after.rows} rows): empty the target and begin again.`,
    );
  }
  return { tables: tables.length, rows };
}

async function hasRows(db: Database, tables: readonly Table[]): Promise<boolean> {
  for (const table of tables) if (await db.read((tx) => lastKey(tx, table))) return true;
  return false;
}

/** Rows are written in the order of their keys, so an interrupted move continues after the last one. */
async function copyTable(from: Reader, to: Database, table: Table, signal: AbortSignal): Promise<void> {
  let after = await to.read((tx) => lastKey(tx, table));
  do {
    signal.throwIfAborted();
    const start = after;
    const { rows, next } = await from.read((tx) => readPiece(tx, table, start));
    await to.write(async (tx) => {
      if (rows.length > 0) await insertRows(tx, table, rows);
      if (next === undefined) await continueNumbers(tx, table);
    });
    after = next;
  } while (after !== undefined);
}
