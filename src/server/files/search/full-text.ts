// Full-text search in passages: which of them match a query, best first. Passages that the caller may not see have no
// influence on scores or order.
import type { Tx, WriteTx } from '../../storage/database.ts';
import type { FileFilter } from '../../storage/files/file-filter.ts';
import {
  addToPassageIndex,
  compactPassageIndex,
  createPassageIndex,
  passagesWithTokens,
  passageTexts,
  removeFromPassageIndex,
  type TokenMatch,
} from '../../storage/files/passage-index.ts';
import { tokenize } from './tokenizer.ts';

/** A passage that matches a query. */
export interface Hit {
  seq: number;
  /** 0 to 1, higher is better; scores of different searches cannot be compared. */
  score: number;
}

export interface PassageQuery {
  botId: string;
  /** Any text. */
  query: string;
  /** The files to search in. */
  filter: FileFilter;
  limit: number;
}

/**
 * The interface of search: what knows which passages are about a text. This implementation goes by tokens; one that goes
 * by meaning computes its vectors before the transaction of `add`, and stores them with the passages.
 */
export interface PassageIndex {
  add(tx: WriteTx, botId: string, passage: { seq: number; text: string }): Promise<void>;
  remove(tx: WriteTx, seq: number): Promise<void>;
  /**
   * One step of removing the tokens of removed passages from the index's files; `isFirst` begins it. True: nothing is
   * left to do.
   */
  compact(tx: WriteTx, isFirst: boolean): Promise<boolean>;
  /** The passages of a bot that match best, best first. Scores and order depend on visible passages only. */
  find(tx: Tx, query: PassageQuery): Promise<Hit[]>;
}

/** Tokens of one query that count: each is a bit of a number that JavaScript represents exactly. */
const maxQueryTokens = 48;
/** Passages that are weighted by their tokens, those with most of them first; and those whose text is read. */
const maxWeighted = 25_000;
const maxRead = 200;
/** How soon repetitions of a token stop to count, and how much longer texts count less (k1 and b of BM25). */
const saturation = 0.5;
const lengthWeight = 0.5;
/** Tokens of a passage of average length. A constant: a measured average would depend on what others store. */
const averageLength = 100;

/** Opens the index, and creates it in a database that has none. */
export async function openFullText(tx: WriteTx): Promise<PassageIndex> {
  await createPassageIndex(tx);
  return {
    add: (tx, botId, { seq, text }) => addToPassageIndex(tx, botId, seq, tokenize(text)),
    remove: removeFromPassageIndex,
    compact: compactPassageIndex,

    async find(tx, { query, limit, botId, filter }) {
      const tokens = [...new Set(tokenize(query))].slice(0, maxQueryTokens);
      if (tokens.length === 0) return [];
      const matches = await passagesWithTokens(tx, tokens, { botId, filter, limit: maxWeighted });
      const weights = weightsOf(matches, tokens.length);
      const weightOf = (match: TokenMatch): number => sumOf(weights, (index) => (has(match, index) ? 1 : 0));
      const best = matches
        .map((match) => ({ ...match, score: weightOf(match) }))
        .sort(byScore)
        .slice(0, Math.max(limit, maxRead));
      const texts = await passageTexts(
        tx,
        best.map(({ seq }) => seq),
      );
      return best
        .map((match) => ({
          seq: match.seq,
          score: scoreOf(match, tokenize(texts.get(match.seq) ?? ''), tokens, weights),
        }))
        .sort(byScore)
        .slice(0, limit);
    },
  };
}

const has = ({ mask }: TokenMatch, index: number): boolean => Math.floor(mask / 2 ** index) % 2 === 1;
const byScore = (a: Hit, b: Hit): number => b.score - a.score || a.seq - b.seq;
const sumOf = (weights: number[], share: (index: number) => number): number =>
  weights.reduce((sum, weight, index) => sum + weight * share(index), 0);

/** The weight of each token: one that few of the matches have counts more. */
function weightsOf(matches: TokenMatch[], tokens: number): number[] {
  return Array.from({ length: tokens }, (_, index) => {
    const having = matches.reduce((sum, match) => sum + (has(match, index) ? 1 : 0), 0);
    return 1 + Math.log((matches.length + 1) / (having + 1));
  });
}

/** The score of a passage with these tokens, as a part of the highest possible one. */
function scoreOf(match: TokenMatch, text: string[], tokens: string[], weights: number[]): number {
  const dilution = saturation * (1 - lengthWeight + (lengthWeight * text.length) / averageLength);
  const counts = new Map<string, number>();
  for (const token of text) counts.set(token, (counts.get(token) ?? 0) + 1);
  const share = (index: number): number => {
    if (!has(match, index)) return 0;
    // The index also has the tokens of the titles above a passage, which are not in its text.
    const count = Math.max(1, counts.get(tokens[index] ?? '') ?? 0);
    return count / (count + dilution);
  };
  return sumOf(weights, share) / sumOf(weights, () => 1);
}
