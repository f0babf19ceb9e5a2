// The part of a text that a search shows: around the first found word, with the places of all found words in it. Pure.
import { limits } from '../../protocol/limits.ts';
import { fold } from '../../protocol/locale/folding.ts';

/** A part of a text, and where found words begin and end in it, in UTF-16 units. */
export interface Snippet {
  text: string;
  marks: [begin: number, end: number][];
}

/** Characters before the first found word. */
const before = 40;
/** A word with the characters in it that nobody sees. */
const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Cf}]*/gu;
/** Scripts without spaces between words begin here: a word of them begins anywhere in a run. */
const firstUnspaced = '\u0e00';

/** `beginnings`: of words, in the form of `fold`. Without a found word, the beginning of the text. */
export function snippetOf(text: string, beginnings: readonly string[]): Snippet {
  let begin: number | undefined;
  const marks: Snippet['marks'] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    if (begin !== undefined && index >= begin + limits.inbox.snippet) break;
    for (const [from, to] of placesIn(word, beginnings)) {
      begin ??= startBefore(text, index + from);
      const last = marks.at(-1);
      // Found words of a script without spaces overlap.
      if (last && index + from <= last[1]) last[1] = Math.max(last[1], index + to);
      else marks.push([index + from, index + to]);
    }
  }
  return cutAt(text, begin ?? 0, marks);
}

/** Where found words begin and end in a word, in their order. */
function placesIn(word: string, beginnings: readonly string[]): [from: number, to: number][] {
  const folded = fold(word);
  const places: [number, number][] = [];
  for (const beginning of beginnings)
    for (let at = folded.indexOf(beginning); at >= 0; at = folded.indexOf(beginning, at + 1)) {
      const isBegin = at === 0 || beginning >= firstUnspaced || (folded[at - 1] ?? '') >= firstUnspaced;
      if (!isBegin) continue;
      // Of another length, no character of the word is known to be that of a place.
      if (folded.length !== word.length) return [[0, word.length]];
      places.push([at, at + beginning.length]);
    }
  return places.sort(([a], [b]) => a - b);
}

/** The beginning of the part that shows the place: of a word, if one begins soon. */
function startBefore(text: string, place: number): number {
  const first = Math.max(0, place - before);
  if (first === 0) return 0;
  const blank = text.slice(first, place).search(/\s/);
  return blank < 0 ? characterStart(text, first) : first + blank + 1;
}

/** The place, or that before it, if the place is within a character. */
const characterStart = (text: string, place: number): number =>
  /[\udc00-\udfff]/.test(text[place] ?? '') ? place - 1 : place;

function cutAt(text: string, begin: number, marks: Snippet['marks']): Snippet {
  const end = characterStart(text, begin + limits.inbox.snippet);
  const [first, last] = [begin > 0 ? '…' : '', end < text.length ? '…' : ''];
  return {
    text: first + text.slice(begin, end).replace(/\s/g, ' ') + last,
    marks: marks.flatMap(([from, to]): Snippet['marks'] =>
      from < end ? [[from - begin + first.length, Math.min(to, end) - begin + first.length]] : [],
    ),
  };
}
