// Limits for Markdown text before it is parsed: text that would take marked seconds, or overflow its stack, is shown as
// plain text. The checks take one linear pass and use only counts, so that the same text always has the same result.

/** Longer blocks are shown as text: a paragraph is not ten pages long, and one block is parsed without a pause. */
const blockLength = 20_000;
/** Depth of nested quotes and lists; each level is parsed again by the level above it. */
const blockDepth = 12;
/** Columns of spaces before the last mark of a line: nested levels that are marked only by spaces. */
const markColumns = 48;
/** Columns of a table multiplied by its lines: the rows are padded to the width of the header. */
const tableCells = 4_000;
/** Lines of a list or a quote: each line that continues without a mark is compared with all lines before it. */
const nestedLines = 800;
/** Consecutive spaces: from each of them, marked searches for the end of the line. */
const gap = / {500}|\t{100}/;
/** Lines that look like the start of a link definition. */
const definitionLines = 200;

/** True if a block's structure (quotes, lists, tables) can be parsed in reasonable time. */
export function isBlockReadable(text: string): boolean {
  if (text.length > blockLength || gap.test(text)) return false;
  const lines = text.split('\n');
  let isNested = false;
  let definitions = 0;
  for (const line of lines) {
    const [prefix = ''] = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))*/.exec(line) ?? [];
    const marks = prefix.match(/[>*+-]|\d[.)]/g)?.length ?? 0;
    const spaces = prefix.match(/\s/g)?.length ?? 0;
    if (marks > blockDepth || spaces > markColumns) return false;
    isNested ||= marks > 0;
    if (/^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\||$)/.test(line)) {
      if (line.split('|').length * lines.length > tableCells) return false;
    }
    if (/^ {0,3}\[/.test(line) && line.includes(']:') && ++definitions > definitionLines) return false;
  }
  return !isNested || lines.length <= nestedLines;
}

/** Inline marks multiplied by the length of the text with which each may be compared. */
const inlineWork = 1_500_000;
/** Marks multiplied by the length of the longest word: from each mark, marked searches an @ in the rest of the word. */
const wordWork = 500_000;
/** The longest address: marked removes its closing punctuation character by character. */
const addressLength = 2_500;
/** Depth of nested emphasis and links. */
export const inlineDepth = 10;

/** True if the text of one paragraph, heading or cell can be parsed in reasonable time. */
export function isInlineReadable(text: string): boolean {
  const marks = text.match(/[*_~]+|`+|[[<\\]|!/g)?.length ?? 0;
  if (marks > 24 && (marks * text.length > inlineWork || marks > 1_200)) return false;
  let longest = '';
  for (const [word] of text.matchAll(/\S+/g)) if (word.length > longest.length) longest = word;
  if (longest.length > addressLength && /:\/\/|www\.|@/.test(longest)) return false;
  return marks <= 24 || longest.length * marks <= wordWork;
}
