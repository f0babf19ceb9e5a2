// Splits text of any script into tokens for search, without case, accents and plural. Tokens contain only letters,
// digits and marks, so that no input can be syntax of a search engine.
// Why not `natural`: the index and the queries must agree in every script (decision 23).
import { denseScripts, wordsOf } from '../../../protocol/locale/word-splitting.ts';

/** The maximum number of characters of a token; the rest is cut off. */
const maxLength = 40;

/** Returns the tokens of a text in their order, with repetitions. */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (const run of wordsOf(text)) {
    let end = 0;
    for (const found of run.matchAll(denseScripts)) {
      if (found.index > end) tokens.push(stem(run.slice(end, found.index)));
      tokens.push(...pairs(found[0]));
      end = found.index + found[0].length;
    }
    if (end < run.length) tokens.push(stem(run.slice(end)));
  }
  return tokens;
}

/** Returns overlapping pairs of characters; a single character is a token. */
function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, index) => characters[index] + character);
}

/** Removes the plural of English and of many other languages (Harman 1991). Text and query use the same rule. */
function stem(given: string): string {
  const text = given.slice(0, maxLength);
  if (text.length < 4 || !/^[a-z]+s$/.test(text)) return text;
  if (/[^ea]ies$/.test(text)) return `${text.slice(0, -3)}y`;
  if (/(?:us|ss|is)$/.test(text)) return text;
  return text.slice(0, -1);
}
