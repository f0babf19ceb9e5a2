// Finds passages by the vector of a query.
import type { Database } from '../../storage/database.ts';
import { passagesAt } from '../../storage/files/embeddings.ts';
import type { FileFilter } from '../../storage/files/file-lists.ts';
import type { Hit } from '../full-text.ts';
import { createModelSearches, type ModelHealth, type ServingModel } from './serving-model.ts';
import type { EmbeddingThread } from './thread.ts';

export interface VectorSearchOptions {
  db: Database;
  thread: EmbeddingThread;
  serving: ServingModel;
  health: ModelHealth;
  /** The lowest cosine of a query and a passage that is found by its vector only. */
  minSimilarity: number;
  now(): number;
  /** Aborted when the server stops. */
  signal: AbortSignal;
  /** Milliseconds that a search waits for vectors before the words alone answer. */
  searchTime?: number | undefined;
}

export interface VectorSearch {
  /**
   * Returns the passages with the most similar vectors, best first, with scores above 0, at most 1; undefined when the
   * model does not answer. Never rejects: the caller awaits it after other work, and a rejection in the meantime would end
   * the process.
   */
  find(query: string, filter: FileFilter, limit: number): Promise<Hit[] | undefined>;
}

const defaultSearchTimeMs = 3_000;
/** By how much a cosine has to exceed the lowest one for the highest score. */
const certainty = 0.3;

/** Returns the score of a cosine: above 0, at most 1; 0 or less for one that is too low. */
export const vectorCertainty = (similarity: number, minSimilarity: number): number =>
  Math.min(1, (similarity - minSimilarity) / certainty);

/** `onFailure`: called when the model does not answer. */
export function createVectorSearch(
  {
    db,
    thread,
    serving,
    health,
    minSimilarity,
    now,
    signal,
    searchTime = defaultSearchTimeMs,
  }: VectorSearchOptions,
  onFailure: () => void,
): VectorSearch {
  const searches = createModelSearches(health, now, signal, onFailure);
  return {
    async find(query, filter, limit) {
      await serving.refresh();
      if (!serving.current) return [];
      const { row, model } = serving.current;
      return searches.run(async () => {
        const request = { model, modelId: row.id, query, filter, limit, minSimilarity };
        const hits = await thread.request('search', request, { timeLimit: searchTime });
        const seqs = await db.read((tx) => passagesAt(tx, hits));
        return hits.flatMap(({ similarity }, index) => {
          const seq = seqs[index];
          const score = vectorCertainty(similarity, minSimilarity);
          return seq === undefined || score <= 0 ? [] : [{ seq, score }];
        });
      });
    },
  };
}
