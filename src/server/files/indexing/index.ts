// Creates the indexing of files by words and by vectors, and the search by vectors.
import type { SemanticSearch } from '../../../protocol/types/files.ts';
import type { Processes, Worker } from '../../jobs/processes.ts';
import type { JobRunner } from '../../jobs/runner.ts';
import { createVectors, type EmbeddingOptions, type SharedModel } from '../embeddings/options.ts';
import type { VectorIndex } from '../embeddings/vector-index.ts';
import type { PassageVectors } from '../platform-files.ts';
import { createExtraction, type ExtractionOptions } from './extraction.ts';
import { createIndexer, type IndexerOptions } from './indexer.ts';

export interface IndexingOptions extends Omit<IndexerOptions, 'extraction' | 'vectors'> {
  processes: Processes;
  extraction: ExtractionOptions | undefined;
  /** Semantic search; undefined for none. */
  embeddings: EmbeddingOptions | undefined;
}

export interface Indexing {
  /** Must be called after a commit that queues a file. */
  wake(): void;
  /** Undefined without semantic search. */
  vectors: PassageVectors | undefined;
  /** The embedding model, for texts that are not in files; undefined without semantic search. */
  sharedModel: SharedModel | undefined;
  /** Whether the searches of a bot find passages by their meaning. */
  semanticSearch(botId: string): SemanticSearch;
  /** Ends the search, when the background work has ended. */
  close(): Promise<void>;
}

/** The background work: one process reads files and computes vectors. */
interface IndexWorker extends Worker {
  indexer: JobRunner;
  vectors: VectorIndex | undefined;
}

export function createIndexing({ processes, extraction, embeddings, ...options }: IndexingOptions): Indexing {
  const { db, logger, now } = options;
  const semantic = createVectors({ db, logger, now, execArgv: extraction?.execArgv }, embeddings);
  const search = 'createIndex' in semantic ? semantic : undefined;

  const role = processes.assign<IndexWorker>('index files', (own) => {
    const vectors = search?.createIndex(own);
    const otherMemory = search?.shared.thread.memory ?? (() => 0);
    const indexer = createIndexer({
      ...options,
      db: own,
      vectors,
      extraction: createExtraction({ otherMemory, ...extraction }),
    });
    return {
      indexer,
      vectors,
      start() {
        void vectors?.start();
        indexer.wake();
      },
      wake(isThorough) {
        indexer.wake();
        if (isThorough) vectors?.rescan();
      },
      async close() {
        await indexer.close();
        await vectors?.close();
      },
    };
  });

  const { everywhere } = processes.broadcasts;
  return {
    wake: everywhere('index files', () => role.worker?.indexer.wake()),
    vectors: search && {
      find: search.find,
      add: everywhere('embed passages', (botId: string, version: string) =>
        role.worker?.vectors?.add(botId, version),
      ),
    },
    sharedModel: search?.shared,
    semanticSearch: (botId) =>
      'createIndex' in semantic ? semantic.statusOf(botId, role.worker?.vectors) : semantic,
    close: async () => search?.close(),
  };
}
