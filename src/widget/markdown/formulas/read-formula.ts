// Finds formulas in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. Prices, variables of a shell and escaped brackets look alike:
// whatever may be prose stays text.
export interface Formula {
  /** With its marks, as it was written. */
  raw: string;
  /** TeX. */
  source: string;
  /** On a line of its own. */
  isDisplay: boolean;
}

/** Characters of a formula; a longer one is text. */
const maxLength = 2_000;
/** Characters for which a `$` in growing text waits for the second one. */
const maxOpen = 200;

/**
 * Reads the formula that begins at `at`; undefined if none does. `open`: what begins there may become one, if the text grows.
 * @param isGrowing more text will follow.
 */
export function readFormula(text: string, at: number, isGrowing?: boolean): Formula | 'open' | undefined {
  const [mark] = /^(?:\$\$?|\\[[(])/.exec(text.slice(at, at + 2)) ?? [];
  if (!mark) return undefined;
  const isDollar = mark[0] === '$';
  // `US$`, `a$b`
  if (isDollar && /[a-z\d$]/i.test(text.charAt(at - 1))) return undefined;
  const start = at + mark.length;
  const isSingle = mark === '$';
  if (isSingle && /\s/.test(text.charAt(start))) return undefined;
  const closer = isDollar ? mark : mark === '\\[' ? '\\]' : '\\)';
  const end = findEnd(text, start, closer);
  if (end < 0) return undefined;
  const source = text.slice(start, end);
  const isDisplay = mark === '$$' || mark === '\\[';
  // Nobody writes prose after a mark that is alone on its line.
  const isAlone =
    isDisplay && /^[ \t]*\n/.test(source) && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 80), at));
  if (end + closer.length > text.length) {
    const isShort = !isSingle || source.length < maxOpen;
    return isGrowing && isShort && (isAlone || !isProse(source)) ? 'open' : undefined;
  }
  const after = text.charAt(end + closer.length);
  // The next character may be a digit: `$5/$10`.
  if (isSingle && isGrowing && !after) return isProse(source) ? undefined : 'open';
  if (isDollar && /[a-z\d$]/i.test(after)) return undefined;
  if (isSingle && /\s$/.test(source)) return undefined;
  // Escaped brackets of a number or of a link.
  if (mark === '\\[' && (after === '(' || /^\s*\d+\s*$/.test(source))) return undefined;
  if (!source.trim() || (!isAlone && isProse(`${source} `))) return undefined;
  return { raw: text.slice(at, end + closer.length), source: source.trim(), isDisplay };
}

/** The position of the closing mark; that of the end of the text if it may follow there; -1 if there is none. */
function findEnd(text: string, start: number, closer: string): number {
  const limit = Math.min(text.length, start + maxLength);
  let isBlank = false;
  for (let i = start; i < limit; i++) {
    const character = text.charAt(i);
    if (character === '\n') {
      if (isBlank || closer === '$') return -1;
      isBlank = true;
    } else if (character === closer[0] && text.slice(i, i + closer.length) === closer) return i;
    else if (character === '$') return i + 1 === text.length && closer === '$$' ? i : -1;
    else if (/\S/.test(character)) isBlank = false;
    if (character === '\\') i++;
  }
  return limit === text.length ? limit : -1;
}

/** A letter of a script in which no formula is written. */
const foreign = /(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Common})\p{L}/u;
/** A word with a space before and after it. */
const word = /(?:^|\s)(?=\p{L}*\p{Ll})\p{L}{2,}[.,;:!?)]?\s/u;

/** Whether the text between two marks is words, code or the name of a variable. A command of TeX, `^` and `_` are neither. */
const isProse = (source: string) =>
  source.includes('`') ||
  (!/\\[a-z]|[\^_]/i.test(source) &&
    (foreign.test(source) || word.test(source) || /^\p{L}{4,}\s*$/u.test(source)));

/**
 * Joins the lines of formulas that begin at the start of a line: a line in them may begin with a mark of Markdown. A blank line
 * ends a formula. While the text grows, a formula that has not ended is left out.
 */
export function joinFormulas(text: string, isGrowing?: boolean): string {
  if (!/\$\$|\\\[/.test(text) || /```|~~~|^[ \t]*>/m.test(text)) return text;
  let result = '';
  let end = 0;
  for (const { index, 0: line } of text.matchAll(/^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(?=\$\$|\\\[)/gm)) {
    const at = index + line.length;
    if (at < end) continue;
    const formula = readFormula(text, at, isGrowing);
    if (formula === 'open') return result + text.slice(end, index);
    if (!formula) continue;
    // A comment of TeX would hide the lines after it.
    const raw = formula.raw.replace(/(?<!\\)%.*\n/g, ' ').replace(/\n/g, ' ');
    result += text.slice(end, at) + raw;
    end = at + formula.raw.length;
  }
  return result + text.slice(end);
}

/** Replaces formulas by a filler of the same length, in which emphasis finds no marks. */
export function maskFormulas(text: string): string {
  let result = '';
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(/\\[^[(]|\\?[$([]/g)) {
    if (index < end || /^\\[^[(]|^[([]/.test(mark)) continue;
    const formula = readFormula(text, index);
    if (typeof formula !== 'object') continue;
    result += text.slice(end, index) + 'a'.repeat(formula.raw.length);
    end = index + formula.raw.length;
  }
  return result + text.slice(end);
}
