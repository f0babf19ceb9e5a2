// Writes the citations of an answer: `[n]` at the places that the agent gave. Its offsets count its own text, which has fewer
// paragraphs than the answer.
import { limits } from '../../../protocol/limits.ts';

export interface Citations {
  /** The agent has written `length` characters, which end at `position` of the answer. */
  written(length: number, position: number): void;
  /** Another response follows, whose offsets count its own text. */
  nextStep(): void;
  /** Sets the place to which `takeBack` returns. */
  mark(): void;
  /** The text since the mark, and its citations, are removed. */
  takeBack(): void;
  /** The source of this number is cited after `end` characters of the text of the agent. */
  cite(number: number, end: number): void;
  /** The text with the citations, and a function that moves an offset of the text accordingly. */
  applied(text: string): { text: string; moved(at: number): number };
}

/** Further citations of an answer are ignored. */
const maxCitations = 10 * limits.parts.sources;

/** Pieces that the agent has written without a gap: their ends in the agent's text and in the answer. */
interface Piece {
  end: number;
  position: number;
}

export function createCitations(): Citations {
  const pieces: Piece[] = [];
  /** By their number and end: each is written once. */
  const cited = new Map<string, { number: number; end: number }>();
  let total = 0;
  /** The text of earlier responses. */
  let before = 0;
  let marked = { total: 0, pieces: 0 };

  /** Returns the position in the answer for an offset in the text of the agent. */
  function placeOf(end: number, text: string): number {
    const piece = pieces.find((one) => one.end >= end) ?? pieces.at(-1);
    if (!piece) return text.length;
    const place = Math.min(text.length, Math.max(0, piece.position - Math.max(0, piece.end - end)));
    const isInCharacter = /[\ud800-\udbff]/.test(text[place - 1] ?? '');
    return isInCharacter ? place + 1 : place;
  }

  return {
    written(length, position) {
      total += length;
      const last = pieces.at(-1);
      // Without a gap, the last piece continues.
      if (last && position - last.position === length) Object.assign(last, { end: total, position });
      else pieces.push({ end: total, position });
    },
    nextStep() {
      before = total;
    },
    mark() {
      marked = { total, pieces: pieces.length };
    },
    takeBack() {
      ({ total } = marked);
      pieces.length = Math.min(pieces.length, marked.pieces);
      const last = pieces.at(-1);
      // The last piece may have continued since.
      if (last && last.end > total)
        Object.assign(last, { end: total, position: last.position - (last.end - total) });
      for (const [key, { end }] of cited) if (end > total) cited.delete(key);
    },
    cite(number, offset) {
      const end = before + offset;
      if (cited.size < maxCitations) cited.set(`${number} ${end}`, { number, end });
    },
    applied(text) {
      const places = [...cited.values()]
        .map(({ number, end }) => ({ number, place: placeOf(end, text) }))
        .sort((a, b) => a.place - b.place || a.number - b.number);
      const marks = places.map(({ number, place }, index) => {
        // With a bracket or a colon after it, it would be a link or the definition of one.
        const isLink = places[index + 1]?.place !== place && /[([:]/.test(text[place] ?? '');
        return { place, mark: `[${number}]${isLink ? ' ' : ''}` };
      });
      let result = '';
      let from = 0;
      for (const { mark, place } of marks) {
        result += text.slice(from, place) + mark;
        from = place;
      }
      return {
        text: result + text.slice(from),
        moved: (at) => at + marks.reduce((sum, { mark, place }) => sum + (place <= at ? mark.length : 0), 0),
      };
    },
  };
}
