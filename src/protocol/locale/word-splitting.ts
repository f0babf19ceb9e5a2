// Splits text of any script into words without case and accents, for searching. Pure; the server and pages use the same rule.

/** Scripts without spaces between words. */
export const denseScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Marks are part of words, such as the vowels of Hindi. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Accents and points of Latin, Greek, Cyrillic, Hebrew and Arabic letters, which people often omit. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+/g;

/**
 * Returns the words of a text in their order, with repetitions, in lower case and without accents. They contain only letters,
 * digits and marks. A run of a script without spaces is one word.
 */
export const wordsOf = (text: string): string[] =>
  text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase().match(word) ?? [];
