// Computes the vectors of rows with searchable columns in the background, after each write. Which rows wait is in the
// database, so a crash leaves nothing to repair.
import { type ModelHealth, modelName, type SharedModel } from '../../files/index.ts';
import { createBackgroundLoop } from '../../jobs/background-loop.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import type { LockName } from '../../storage/locks.ts';
import {
  deleteRowVectors,
  putVectorStore,
  queueExistingRows,
  retireVectorStore,
  storeWithQueuedRows,
  vectorStoreIn,
} from '../../storage/tables/row-vectors.ts';
import { tableIdsAfter, tableOfId } from '../../storage/tables/tables.ts';
import { type OpenTable, openTable } from '../open-table.ts';
import { searchableColumns } from '../query/search.ts';
import { createEmbedRows } from './embed-rows.ts';

export interface RowVectors {
  /** Finds the work that the previous run left, and the tables that another model has to compute. */
  start(): void;
  /** Must be called after a commit that writes rows. */
  wake(): void;
  /** Must be called after a commit that creates, changes or empties a table. */
  changed(tableId: string): void;
  /** Looks for tables that changed again: a call of `changed` may have been lost. */
  rescan(): void;
  close(): Promise<void>;
}

export interface RowVectorsOptions {
  db: Database;
  embeddings: SharedModel;
  health: ModelHealth;
}

/** The number of rows that one transaction queues, and of vectors that one deletes. */
const queuedAtOnce = 1_000;
const deletedAtOnce = 1_000;

export function createRowVectors({ db, embeddings, health }: RowVectorsOptions): RowVectors {
  const { thread, model, firstPause } = embeddings;
  const name = modelName(model);
  const embedRows = createEmbedRows({ db, thread, model, name });
  /** Tables that were changed and not looked at since. */
  const changedTables = new Set<string>();
  let isRefreshed = false;
  let lastStore = '';
  const loop = createBackgroundLoop({
    async work(signal, onProgress) {
      while (!signal.aborted && (await step(signal, onProgress)));
    },
    onFailure: (error) => health.failed(error),
    firstPause,
  });

  /** Does one step of the work; returns false when there is none. */
  async function step(signal: AbortSignal, onProgress: () => void): Promise<boolean> {
    if (!isRefreshed) {
      await refreshAllStores(db, name, signal);
      isRefreshed = true;
      return true;
    }
    const [tableId] = changedTables;
    if (tableId !== undefined) {
      // Before the look at it, so that a change in the meantime counts.
      changedTables.delete(tableId);
      await db
        .write((tx) => refreshStore(tx, tableId, name))
        .catch((error: unknown) => {
          changedTables.add(tableId);
          throw error;
        });
      return true;
    }
    const retired = await db.read((tx) => vectorStoreIn(tx, 'remove'));
    if (retired) {
      await db.write((tx) => deleteRowVectors(tx, retired.storeId, deletedAtOnce));
      return true;
    }
    const unqueued = await db.read((tx) => vectorStoreIn(tx, 'queue'));
    if (unqueued) await db.write((tx) => queueExistingRows(tx, unqueued.storeId, queuedAtOnce));
    // One table after the other, so that a long one does not delay the others.
    const next = await db.read(
      async (tx) => (await storeWithQueuedRows(tx, lastStore)) ?? (await storeWithQueuedRows(tx, '')),
    );
    if (next === undefined) return unqueued !== undefined;
    lastStore = next;
    await embedRows(next, signal);
    health.succeeded();
    onProgress();
    return true;
  }

  return {
    start: loop.wake,
    wake: loop.wake,
    changed(tableId) {
      changedTables.add(tableId);
      loop.wake();
    },
    rescan() {
      isRefreshed = false;
      loop.wake();
    },
    close: loop.close,
  };
}

/** The number of tables in one transaction. */
const tablesAtOnce = 20;

/** Identifies the model and the columns that vectors are computed from. A new name of a column changes nothing. */
const sourceOf = (table: OpenTable, columns: string[], model: string): string =>
  `${model} ${columns.map((column) => table.layout.keys[column]).join(' ')}`;

/**
 * Stores whether the rows of a table get vectors: tables with searchable columns do, computed from these columns by one model.
 * All rows are computed again after a change of model or columns.
 */
export async function refreshStore(tx: WriteTx, tableId: string, model: string): Promise<void> {
  await tx.lock(`table:${tableId}`);
  const record = await tableOfId(tx, tableId);
  if (!record) return;
  const table = openTable(record);
  const columns = searchableColumns(table);
  const { storeId } = record;
  if (columns.length === 0) return retireVectorStore(tx, storeId);
  await putVectorStore(tx, { storeId, tableId, source: sourceOf(table, columns, model) });
}

/** Does the same for all tables. */
export async function refreshAllStores(db: Database, model: string, signal: AbortSignal): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await db.read((tx) => tableIdsAfter(tx, after, tablesAtOnce));
    const last = ids.at(-1);
    if (last === undefined || signal.aborted) return;
    await db.write(async (tx) => {
      await tx.lock(...ids.map((id): LockName => `table:${id}`));
      for (const id of ids) await refreshStore(tx, id, model);
    });
    after = last;
  }
}
