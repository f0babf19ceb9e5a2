// Scripts that are written without spaces around a mark of Markdown or an address, and their punctuation.

/**
 * The content of a class of characters (flag `u`): the letters, marks and punctuation of Chinese, Japanese, Korean, Yi, Thai, Lao,
 * Khmer, Burmese and Tibetan, the wide forms of other characters, the selectors of variants, and the zero-width space. More than
 * the CJK characters of the amendment "CJK friendly" of CommonMark, of which Thai has the same fault.
 */
export const unspaced =
  '\\u0e00-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u200b\\u2e80-\\u2fff\\u3001-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff' +
  '\\ufe10-\\ufe1f\\ufe30-\\ufe6f\\uff01-\\uffef\\u{16fe0}-\\u{1b2ff}\\u{20000}-\\u{3ffff}\\u{e0100}-\\u{e01ef}';

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
