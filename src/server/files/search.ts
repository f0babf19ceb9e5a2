// Searches the passages of the files that the caller can search, by words and by meaning.
import { limits } from '../../protocol/limits.ts';
import type { FoundPassage, PassageContext, PassageMeta } from '../../protocol/types/files.ts';
import type { TagFilter } from '../../protocol/types/tags.ts';
import { timestamp } from '../api/serializers.ts';
import type { Tx } from '../storage/database.ts';
import type { FileFilter } from '../storage/files/file-lists.ts';
import type { FileRow } from '../storage/files/files.ts';
import {
  foundPassages,
  hasSearchableFile,
  listPassages,
  type PassageRow,
} from '../storage/files/passages.ts';
import { type FilePrincipal, visibleFiles } from './access.ts';
import type { Hit } from './full-text.ts';
import type { PlatformFiles } from './platform-files.ts';

export interface FileSearch {
  query: string;
  tags?: TagFilter;
  limit?: number;
  contextDepth?: number;
  withContext?: boolean;
  includeBreadcrumb?: boolean;
  consolidate?: boolean;
}

const resultsDefault = 20;
/** The number of hits of each index that are fused. */
const rankedHits = 100;

/** The indexes by words and by vectors. */
type Indexes = Pick<PlatformFiles, 'passages' | 'vectors'>;

interface Found {
  score: number;
  passage: PassageRow;
  file: FileRow;
}

/** Returns the passages that match best, best first. */
export async function searchFiles(
  tx: Tx,
  index: Indexes,
  principal: FilePrincipal,
  search: FileSearch,
): Promise<FoundPassage[]> {
  const { limit = resultsDefault, consolidate = false } = search;
  const found = await findPassages(tx, index, principal, search, consolidate ? limits.searchResults : limit);
  const chosen = consolidate
    ? consolidated(found).slice(0, limit)
    : found.map((one) => ({ ...one, merged: [] }));
  const passages: FoundPassage[] = [];
  for (const { score, passage, file, merged } of chosen) {
    const isMerged = merged.length > 1;
    const context = await contextOf(tx, passage, search);
    passages.push({
      content: isMerged ? merged.map(({ content }) => content).join('\n\n') : passage.content,
      score,
      meta: isMerged ? { ...metaOf(passage), type: 'consolidated' } : metaOf(passage),
      file: {
        id: file.id,
        key: file.key,
        contentType: file.contentType,
        metadata: JSON.parse(file.metadata) as Record<string, unknown>,
        tags: JSON.parse(file.tags) as Record<string, string>,
        createdAt: timestamp(file.createdAt),
        updatedAt: timestamp(file.updatedAt),
      },
      ...(context ? { context } : {}),
    });
  }
  return passages;
}

/** Returns the description of a passage in responses. */
export function metaOf({ subtype, page, position }: PassageRow): PassageMeta {
  return { type: 'chunk', subtype, ...(page === null ? {} : { pageNumber: page }), position };
}

/** The same, with the rows of the passages and their files. */
export async function findPassages(
  tx: Tx,
  { passages, vectors }: Indexes,
  principal: FilePrincipal,
  { query, tags }: FileSearch,
  limit: number,
): Promise<Found[]> {
  const filter = { visibleTo: visibleFiles(principal), tags };
  // Many callers can see no files, so the index is not searched for them.
  if (!(await hasSearchableFile(tx, filter))) return [];
  const similar = vectors?.find(query, filter, rankedHits);
  const words = await passages.find(tx, {
    botId: principal.botId,
    query,
    filter,
    limit: vectors ? Math.max(limit, rankedHits) : limit,
  });
  const vectorHits = await similar;
  // The vectors were read outside of this transaction; the filter applies again.
  return (await lookUp(tx, vectorHits ? fuse(words, vectorHits) : words, filter)).slice(0, limit);
}

/** Returns the hits in their order with passage and file. A copy has its own passages. */
async function lookUp(tx: Tx, hits: Hit[], filter: FileFilter): Promise<Found[]> {
  const seqs = hits.map(({ seq }) => seq);
  const rows = await foundPassages(tx, seqs, filter);
  const bySeq = new Map(rows.map((row) => [row.passage.seq, row]));
  return hits.flatMap(({ seq, score }) => {
    const row = bySeq.get(seq);
    return row ? [{ ...row, score }] : [];
  });
}

/** Returns one result per file: its found passages in the order of the file, with the best score. */
function consolidated(found: Found[]): (Found & { merged: PassageRow[] })[] {
  const files = new Map<string, Found & { merged: PassageRow[] }>();
  for (const one of found) {
    const first = files.get(one.file.id);
    if (first) first.merged.push(one.passage);
    else files.set(one.file.id, { ...one, merged: [one.passage] });
  }
  for (const { merged } of files.values()) merged.sort((a, b) => a.position - b.position);
  return [...files.values()];
}

/** The types of passages before, at and after a position. */
const directions = ['preceding', 'current', 'subsequent'] as const;

/** Returns the titles above a passage, and the passage with those around it, if they are requested. */
async function contextOf(
  tx: Tx,
  passage: PassageRow,
  { withContext = false, contextDepth, includeBreadcrumb = false }: FileSearch,
): Promise<PassageContext[] | undefined> {
  const depth = contextDepth ?? (withContext ? 1 : 0);
  if (depth === 0 && !withContext && !includeBreadcrumb) return undefined;
  const { indexVersion, position, breadcrumb } = passage;
  const first = Math.max(0, position - depth);
  const isAround = withContext || depth > 0;
  const around = isAround ? await listPassages(tx, indexVersion, first, position - first + depth + 1) : [];
  const titles = includeBreadcrumb && breadcrumb ? breadcrumb.split(' > ') : [];
  return [
    ...titles.map((text) => ({ text, type: 'breadcrumb' as const })),
    ...around.map(({ id, content, position: other }) => ({
      id,
      text: content,
      offset: other - position,
      type: directions[Math.sign(other - position) + 1] ?? 'current',
    })),
  ];
}

/**
 * How slowly the weight of a rank decreases. With 10 and the weights below, 82 % of the answers of the evaluation questions are among the
 * first five; with 60, the value of the publication, and without the weights it is 53 %.
 */
const smoothing = 10;
/**
 * The score of full-text search from which a hit counts fully. A hit with less shares only some words with the query,
 * often ones such as "the" and "for", which every question contains.
 */
const fullWordScore = 0.5;

/**
 * Fuses the hits of full-text search and of vectors by their ranks (reciprocal rank fusion, Cormack et al. 2009), because their
 * scores cannot be compared. Returns them best first. The score of a passage is between 0 and 1; 1 is the first hit of both
 * lists if both are certain.
 */
export function fuse(words: readonly Hit[], vectors: readonly Hit[]): Hit[] {
  return [...fusedScores(words, vectors)]
    .map(([seq, score]) => ({ seq, score }))
    .sort((a, b) => b.score - a.score);
}

/** Returns the scores of the hits of both lists, which are in the order of their ranks. */
export function fusedScores(words: readonly Hit[], vectors: readonly Hit[]): Map<number, number> {
  const scores = new Map<number, number>();
  const add = (hits: readonly Hit[], certainScore: number) => {
    for (const [rank, { seq, score }] of hits.entries()) {
      const share = (smoothing + 1) / (smoothing + 1 + rank) / 2;
      scores.set(seq, (scores.get(seq) ?? 0) + share * Math.min(1, score / certainScore));
    }
  };
  // Words first: of hits with equal scores, those with the words of the query come first.
  add(words, fullWordScore);
  add(vectors, 1);
  return scores;
}
