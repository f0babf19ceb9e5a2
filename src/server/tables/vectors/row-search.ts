// Finds rows by the vector of a query.
import { limits } from '../../../protocol/limits.ts';
import {
  createModelSearches,
  type ModelHealth,
  modelName,
  type SharedModel,
  vectorCertainty,
} from '../../files/index.ts';
import type { Database } from '../../storage/database.ts';
import { listEmbeddingModels } from '../../storage/files/embeddings.ts';
import { hasRowVectors } from '../../storage/tables/row-vectors.ts';

/** A row whose vector is similar to that of a query. */
export interface SimilarRow {
  /** The hash of the text that its vector was computed from. */
  textHash: number;
  /** Above 0, at most 1. */
  score: number;
}

export interface RowVectorSearch {
  /**
   * Returns the similar rows of a store by their ids; undefined without vectors of the configured model, or when it
   * does not answer in time.
   */
  find(query: string, storeId: string): Promise<Map<number, SimilarRow> | undefined>;
  close(): void;
}

const defaultSearchTimeMs = 3_000;

export function createRowVectorSearch({
  db,
  now,
  embeddings,
  health,
}: {
  db: Database;
  now(): number;
  embeddings: SharedModel;
  health: ModelHealth;
}): RowVectorSearch {
  const { thread, model, minSimilarity, searchTime = defaultSearchTimeMs } = embeddings;
  const name = modelName(model);
  const stopping = new AbortController();
  const searches = createModelSearches(health, now, stopping.signal);

  return {
    async find(query, storeId) {
      const modelId = await db.read(async (tx) => {
        if (!(await hasRowVectors(tx, storeId))) return undefined;
        return (await listEmbeddingModels(tx)).find((row) => row.name === name)?.id;
      });
      if (modelId === undefined) return undefined;
      return searches.run(async () => {
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
        return found;
      });
    },
    close: () => stopping.abort(new Error('The server stops.')),
  };
}
