// The vectors of all searchable passages: computes missing ones in the background, and finds passages by the vector of
// a query. After a change of the model, the vectors of the old one answer until those of the new one are complete.
import type { Logger } from 'pino';
import type { SemanticSearch } from '../../../protocol/file.ts';
import type { Database } from '../../storage/database.ts';
import {
  completeEmbeddingModel,
  deleteEmbeddingModel,
  type EmbeddingModelRow,
  listEmbeddingModels,
  passagesAt,
  versionsWithoutEmbeddings,
} from '../../storage/files/embeddings.ts';
import type { FileFilter } from '../../storage/files/file-filter.ts';
import type { Hit } from '../search/full-text.ts';
import { createEmbedBlock } from './blocks.ts';
import { EmbeddingError, type EmbeddingModel, modelName, modelOfName } from './model.ts';
import { createVersionQueue } from './queue.ts';
import type { EmbeddingThread } from './thread.ts';

export interface VectorIndexOptions {
  db: Database;
  thread: EmbeddingThread;
  model: EmbeddingModel;
  /** The lowest cosine of a query and a passage that is found by its vector only. */
  minSimilarity: number;
  logger: Logger;
  now(): number;
  /** Milliseconds that a search waits for vectors before the words alone answer. */
  searchTime?: number | undefined;
  /** Milliseconds before the first repetition after a failure; each failure doubles them. */
  firstPause?: number | undefined;
}

export interface VectorIndex {
  /** Finds index versions without vectors, and computes them in the background. */
  start(): Promise<void>;
  /** Must be called after the commit that publishes an index version. */
  add(botId: string, indexVersion: string): void;
  /**
   * Computes the vectors of a short index version before it is published, so that a completed file is found by its
   * meaning. Does not throw, except the reason of `signal`: the background continues.
   */
  prepare(fileId: string, indexVersion: string, passages: number, signal: AbortSignal): Promise<void>;
  /**
   * Returns the passages with the most similar vectors, best first, with scores above 0, at most 1; undefined when the
   * model does not answer.
   */
  find(query: string, filter: FileFilter, limit: number): Promise<Hit[] | undefined>;
  status(botId: string): SemanticSearch;
  /** Resolves when no vectors are missing or the model fails. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** The number of index versions that one query of the start looks for. */
const versionsAtOnce = 500;
/** The number of blocks of another model that one transaction deletes. */
const blocksAtOnce = 50;
/** Passages, and milliseconds, of a file whose vectors are computed before it is published. */
const preparedPassages = 128;
const prepareTime = 15_000;
const defaultSearchTime = 3_000;
/** By how much a cosine has to exceed the lowest one for the highest score. */
const certainty = 0.3;

/** Returns the score of a cosine: above 0, at most 1; 0 or less for one that is too low. */
export const vectorCertainty = (similarity: number, minSimilarity: number): number =>
  Math.min(1, (similarity - minSimilarity) / certainty);

const defaultFirstPause = 2_000;
const longestPause = 5 * 60 * 1000;
/** Milliseconds after a search without vectors in which the words alone answer at once. */
const searchPause = 15_000;

export function createVectorIndex({
  db,
  thread,
  model,
  minSimilarity,
  logger,
  now,
  searchTime = defaultSearchTime,
  firstPause = defaultFirstPause,
}: VectorIndexOptions): VectorIndex {
  const name = modelName(model);
  const queue = createVersionQueue();
  const stopping = new AbortController();
  const embedBlock = createEmbedBlock({ db, thread, model, name });
  /** The model that answers searches; undefined while the database has no vectors. */
  let serving: { row: EmbeddingModelRow; model: EmbeddingModel } | undefined;
  let failure: string | undefined;
  let pause = firstPause;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isScanned = false;
  let searchAgainAt = 0;

  /** The configured model when it is complete; otherwise a complete one that still answers; otherwise the configured. */
  async function chooseModel(): Promise<void> {
    const rows = await db.read(listEmbeddingModels);
    const own = rows.find((row) => row.name === name);
    if (own && own.completedAt !== null) {
      serving = { row: own, model };
      return;
    }
    serving = own && { row: own, model };
    for (const row of rows) {
      const other = row.completedAt === null ? undefined : modelOfName(row.name, model);
      if (other) serving = { row, model: other };
    }
  }

  async function findMissing(): Promise<void> {
    const rows = await db.read(listEmbeddingModels);
    const modelId = rows.find((row) => row.name === name)?.id ?? 0;
    let after = '';
    while (!stopping.signal.aborted) {
      const found = await db.read((tx) => versionsWithoutEmbeddings(tx, modelId, after, versionsAtOnce));
      for (const { botId, indexVersion } of found) queue.add(botId, indexVersion);
      if (found.length < versionsAtOnce) break;
      after = found.at(-1)?.indexVersion ?? after;
      await new Promise((resolve) => setImmediate(resolve));
    }
    isScanned = true;
  }

  /** Stores that the model is complete, and deletes the vectors of all others. */
  async function complete(): Promise<void> {
    const own = (await db.read(listEmbeddingModels)).find((row) => row.name === name);
    if (own?.completedAt === null) await db.write((tx) => completeEmbeddingModel(tx, own.id, now()));
    await chooseModel();
    if (!own) return;
    for (const { id } of await db.read(listEmbeddingModels)) {
      if (id === own.id) continue;
      const deleteSome = () => db.write((tx) => deleteEmbeddingModel(tx, id, blocksAtOnce));
      while (!stopping.signal.aborted && (await deleteSome()) === blocksAtOnce);
    }
  }

  async function work(): Promise<void> {
    try {
      if (!isScanned) await findMissing();
      for (let next = queue.next(); next && !stopping.signal.aborted; next = queue.next()) {
        const hasMore = await embedBlock(next.indexVersion, undefined, stopping.signal);
        if (!serving) await chooseModel();
        if (!hasMore) queue.remove(next.botId, next.indexVersion);
        succeeded();
      }
      if (!stopping.signal.aborted) await complete();
    } catch (error) {
      if (stopping.signal.aborted) return;
      failed(error);
      timer = setTimeout(wake, pause);
      timer.unref();
      pause = Math.min(longestPause, pause * 2);
    }
  }

  function wake(): void {
    clearTimeout(timer);
    timer = undefined;
    if (stopping.signal.aborted) return;
    running ??= work().finally(() => {
      running = undefined;
      // Added after the last look into the queue.
      if (!timer && queue.size() > 0) wake();
    });
  }

  function succeeded(): void {
    if (failure !== undefined) logger.info({ model: name }, 'the embedding model answers again');
    failure = undefined;
    pause = firstPause;
    searchAgainAt = 0;
  }

  /** Logs the first of consecutive failures. */
  function failed(error: unknown): void {
    const isExpected = error instanceof EmbeddingError;
    const reason = isExpected ? error.message : 'Internal server error. See the log of the server.';
    if (failure === undefined) {
      logger.warn(
        { model: name, reason, ...(isExpected ? {} : { err: error }) },
        'the embedding model does not answer: files are found by words only until it does',
      );
    }
    failure = reason;
  }

  return {
    async start() {
      await chooseModel();
      wake();
    },
    add(botId, indexVersion) {
      queue.add(botId, indexVersion);
      // While the model fails, the timer decides when to try again.
      if (!timer) wake();
    },
    async prepare(fileId, indexVersion, passages, signal) {
      if (passages > preparedPassages || failure !== undefined) return;
      const limit = AbortSignal.any([signal, stopping.signal, AbortSignal.timeout(prepareTime)]);
      try {
        while (await embedBlock(indexVersion, fileId, limit));
        if (!serving) await chooseModel();
      } catch (error) {
        signal.throwIfAborted();
        if (!limit.aborted) failed(error);
      }
    },
    async find(query, filter, limit) {
      if (!serving) return [];
      if (now() < searchAgainAt) return undefined;
      const { row, model: servingModel } = serving;
      try {
        const request = { model: servingModel, modelId: row.id, query, filter, limit, minSimilarity };
        const hits = await thread.request('search', request, { timeLimit: searchTime });
        const seqs = await db.read((tx) => passagesAt(tx, hits));
        succeeded();
        return hits.flatMap(({ similarity }, index) => {
          const seq = seqs[index];
          const score = vectorCertainty(similarity, minSimilarity);
          return seq === undefined || score <= 0 ? [] : [{ seq, score }];
        });
      } catch (error) {
        if (!stopping.signal.aborted) failed(error);
        searchAgainAt = now() + searchPause;
        // The background reports when the model answers again.
        if (!timer && queue.size() > 0) wake();
        return undefined;
      }
    },
    status(botId) {
      if (failure !== undefined) return { status: 'failing', model: name, reason: failure };
      const isReady = isScanned && queue.size(botId) === 0;
      return { status: isReady ? 'ready' : 'indexing', model: name };
    },
    async idle() {
      while (running !== undefined) await running;
    },
    async close() {
      stopping.abort(new Error('The server stops.'));
      clearTimeout(timer);
      await thread.close();
      await running;
    },
  };
}
