// Splits text of any script into words without case and accents, for searching. Pure; the server and pages use the same rule.
import { fold } from './folding.ts';

/** Scripts without spaces between words. */
const denseScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** The same with Korean, whose words are written together with their particles. */
const pairedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]+/gu;
/** Marks are part of words, such as the vowels of Hindi. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** The scripts above begin here: most words have none of them. */
const mayBeDense = /[\u0e00-\uffff]/;

/**
 * Returns the words of a text in their order, with repetitions, in the form of `fold`. They contain only letters, digits and
 * marks. A run of a script without spaces is one word.
 */
export const wordsOf = (text: string): string[] => fold(text).match(word) ?? [];

/** Returns the words of a text, each cut where a script without spaces begins or ends: `split` divides such a part. */
function splitWords(text: string, scripts: RegExp, split: (run: string) => string[]): string[] {
  return wordsOf(text).flatMap((whole) => {
    if (!mayBeDense.test(whole)) return whole;
    const parts: string[] = [];
    let end = 0;
    for (const { 0: run, index } of whole.matchAll(scripts)) {
      if (index > end) parts.push(whole.slice(end, index));
      parts.push(...split(run));
      end = index + run.length;
    }
    if (end < whole.length) parts.push(whole.slice(end));
    return parts;
  });
}

/** Returns the words of a text; of scripts without spaces each character. */
export const partsOf = (text: string): string[] => splitWords(text, denseScripts, (run) => [...run]);

/**
 * Returns the tokens of a query: its words, and in scripts without spaces all pairs of characters that follow each other. A single
 * character of them is a token that finds others by their beginning (`isPrefix`).
 */
export const tokensOf = (query: string): string[] => splitWords(query, pairedScripts, pairs);

/** Returns the tokens of a text in which `tokensOf` are searched: also the last character of each run. */
export const searchedTokensOf = (text: string): string[] =>
  splitWords(text, pairedScripts, (run) => {
    const parts = pairs(run);
    const last = [...run].at(-1) ?? run;
    return parts[0] === last ? parts : [...parts, last];
  });

const single = new RegExp(`^(?:${pairedScripts.source.replace(/\+$/, '')})$`, 'u');

/** Whether a token of a query also stands for longer tokens that begin with it: a single character of a script without spaces. */
export const isPrefix = (token: string): boolean => single.test(token);

/** Returns overlapping pairs of characters; a single character is a token. */
function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, index) => characters[index] + character);
}
