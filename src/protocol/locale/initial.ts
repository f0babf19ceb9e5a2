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

/** Backgrounds of the initials of people: white text is readable on each of them (4.5 : 1). */
export const faceColors = [
  '#b3372f',
  '#a0520a',
  '#5f6b00',
  '#1f7a3d',
  '#0a7580',
  '#2a63c4',
  '#6a4fc8',
  '#ad2f7b',
] as const;

/** The color of a name, always the same one. */
export function faceColorOf(name: string): string {
  let sum = 0;
  for (const character of name.trim()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return faceColors[sum % faceColors.length] as string;
}
