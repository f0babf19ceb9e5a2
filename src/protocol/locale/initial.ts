// The initial of a name and its color, for people without a picture.

/** For browsers without `Intl.Segmenter`: a flag, or a character with its marks, skin tones, and what is joined to it. */
const grapheme = /^(?:\p{RI}{2}|.[\p{M}\p{EMod}]*(?:\u200d.[\p{M}\p{EMod}]*)*)/su;

/** A Latin, Greek, Cyrillic or Chinese character without a mark. The first segmenter of a page takes Chromium 20 ms. */
const simple = /^[\wÀ-ҁҊ-ӿ一-鿿](?![\p{M}\u200d])/u;

/** The first character of a text as readers see it; '' of an empty one. */
const first = (text: string): string =>
  simple.exec(text)?.[0] ??
  (Intl.Segmenter ? new Intl.Segmenter().segment(text).containing(0)?.segment : grapheme.exec(text)?.[0]) ??
  '';

/** Returns the first character of a name as readers see it, in upper case; '' if the name is blank. */
// Again after the change of case: "ß" becomes two letters.
export const initialOf = (name: string): string => first(first(name.trim()).toUpperCase());

/** Colors that faces have. */
export const faces = 8;

/** The number of the color of a name, 0 to 7, the same on every surface. Letter case and spaces around the name make no difference. */
export function faceOf(name: string): number {
  // FNV-1a, whose lowest bits differ for names that have one letter more.
  let hash = 0x811c9dc5;
  for (const letter of name.trim().toLowerCase().normalize()) {
    hash ^= letter.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % faces;
}
