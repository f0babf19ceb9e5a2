// Computes the missing vectors of all searchable passages in the background. After a change of the model, the vectors of
// the old one answer until those of the new one are complete.
import { createBackgroundLoop } from '../../jobs/background-loop.ts';
import type { Database } from '../../storage/database.ts';
import {
  completeEmbeddingModel,
  deleteEmbeddingModel,
  embeddedUpTo,
  ensureEmbeddingModel,
  holdUsedVersion,
  insertEmbeddings,
  isVersionUsed,
  listEmbeddingModels,
  versionsWithoutEmbeddings,
} from '../../storage/files/embeddings.ts';
import { listPassages } from '../../storage/files/passages.ts';
import { searchedText } from '../indexing/passages.ts';
import { EmbeddingError, type EmbeddingModel, modelName } from './model.ts';
import type { ModelHealth, ServingModel } from './serving-model.ts';
import type { EmbeddingThread } from './thread.ts';

export interface VectorIndexOptions {
  db: Database;
  thread: EmbeddingThread;
  model: EmbeddingModel;
  serving: ServingModel;
  health: ModelHealth;
  now(): number;
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
  /** Looks for index versions without vectors again: a call of `add` may have been lost. */
  rescan(): void;
  /** Tries again to compute what is missing, unless a time for that is set. */
  resume(): void;
  /** Whether the vectors of all files of a bot are there. */
  isReady(botId: string): boolean;
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
const prepareTimeMs = 15_000;

export function createVectorIndex({
  db,
  thread,
  model,
  serving,
  health,
  now,
  firstPause,
}: VectorIndexOptions): VectorIndex {
  const name = modelName(model);
  const queue = createVersionQueue();
  const embedBlock = createEmbedBlock({ db, thread, model, name });
  let isScanned = false;
  const loop = createBackgroundLoop({ work, onFailure: (error) => health.failed(error), firstPause });

  async function findMissing(signal: AbortSignal): Promise<void> {
    const rows = await db.read(listEmbeddingModels);
    const modelId = rows.find((row) => row.name === name)?.id ?? 0;
    let after = '';
    while (!signal.aborted) {
      const found = await db.read((tx) => versionsWithoutEmbeddings(tx, modelId, after, versionsAtOnce));
      for (const { botId, indexVersion } of found) queue.add(botId, indexVersion);
      if (found.length < versionsAtOnce) break;
      after = found.at(-1)?.indexVersion ?? after;
      await new Promise((resolve) => setImmediate(resolve));
    }
    isScanned = true;
  }

  /** Stores that the model is complete, and deletes the vectors of all others. */
  async function complete(signal: AbortSignal): Promise<void> {
    const own = (await db.read(listEmbeddingModels)).find((row) => row.name === name);
    if (own?.completedAt === null) await db.write((tx) => completeEmbeddingModel(tx, own.id, now()));
    await serving.choose();
    if (!own) return;
    for (const { id } of await db.read(listEmbeddingModels)) {
      if (id === own.id) continue;
      const deleteSome = () => db.write((tx) => deleteEmbeddingModel(tx, id, blocksAtOnce));
      while (!signal.aborted && (await deleteSome()) === blocksAtOnce);
    }
  }

  async function work(signal: AbortSignal, onProgress: () => void): Promise<void> {
    if (!isScanned) await findMissing(signal);
    for (let next = queue.next(); next && !signal.aborted; next = queue.next()) {
      const hasMore = await embedBlock(next.indexVersion, undefined, signal);
      if (!serving.current) await serving.choose();
      if (!hasMore) queue.remove(next.botId, next.indexVersion);
      health.succeeded();
      onProgress();
    }
    if (!signal.aborted) await complete(signal);
  }

  return {
    async start() {
      await serving.choose();
      loop.wake();
    },
    add(botId, indexVersion) {
      queue.add(botId, indexVersion);
      loop.wake();
    },
    async prepare(fileId, indexVersion, passages, signal) {
      if (passages > preparedPassages || health.failure !== undefined) return;
      const limit = AbortSignal.any([signal, loop.signal, AbortSignal.timeout(prepareTimeMs)]);
      try {
        while (await embedBlock(indexVersion, fileId, limit));
        if (!serving.current) await serving.choose();
      } catch (error) {
        signal.throwIfAborted();
        if (!limit.aborted) health.failed(error);
      }
    },
    rescan() {
      isScanned = false;
      loop.wake();
    },
    resume() {
      if (queue.size() > 0) loop.wake();
    },
    isReady: (botId) => isScanned && queue.size(botId) === 0,
    idle: loop.idle,
    close: loop.close,
  };
}

/**
 * The index versions without vectors, one after the other of each bot in turn. It is in memory, because a start finds the same
 * ones in the database.
 */
export interface VersionQueue {
  add(botId: string, indexVersion: string): void;
  remove(botId: string, indexVersion: string): void;
  /** Returns the next version, of another bot than before if there is one. It stays in the queue. */
  next(): { botId: string; indexVersion: string } | undefined;
  /** The number of versions, of all bots or of one. */
  size(botId?: string): number;
}

export function createVersionQueue(): VersionQueue {
  /** In the order of turns. */
  const bots = new Map<string, Set<string>>();
  return {
    add(botId, indexVersion) {
      const versions = bots.get(botId) ?? new Set();
      versions.add(indexVersion);
      bots.set(botId, versions);
    },
    remove(botId, indexVersion) {
      const versions = bots.get(botId);
      versions?.delete(indexVersion);
      if (versions?.size === 0) bots.delete(botId);
    },
    next() {
      const [first] = bots;
      if (!first) return undefined;
      const [botId, versions] = first;
      // Both go to the end, so that a long file does not delay the others.
      bots.delete(botId);
      bots.set(botId, versions);
      const [indexVersion] = versions;
      if (indexVersion === undefined) return undefined;
      versions.delete(indexVersion);
      versions.add(indexVersion);
      return { botId, indexVersion };
    },
    size(botId) {
      if (botId !== undefined) return bots.get(botId)?.size ?? 0;
      let sum = 0;
      for (const versions of bots.values()) sum += versions.size;
      return sum;
    },
  };
}

/** The number of passages in a block. Blocks, not single vectors, because reading 100,000 rows takes a second. */
const blockSize = 64;
/** Milliseconds for the vectors of a block: 64 passages take 6 s with the embedded model on an idle processor. */
const timeLimitMs = 10 * 60 * 1000;

/**
 * Computes the next block of an index version. Returns true when more are missing, and false when none is, or when the
 * version was deleted. `fileId`: the file for which an unpublished version is being built. Throws EmbeddingError.
 */
export type EmbedBlock = (
  indexVersion: string,
  fileId: string | undefined,
  signal: AbortSignal,
) => Promise<boolean>;

/** Returns a function that computes and stores the vectors of one block of passages. */
export function createEmbedBlock({
  db,
  thread,
  model,
  name,
}: {
  db: Database;
  thread: EmbeddingThread;
  model: EmbeddingModel;
  name: string;
}): EmbedBlock {
  return async (indexVersion, fileId, signal) => {
    const next = await db.read(async (tx) => {
      if (!(await isVersionUsed(tx, indexVersion, fileId))) return undefined;
      const storedModel = (await listEmbeddingModels(tx)).find((row) => row.name === name);
      const { position, isComplete } = await embeddedUpTo(tx, indexVersion, storedModel?.id ?? 0);
      if (isComplete) return undefined;
      return {
        position,
        storedModel,
        passages: await listPassages(tx, indexVersion, position, blockSize + 1),
      };
    });
    if (!next) return false;
    const passages = next.passages.slice(0, blockSize);
    const isLast = next.passages.length <= blockSize;
    // A version without passages gets one empty block, so that it counts as complete.
    const { vectors, dimensions } =
      passages.length === 0
        ? { vectors: new Uint8Array(), dimensions: next.storedModel?.dimensions }
        : await thread.request(
            'embed',
            { model, texts: passages.map(searchedText) },
            { timeLimit: timeLimitMs, signal },
          );
    if (dimensions === undefined) return false;
    if (dimensions === 0) throw new EmbeddingError('The embedding model returned empty vectors.');
    signal.throwIfAborted();
    return db.write(async (tx) => {
      // A deletion at the same time removes this block, too.
      if (!(await holdUsedVersion(tx, indexVersion, fileId))) return false;
      const row = await ensureEmbeddingModel(tx, name, dimensions);
      if (row.dimensions !== dimensions) {
        throw new EmbeddingError(
          `The embedding model returned ${dimensions} numbers for a text instead of ${row.dimensions} as before.`,
        );
      }
      const count = passages.length;
      await insertEmbeddings(tx, row.id, { indexVersion, position: next.position, count, isLast, vectors });
      return !isLast;
    });
  };
}
