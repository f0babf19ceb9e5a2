// The vectors of rows with searchable columns: computed in the background after each write, and compared with the vector
// of a query. Which rows wait is in the database, so a crash leaves nothing to repair.
import type { Logger } from 'pino';
import { limits } from '../../../protocol/limits.ts';
import { EmbeddingError, modelName, type SharedModel, vectorCertainty } from '../../files/index.ts';
import type { Database } from '../../storage/database.ts';
import { listEmbeddingModels } from '../../storage/files/embeddings.ts';
import {
  deleteRowVectors,
  hasRowVectors,
  queueExistingRows,
  storeWithQueuedRows,
  vectorStoreIn,
} from '../../storage/tables/row-vectors.ts';
import { createEmbedRows } from './embed-rows.ts';
import { refreshAllStores, refreshStore } from './vector-stores.ts';

/** A row whose vector is similar to that of a query. */
export interface SimilarRow {
  /** The hash of the text that its vector was computed from. */
  textHash: number;
  /** Above 0, at most 1. */
  score: number;
}

export interface RowVectors {
  /** Finds the work that the previous run left, and the tables that another model has to compute. */
  start(): void;
  /** Must be called after a commit that writes rows. */
  wake(): void;
  /** Must be called after a commit that creates, changes or empties a table. */
  changed(tableId: string): void;
  /**
   * Returns the similar rows of a store by their ids; undefined without vectors of the configured model, or when it
   * does not answer in time.
   */
  find(query: string, storeId: string): Promise<Map<number, SimilarRow> | undefined>;
  close(): Promise<void>;
}

export interface RowVectorsOptions {
  db: Database;
  logger: Logger;
  now(): number;
  embeddings: SharedModel;
}

/** The number of rows that one transaction queues, and of vectors that one deletes. */
const queuedAtOnce = 1_000;
const deletedAtOnce = 1_000;
const defaultSearchTime = 3_000;
const defaultFirstPause = 2_000;
const longestPause = 5 * 60 * 1000;
/** Milliseconds after a search without vectors in which the words alone answer at once. */
const searchPause = 15_000;

export function createRowVectors({ db, logger, now, embeddings }: RowVectorsOptions): RowVectors {
  const { thread, model, minSimilarity } = embeddings;
  const { searchTime = defaultSearchTime, firstPause = defaultFirstPause } = embeddings;
  const name = modelName(model);
  const stopping = new AbortController();
  const embedRows = createEmbedRows({ db, thread, model, name });
  /** Tables that were changed and not looked at since. */
  const changedTables = new Set<string>();
  let isRefreshed = false;
  let lastStore = '';
  let isFailing = false;
  let pause = firstPause;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let searchAgainAt = 0;

  /** Does one step of the work; returns false when there is none. */
  async function step(): Promise<boolean> {
    if (!isRefreshed) {
      await refreshAllStores(db, name, stopping.signal);
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
    await embedRows(next, stopping.signal);
    succeeded();
    return true;
  }

  async function work(): Promise<void> {
    try {
      do {
        isWoken = false;
        while (!stopping.signal.aborted && (await step()));
      } while (isWoken && !stopping.signal.aborted);
    } catch (error) {
      if (stopping.signal.aborted) return;
      failed(error);
      timer = setTimeout(() => {
        timer = undefined;
        wake();
      }, pause);
      timer.unref();
      pause = Math.min(longestPause, pause * 2);
    }
  }

  function wake(): void {
    isWoken = true;
    // While the model fails, the timer decides when to try again.
    if (stopping.signal.aborted || timer || running) return;
    running = work().finally(() => {
      running = undefined;
      if (isWoken) wake();
    });
  }

  function succeeded(): void {
    isFailing = false;
    pause = firstPause;
    searchAgainAt = 0;
  }

  /** Logs the first of consecutive failures. */
  function failed(error: unknown): void {
    const isExpected = error instanceof EmbeddingError;
    const cause = isExpected ? { reason: error.message } : { err: error };
    if (!isFailing) {
      logger.warn(
        { model: name, ...cause },
        'the rows of tables are found by words only until the model answers',
      );
    }
    isFailing = true;
  }

  return {
    start: wake,
    wake,
    changed(tableId) {
      changedTables.add(tableId);
      wake();
    },
    async find(query, storeId) {
      if (now() < searchAgainAt) return undefined;
      const modelId = await db.read(async (tx) => {
        if (!(await hasRowVectors(tx, storeId))) return undefined;
        return (await listEmbeddingModels(tx)).find((row) => row.name === name)?.id;
      });
      if (modelId === undefined) return undefined;
      try {
        const { rowIds, textHashes, similarities } = await thread.request(
          'searchRows',
          { model, modelId, storeId, query, limit: limits.tables.orderedRows, minSimilarity },
          { timeLimit: searchTime, signal: stopping.signal },
        );
        const found = new Map<number, SimilarRow>();
        for (const [index, rowId] of rowIds.entries()) {
          const score = vectorCertainty(similarities[index] ?? 0, minSimilarity);
          if (score > 0) found.set(rowId, { score, textHash: textHashes[index] ?? -1 });
        }
        searchAgainAt = 0;
        return found;
      } catch (error) {
        if (!stopping.signal.aborted) failed(error);
        searchAgainAt = now() + searchPause;
        return undefined;
      }
    },
    async close() {
      stopping.abort(new Error('The server stops.'));
      clearTimeout(timer);
      await running;
    },
  };
}
