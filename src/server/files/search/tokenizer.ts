// Cuts text into words to search by: of every script, without case, accents and plural. It gives letters and digits
// only, so that nothing which somebody types can be syntax of a search engine.

/** Scripts that put no space between words: they are searched by pairs of characters. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Marks belong to words: the vowels of Hindi are some. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Accents and points over Latin, Greek, Cyrillic, Hebrew and Arabic letters: people leave them out. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+/g;
/** Characters of a word that count; what is longer is no word that anybody types. */
const longest = 40;

/** The words of a text in their order, repeated as often as they stand there. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase();
  const words: string[] = [];
  for (const [run] of plain.matchAll(word)) {
    let end = 0;
    for (const found of run.matchAll(dense)) {
      if (found.index > end) words.push(stem(run.slice(end, found.index)));
      words.push(...pairs(found[0]));
      end = found.index + found[0].length;
    }
    if (end < run.length) words.push(stem(run.slice(end)));
  }
  return words;
}

/** Overlapping pairs; a character that stands alone is a word. */
function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, index) => characters[index] + character);
}

/** Without the plural of English and of many other languages (Harman 1991): the same rule for text and query. */
function stem(given: string): string {
  const text = given.slice(0, longest);
  if (text.length < 4 || !/^[a-z]+s$/.test(text)) return text;
  if (/[^ea]ies$/.test(text)) return `${text.slice(0, -3)}y`;
  if (/(?:us|ss|is)$/.test(text)) return text;
  return text.slice(0, -1);
}
