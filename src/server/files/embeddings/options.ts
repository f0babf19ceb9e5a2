// Creates the semantic search of a server from its options, or nothing when it is off or not installed.
import type { Logger } from 'pino';
import type { SemanticSearch } from '../../../protocol/types/files.ts';
import type { Database } from '../../storage/database.ts';
import { type EmbeddingModel, embeddedPackages, isEmbeddedInstalled, modelName } from './model.ts';
import { createModelHealth, createServingModel } from './serving-model.ts';
import { createEmbeddingThread, type EmbeddingThread } from './thread.ts';
import { createVectorIndex, type VectorIndex } from './vector-index.ts';
import { createVectorSearch, type VectorSearch } from './vector-search.ts';

export interface EmbeddingOptions extends EmbeddingHooks {
  model: EmbeddingModel;
  /** The lowest cosine of a query and a text that is found by its vector only. */
  minSimilarity: number;
}

/** Values that only tests change. */
export interface EmbeddingHooks {
  /** Milliseconds that a search waits for vectors before the words alone answer. */
  searchTime?: number | undefined;
  /** Milliseconds before the first repetition after a failure; each failure doubles them. */
  firstPause?: number | undefined;
  /** Milliseconds without a request after which the model is unloaded. */
  idleTime?: number;
  /** Whether the packages of the embedded model are installed; by default, the server looks for them. */
  isInstalled?: boolean;
}

/** The embedding model, for texts that are not in files. */
export interface SharedModel extends EmbeddingOptions {
  thread: EmbeddingThread;
}

/** The semantic search in files. */
export interface Vectors extends VectorSearch {
  shared: SharedModel;
  /** Creates what computes vectors in the background and writes them to `db`. One exists at a time. */
  createIndex(db: Database): VectorIndex;
  /** Whether the searches of a bot find passages by their meaning. `index`: if this process computes the vectors. */
  statusOf(botId: string, index: VectorIndex | undefined): SemanticSearch;
  close(): Promise<void>;
}

/**
 * Returns why there is none, without one. Logs a warning when the embedded model is selected and not installed: words alone
 * answer then.
 */
export function createVectors(
  {
    db,
    logger,
    now,
    execArgv,
  }: { db: Database; logger: Logger; now(): number; execArgv?: string[] | undefined },
  options: EmbeddingOptions | undefined,
): Vectors | SemanticSearch {
  if (!options) return { status: 'off' };
  const { model, isInstalled = model.kind === 'remote' || isEmbeddedInstalled() } = options;
  if (!isInstalled) {
    const names = Object.values(embeddedPackages).join(' and ');
    logger.warn(
      `semantic search is off, because the optional packages ${names} are not installed: install them, set EMBEDDINGS_URL, or set EMBEDDINGS=off to turn off this warning`,
    );
    return { status: 'unavailable', reason: `${names} are not installed on the server.` };
  }
  const name = modelName(model);
  const stopping = new AbortController();
  const thread = createEmbeddingThread({ location: db.location, execArgv, idleTime: options.idleTime });
  const serving = createServingModel(db, model);
  const health = createModelHealth(
    logger,
    name,
    'the embedding model does not answer: files are found by words only until it does',
  );
  let index: VectorIndex | undefined;
  const search = createVectorSearch(
    { ...options, db, thread, serving, health, now, signal: stopping.signal },
    // The background reports when the model answers again.
    () => index?.resume(),
  );
  return {
    ...search,
    shared: { ...options, thread },
    createIndex(target) {
      index = createVectorIndex({ ...options, db: target, thread, serving, health, now });
      return index;
    },
    statusOf(botId, own) {
      if (health.failure !== undefined) return { status: 'failing', model: name, reason: health.failure };
      // The process that computes the vectors may have completed the model since; the next call knows it.
      if (!own) void serving.refresh();
      const isReady = own ? own.isReady(botId) : serving.current?.row.completedAt != null;
      return { status: isReady ? 'ready' : 'indexing', model: name };
    },
    async close() {
      stopping.abort();
      await thread.close();
    },
  };
}
