// Rewrites the citations of passages in the text of an agent while it streams: `[7]` becomes the number of the source that the
// visitor sees. Text in code, links and their definitions stays as it is. The result is the same for any pieces of the text.

/** A piece of the text: the number of characters of the agent that it replaces, and the text to write. */
export interface Segment {
  length: number;
  text: string;
}

export interface CitationStream {
  /** Returns what can be written now. */
  push(delta: string): Segment[];
  /** Returns the text that was held back, because nothing that follows belongs to it. */
  flush(): Segment[];
}

/** The most characters that wait for the end of code in a line. */
const maxCodeLength = 2_000;

const citation =
  /( *)(?:\[(\d{1,3}(?: ?[,;] ?\d{1,3}){0,9})\]|\u3010(\d{1,3})(?:\u2020[^\u3011\n]{0,60})?\u3011)/y;
/** The beginning of a citation at the end of what is known. */
const partialCitation = / *(?:\[[\d,; ]{0,60}|\u3010\d{0,3}(?:\u2020[^\u3011\n]{0,60})?)?$/y;
const fence = / {0,3}(`{3,}|~{3,})/y;
const partialFence = / {0,3}(`*|~*)$/y;

/**
 * `numberOf` returns the number of the source of a passage. Null: the source is not shown, so the citation is removed.
 * Undefined: no passage has this number, so the text stays.
 */
export function createCitationStream(
  numberOf: (passage: number) => number | null | undefined,
): CitationStream {
  let buffer = '';
  let isLineStart = true;
  /** The mark that ends the block of code; undefined outside of one. */
  let open: string | undefined;

  function read(isFinal: boolean): Segment[] {
    const segments: Segment[] = [];
    let at = 0;
    const match = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      return pattern.exec(buffer);
    };
    function write(length: number, text = buffer.slice(at, at + length)): void {
      const last = segments.at(-1);
      const isPlain = text.length === length;
      if (last && isPlain && last.text.length === last.length) {
        segments[segments.length - 1] = { length: last.length + length, text: last.text + text };
      } else segments.push({ length, text });
      at += length;
    }

    while (at < buffer.length) {
      if (isLineStart) {
        if (!isFinal && match(partialFence)) break;
        isLineStart = false;
        const found = match(fence);
        const mark = found?.[1] ?? '';
        if (found && (open === undefined || (mark[0] === open[0] && mark.length >= open.length))) {
          open = open === undefined ? mark : undefined;
          write(found[0].length);
          continue;
        }
        const definition = /\[\d{1,3}\](:?)/y;
        const begun = match(definition);
        if (open === undefined && begun) {
          if (begun[1] === ':') {
            write(begun[0].length);
            continue;
          }
          if (!isFinal && at + begun[0].length === buffer.length) {
            isLineStart = true;
            break;
          }
        } else if (open === undefined && !isFinal && /^\[\d{0,3}$/.test(buffer.slice(at))) {
          isLineStart = true;
          break;
        }
      }
      if (open !== undefined) {
        const end = buffer.indexOf('\n', at);
        isLineStart = end >= 0;
        write((end < 0 ? buffer.length : end + 1) - at);
        continue;
      }
      const character = buffer[at];
      if (character === '\n') {
        write(1);
        isLineStart = true;
      } else if (character === '\\') {
        if (!isFinal && at + 1 === buffer.length) break;
        // A line break ends the line, escaped or not.
        write(buffer[at + 1] === '\n' ? 1 : Math.min(2, buffer.length - at));
      } else if (character === '`') {
        const length = lengthOfCode(buffer.slice(at), isFinal);
        if (length === undefined) break;
        write(length);
      } else {
        const cited = match(citation);
        if (cited) {
          const next = buffer[at + cited[0].length];
          if (next === undefined && !isFinal) break;
          write(cited[0].length, next === '(' ? undefined : rewritten(cited));
        } else if (!isFinal && match(partialCitation)) break;
        else write(1 + (match(/[^\s`\\[\u3010]*/y)?.[0].slice(1).length ?? 0));
      }
    }
    buffer = buffer.slice(at);
    return segments;
  }

  function rewritten([whole, spaces = '', list, single]: RegExpExecArray): string {
    const passages = (list ?? single ?? '').split(/[,;]/).map(Number);
    const numbers = passages.map(numberOf);
    if (numbers.every((number) => number === undefined)) return whole;
    const shown = [...new Set(numbers.filter((number) => typeof number === 'number'))];
    return shown.length === 0 ? '' : spaces + shown.map((number) => `[${number}]`).join('');
  }

  return {
    push(delta) {
      buffer += delta;
      return read(false);
    },
    flush: () => read(true),
  };
}

/**
 * Returns the length of the code, or of the backticks alone if the code has no end; undefined if this is not known yet.
 */
function lengthOfCode(rest: string, isFinal: boolean): number | undefined {
  // Only the beginning: with all of the rest, many pieces of code would take quadratic time.
  const text = rest.slice(0, maxCodeLength + 1);
  const isLong = text.length > maxCodeLength;
  const mark = /^`+/.exec(text)?.[0] ?? '';
  if (mark.length === text.length && !isLong && !isFinal) return undefined;
  const paragraph = text.search(/\n[ \t]*\n/);
  const scope = paragraph < 0 ? text : text.slice(0, paragraph);
  for (const { 0: run, index } of scope.slice(mark.length).matchAll(/`+/g)) {
    const end = mark.length + index + run.length;
    // More of the same may follow.
    if (end === text.length && isLong) break;
    if (end === text.length && !isFinal) return undefined;
    if (run.length === mark.length) return end;
  }
  const isOver = isFinal || paragraph >= 0 || isLong;
  return isOver ? mark.length : undefined;
}
