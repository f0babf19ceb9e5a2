// Ranks rows by how well their texts fit some words. The ranking stands behind one function, so that a provider of
// embeddings can take its place; this one counts words (BM25) and knows no meaning.
import { limits } from '../../../protocol/limits.ts';
import { createYielder } from './yielder.ts';

/** A row as a search sees it. */
export interface Searched {
  id: number;
  /** The texts of its searchable columns. */
  text: string;
}

/** Gives the rows that have something to do with the query, each with its similarity: above 0, at most 1. */
export type RowSearch = (query: string, rows: AsyncIterable<Searched[]>) => Promise<Map<number, number>>;

/** How soon a word that comes again tells nothing new, and how much longer texts count less (BM25's k1 and b). */
const saturation = 0.5;
const lengthWeight = 0.5;
/** Letters of a word from which it also finds words that begin with it, which count half. */
const prefixLetters = 4;

/**
 * Full text: words without case and accents. A row's similarity is what its words tell of the query (rare words tell
 * more), as a part of what a row could tell.
 */
export const searchWords: RowSearch = async (query, rows) => {
  const wanted = [...new Set(wordsOf(query))].slice(0, limits.tables.searchWords);
  const found: { id: number; length: number; counts: number[] }[] = [];
  const rowsWith = wanted.map(() => 0);
  let total = 0;
  let length = 0;
  const yielder = createYielder();
  for await (const piece of rows) {
    for (const row of piece) {
      const words = wordsOf(row.text);
      total += 1;
      length += words.length;
      const counts = wanted.map((word) => countOf(word, words));
      if (counts.some((count) => count > 0)) found.push({ id: row.id, length: words.length, counts });
      if (yielder.shouldYield()) await yielder.yieldToEventLoop();
    }
  }
  for (const { counts } of found) {
    for (const [index, count] of counts.entries())
      if (count > 0) rowsWith[index] = (rowsWith[index] ?? 0) + 1;
  }
  const weights = rowsWith.map((count) => Math.log(1 + (total - count + 0.5) / (count + 0.5)));
  const most = weights.reduce((sum, weight) => sum + weight, 0);
  const usual = length / Math.max(1, total);
  return new Map(
    found.map((row) => {
      const dilution = saturation * (1 - lengthWeight + (lengthWeight * row.length) / usual);
      const told = row.counts.map((count, index) => ((weights[index] ?? 0) * count) / (count + dilution));
      return [row.id, told.reduce((sum, part) => sum + part, 0) / most];
    }),
  );
};

const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]';
/** Linear: each alternative begins where the other cannot. */
const word = new RegExp(`${unspaced}|(?:(?!${unspaced})[\\p{L}\\p{N}])+`, 'gu');

/** Words of a text; of scripts that put no space between words, each character. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain.match(word) ?? [];
}

function countOf(word: string, words: string[]): number {
  let count = 0;
  for (const one of words) {
    if (one === word) count += 1;
    else if (word.length >= prefixLetters && one.startsWith(word)) count += 0.5;
  }
  return count;
}
