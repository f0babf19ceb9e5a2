// Ranks rows by how well their texts match a query (BM25). ../vectors/row-search.ts adds the meaning of the texts.
import { limits } from '../../../protocol/limits.ts';
import { isPrefix, searchedTokensOf, tokensOf } from '../../../protocol/locale/word-splitting.ts';
import { createYielder } from '../../api/yielder.ts';
import type { OpenTable, Values } from '../open-table.ts';

/** The input of a search for one row. */
export interface Searched {
  id: number;
  /** The texts of the searchable columns. */
  text: string;
}

/**
 * Returns the rows that match the query, each with its similarity: above 0, at most 1. `storeId`: under which id the
 * rows are stored.
 */
export type RowSearch = (
  query: string,
  rows: AsyncIterable<Searched[]>,
  storeId: string,
) => Promise<Map<number, number>>;

/** How quickly repetitions of a token stop counting, and how much longer texts count less (k1 and b of BM25). */
const saturation = 0.5;
const lengthWeight = 0.5;
/** The minimum number of letters of a token to also match longer tokens with this prefix, which count half. */
const prefixLetters = 4;

/**
 * Full-text search: tokens without case and accents. The similarity of a row is the weight of the tokens that it shares
 * with the query (rare tokens weigh more), as a fraction of the highest possible weight.
 */
export async function fullTextSearch(
  query: string,
  rows: AsyncIterable<Searched[]>,
): Promise<Map<number, number>> {
  const tokens = tokensOf(query).flatMap((token) => (hasMeaning.test(token) ? [token, ...token] : token));
  const searched = [...new Set(tokens)].slice(0, limits.tables.searchWords);
  const found: { id: number; length: number; counts: number[] }[] = [];
  const rowsWith = searched.map(() => 0);
  let total = 0;
  let length = 0;
  const yielder = createYielder();
  for await (const piece of rows) {
    for (const row of piece) {
      const words = searchedTokensOf(row.text);
      total += 1;
      length += words.length;
      const counts = searched.map((word) => countOf(word, words));
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
      const contributions = row.counts.map(
        (count, index) => ((weights[index] ?? 0) * count) / (count + dilution),
      );
      return [row.id, contributions.reduce((sum, part) => sum + part, 0) / most];
    }),
  );
}

/** Characters of these scripts have a meaning of their own, so that a row with some of them is similar. */
const hasMeaning = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function countOf(word: string, words: string[]): number {
  const isSingle = isPrefix(word);
  let count = 0;
  for (const one of words) {
    if (one === word || (isSingle && one.startsWith(word))) count += 1;
    else if (word.length >= prefixLetters && one.startsWith(word)) count += 0.5;
  }
  return count;
}

/** Returns the names of the searchable columns. */
export const searchableColumns = ({ schema }: OpenTable): string[] =>
  Object.entries(schema.properties)
    .filter(([, column]) => column['x-zui'].searchable)
    .map(([name]) => name);

/** Returns the values of these columns, one per line. */
export const searchedText = (values: Values, columns: readonly string[]): string =>
  columns.map((name) => textOf(values[name])).join('\n');

function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
