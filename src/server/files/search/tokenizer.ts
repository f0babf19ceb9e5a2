// Splits text of any script into tokens for search, without case, accents and plural. Tokens contain only letters,
// digits and marks, so that no input can be syntax of a search engine.
// Why not `natural`: the index and the queries must agree in every script (decision 23).
import { searchedTokensOf, tokensOf } from '../../../protocol/locale/word-splitting.ts';

/** The maximum number of characters of a token; the rest is cut off. */
const maxLength = 40;

/** Returns the tokens of a query in their order, with repetitions. */
export const tokenize = (query: string): string[] => tokensOf(query).map(stem);

/** Returns the tokens of a passage, in which those of queries are found. */
export const tokenizePassage = (text: string): string[] => searchedTokensOf(text).map(stem);

/** Removes the plural of English and of many other languages (Harman 1991). Text and query use the same rule. */
function stem(given: string): string {
  const text = given.slice(0, maxLength);
  if (text.length < 4 || !/^[a-z]+s$/.test(text)) return text;
  if (/[^ea]ies$/.test(text)) return `${text.slice(0, -3)}y`;
  if (/(?:us|ss|is)$/.test(text)) return text;
  return text.slice(0, -1);
}
