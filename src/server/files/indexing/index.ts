// Creates the indexing of files by words and by vectors.
import type { SemanticSearch } from '../../../protocol/file.ts';
import type { JobRunner } from '../../jobs/runner.ts';
import { createVectors, type EmbeddingOptions, type SharedModel } from '../embeddings/options.ts';
import type { VectorIndex } from '../embeddings/vector-index.ts';
import { createExtraction, type ExtractionOptions } from './extraction.ts';
import { createIndexer, type IndexerOptions } from './indexer.ts';

export interface IndexingOptions extends Omit<IndexerOptions, 'extraction' | 'vectors'> {
  extraction: ExtractionOptions | undefined;
  /** Semantic search; undefined for none. */
  embeddings: EmbeddingOptions | undefined;
}

export interface Indexing {
  indexer: JobRunner;
  /** Undefined without semantic search. */
  vectors: VectorIndex | undefined;
  /** The embedding model, for texts that are not in files; undefined without semantic search. */
  sharedModel: SharedModel | undefined;
  /** Whether the searches of a bot find passages by their meaning. */
  semanticSearch(botId: string): SemanticSearch;
  /** Continues the unfinished work of the previous run. */
  start(): void;
  close(): Promise<void>;
}

export function createIndexing({ extraction, embeddings, ...options }: IndexingOptions): Indexing {
  const { db, logger, now } = options;
  const { vectors, shared, memory, statusOf } = createVectors(
    { db, logger, now, execArgv: extraction?.execArgv },
    embeddings,
  );
  const indexer = createIndexer({
    ...options,
    vectors,
    extraction: createExtraction({ otherMemory: memory, ...extraction }),
  });
  return {
    indexer,
    vectors,
    sharedModel: shared,
    semanticSearch: statusOf,
    start() {
      void vectors?.start();
      indexer.wake();
    },
    async close() {
      await indexer.close();
      await vectors?.close();
    },
  };
}
