// Scripts that are written without spaces around a mark of Markdown or an address, and their punctuation.

/**
 * The content of a class of characters (flag `u`): the letters, marks and punctuation of Chinese, Japanese, Korean, Yi, Thai, Lao,
 * Khmer, Burmese and Tibetan, the wide forms of other characters, the selectors of variants, and the zero-width space. More than
 * the CJK characters of the amendment "CJK friendly" of CommonMark, of which Thai has the same fault.
 */
export const unspaced =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Yi}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}' +
  '\\p{scx=Tibt}\\u3001-\\u303f\\u3200-\\u33ff\\ufe10-\\ufe1f\\ufe30-\\ufe6f\\uff01-\\uffef\\u200b\\u{e0100}-\\u{e01ef}';

const mark = `(?=[${unspaced}])[\\p{P}\\p{S}]`;
const letter = `(?=[${unspaced}])[\\p{L}\\p{N}\\p{M}]`;

/**
 * The pattern (flags `iu`) of an address after `https://` or `www.`, which ends without a space: of `https://a.test/b。次` and
 * `https://a.test/b次` it is `a.test/b`. In a path, letters of such scripts belong to the address after one of them and after
 * punctuation (`/wiki/日本`); in the name of a host, after a letter of ASCII only before another point.
 * @param excluded characters that end each address, as in a class.
 */
export function addressPattern(excluded: string): string {
  const hostEnd = `(?<=\\.[a-z]{2,63}|:\\d{1,5})${letter}(?![\\p{L}\\p{N}\\p{M}-]{0,63}\\.\\p{L})`;
  const pathEnd = `(?<=[a-z\\d])${letter}`;
  return `(?:(?!${mark}|${hostEnd})[^/?#${excluded}])+(?:[/?#](?:(?!${mark}|${pathEnd})[^${excluded}])*)?`;
}
