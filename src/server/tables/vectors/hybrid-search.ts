// Ranks rows by words and by meaning: the lists of both are fused by their ranks, as for passages of files
// (docs/decisions/archive/0056-row-vectors.md).
import { fusedScores } from '../../files/index.ts';
import { fullTextSearch, type RowSearch, type Searched } from '../query/search.ts';
import { sortInPieces } from '../query/sort.ts';
import type { RowVectorSearch } from './row-search.ts';
import { textHash } from './text-hash.ts';

/** The number of rows that are found by their meaning, as many as passages of files. */
const rankedRows = 100;

/** Rows that were written a moment ago have no vectors yet: words alone find them. */
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
