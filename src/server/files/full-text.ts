// Full-text search in passages: finds those that match a query, best first. Passages that the caller cannot see do not
// influence scores or order.
// Why not `bm25()` of FTS5: its statistics include passages that the caller cannot see (decision 23).
import { searchedTokensOf, tokensOf } from '../../protocol/locale/word-splitting.ts';
import { createYielder } from '../api/yielder.ts';
import type { Database, Tx, WriteTx } from '../storage/database.ts';
import type { FileFilter } from '../storage/files/file-lists.ts';
import {
  addToPassageIndex,
  compactPassageIndex,
  createPassageIndex,
  lastInPassageIndex,
  markPassageWords,
  passagesWithEarlierWords,
  passagesWithTokens,
  passageTexts,
  removeFromPassageIndex,
  searchedPassages,
  type TokenMatch,
} from '../storage/files/passages.ts';
import { searchedText } from './indexing/passages.ts';

/** A passage that matches a query. */
export interface Hit {
  seq: number;
  /** From 0 to 1, higher is better. Scores of different searches cannot be compared. */
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
 * The interface of search: finds the passages about a text. This implementation compares tokens. A semantic one would
 * compute its vectors before the transaction of `add`, and store them with the passages.
 */
export interface PassageIndex {
  add(tx: WriteTx, botId: string, passage: { seq: number; text: string }): Promise<void>;
  remove(tx: WriteTx, seq: number): Promise<void>;
  /**
   * Runs one step of removing the tokens of removed passages from the index; `isFirst` starts it. Returns true when
   * nothing remains.
   */
  compact(tx: WriteTx, isFirst: boolean): Promise<boolean>;
  /** Returns the passages of a bot that match best, best first. Scores and order depend on visible passages only. */
  find(tx: Tx, query: PassageQuery): Promise<Hit[]>;
}

/** The maximum number of tokens of a query. Each is a bit of a number that JavaScript represents exactly. */
const maxQueryTokens = 48;
/**
 * The number of passages that are weighted by their tokens, those with most tokens first; and of those whose text is
 * read.
 */
const maxWeighted = 25_000;
const maxRead = 200;
/** Passages whose text is read at once: half a megabyte in the worst case. */
const readAtOnce = 50;
/** How quickly repetitions of a token stop counting, and how much longer texts count less (k1 and b of BM25). */
const saturation = 0.5;
const lengthWeight = 0.5;
/** Tokens of a passage of average length. A constant, because a measured average would depend on data of others. */
const averageLength = 100;

/** Opens the index, and creates it if the database has none. */
export async function openFullText(tx: WriteTx): Promise<PassageIndex> {
  await createPassageIndex(tx);
  return {
    add: (tx, botId, { seq, text }) => addToPassageIndex(tx, botId, seq, tokenizePassage(text)),
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
      const hits: Hit[] = [];
      const yielder = createYielder();
      for (let begin = 0; begin < best.length; begin += readAtOnce) {
        const piece = best.slice(begin, begin + readAtOnce);
        const texts = await passageTexts(
          tx,
          piece.map(({ seq }) => seq),
        );
        for (const match of piece) {
          const text = tokenizePassage(texts.get(match.seq) ?? '');
          hits.push({ seq: match.seq, score: scoreOf(match, text, tokens, weights) });
          if (yielder.shouldYield()) await yielder.yieldToEventLoop();
        }
      }
      return hits.sort(byScore).slice(0, limit);
    },
  };
}

const has = ({ mask }: TokenMatch, index: number): boolean => Math.floor(mask / 2 ** index) % 2 === 1;
const byScore = (a: Hit, b: Hit): number => b.score - a.score || a.seq - b.seq;
const sumOf = (weights: number[], share: (index: number) => number): number =>
  weights.reduce((sum, weight, index) => sum + weight * share(index), 0);

/** Returns the weight of each token: tokens that occur in fewer matches weigh more. */
function weightsOf(matches: TokenMatch[], tokens: number): number[] {
  return Array.from({ length: tokens }, (_, index) => {
    const having = matches.reduce((sum, match) => sum + (has(match, index) ? 1 : 0), 0);
    return 1 + Math.log((matches.length + 1) / (having + 1));
  });
}

/** Returns the score of a passage with these tokens as a fraction of the highest possible score. */
function scoreOf(match: TokenMatch, text: string[], tokens: string[], weights: number[]): number {
  const dilution = saturation * (1 - lengthWeight + (lengthWeight * text.length) / averageLength);
  const counts = new Map<string, number>();
  for (const token of text) counts.set(token, (counts.get(token) ?? 0) + 1);
  const share = (index: number): number => {
    if (!has(match, index)) return 0;
    // The index also contains the tokens of the titles above a passage, which are not part of its text.
    const count = Math.max(1, counts.get(tokens[index] ?? '') ?? 0);
    return count / (count + dilution);
  };
  return sumOf(weights, share) / sumOf(weights, () => 1);
}

/** The maximum number of characters of a token; the rest is cut off. */
const maxLength = 40;

/**
 * Returns the tokens of a query in their order, with repetitions. Splits text of any script, without case, accents and plural.
 * Tokens contain only letters, digits and marks, so that no input can be syntax of a search engine. Why not `natural`: the
 * index and the queries must agree in every script (decision 23).
 */
export const tokenize = (query: string): string[] => tokensOf(query).map(stem);

/** Returns the tokens of a passage, in which those of queries are found. */
export const tokenizePassage = (text: string): string[] => searchedTokensOf(text).map(stem);

/** Removes the plural of English and of many other languages (Harman 1991). Text and query use the same rule. */
function stem(token: string): string {
  const text = token.slice(0, maxLength);
  if (text.length < 4 || !/^[a-z]+s$/.test(text)) return text;
  if (/[^ea]ies$/.test(text)) return `${text.slice(0, -3)}y`;
  if (/(?:us|ss|is)$/.test(text)) return text;
  return text.slice(0, -1);
}

/** Passages of one transaction: each has up to a few thousand characters. */
const pieceSize = 200;

/** Adds all passages that are not in the index. Goes on after an interruption. Returns how many it added. */
export async function rebuildFullText(db: Database, signal: AbortSignal): Promise<number> {
  const index = await db.write(openFullText);
  let added = 0;
  let last = await db.read(lastInPassageIndex);
  for (;;) {
    signal.throwIfAborted();
    const after = last;
    const passages = await db.read((tx) => searchedPassages(tx, after, pieceSize));
    if (passages.length === 0) return added;
    await db.write(async (tx) => {
      for (const { seq, botId, ...passage } of passages) {
        if (botId !== null) await index.add(tx, botId, { seq, text: searchedText(passage) });
      }
    });
    added += passages.length;
    last = passages.at(-1)?.seq ?? last;
  }
}

/** Indexes up to `limit` passages again whose words are those of an earlier rule. Returns how many there were. */
export async function indexEarlierPassages(
  db: Database,
  index: PassageIndex,
  limit: number,
): Promise<number> {
  const passages = await db.read((tx) => passagesWithEarlierWords(tx, limit));
  if (passages.length === 0) return 0;
  await db.write(async (tx) => {
    for (const { seq, botId, ...passage } of passages) {
      // It was deleted, or another process was faster.
      if (!(await markPassageWords(tx, seq))) continue;
      // Passages of no file are not found: they are deleted, or another process publishes them.
      if (botId === null) continue;
      await index.remove(tx, seq);
      await index.add(tx, botId, { seq, text: searchedText(passage) });
    }
  });
  return passages.length;
}
