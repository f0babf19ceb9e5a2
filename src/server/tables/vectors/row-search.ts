// Finds rows by the vector of a query, and ranks them by words and by meaning.
import { limits } from '../../../protocol/limits.ts';
import {
  createModelSearches,
  fusedScores,
  type ModelHealth,
  modelName,
  type SharedModel,
  vectorCertainty,
} from '../../files/index.ts';
import type { Database } from '../../storage/database.ts';
import { listEmbeddingModels } from '../../storage/files/embeddings.ts';
import { hasRowVectors } from '../../storage/tables/row-vectors.ts';
import { fullTextSearch, type RowSearch, type Searched } from '../query/search.ts';
import { sortInPieces } from '../query/sort.ts';
import { textHash } from './embed-rows.ts';

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

/** The number of rows that are found by their meaning, as many as passages of files. */
const rankedRows = 100;

/**
 * Ranks rows by words and by meaning: the lists of both are fused by their ranks, as for passages of files
 * (docs/decisions/archive/0056-row-vectors.md). Rows that were written a moment ago have no vectors yet: words alone find them.
 */
export function createHybridSearch(vectors: Pick<RowVectorSearch, 'find'>): RowSearch {
  return async (query, rows, storeId) => {
    const similar = await vectors.find(query, storeId);
    if (!similar || similar.size === 0) return fullTextSearch(query, rows);
    const current: { seq: number; score: number }[] = [];
    async function* compared(): AsyncGenerator<Searched[]> {
      for await (const piece of rows) {
        for (const { id, text } of piece) {
          const hit = similar?.get(id);
          if (hit && hit.textHash === textHash(text)) current.push({ seq: id, score: hit.score });
        }
        yield piece;
      }
    }
    const found = await fullTextSearch(query, compared());
    if (current.length === 0) return found;
    const words = [...found].map(([seq, score]) => ({ seq, score }));
    const [byWords, byVectors] = await Promise.all([inOrder(words), inOrder(current)]);
    return fusedScores(byWords, byVectors.slice(0, rankedRows));
  };
}

const inOrder = (hits: { seq: number; score: number }[]) =>
  sortInPieces(hits, (a, b) => b.score - a.score || a.seq - b.seq);
