// Measures text before Markdown is read from it: what would take marked seconds, or overflow its stack, is shown as the
// text it is. One linear pass each, and counts only: the same text is always judged the same way.

/** Longer blocks are text: a paragraph of ten pages is none, and one block is parsed in one go. */
const blockLength = 20_000;
/** Quotes and lists in quotes and lists; each level is read again by the level above it. */
const blockDepth = 12;
/** Columns of spaces before the last mark of a line: levels of nesting that only spaces tell. */
const markColumns = 48;
/** Columns of a table by its lines: the rows are filled up to the width of the header. */
const tableCells = 4_000;
/** Lines of a list or a quote: each that goes on without a mark is compared with all before it. */
const nestedLines = 800;
/** Spaces in a row, in which marked looks for the end of the line from each of them. */
const gap = / {500}|\t{100}/;
/** Lines that begin like a definition. */
const definitionLines = 200;

/** True when a block's structure (quotes, lists, tables) can be read in reasonable time. */
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

/** Marks that start something in a line of text, by how much text they may be compared with. */
const inlineWork = 1_500_000;
/** The longest word; marked looks for an @ to the end of it, from every mark in it. */
const wordWork = 500_000;
/** The longest address: marked takes its closing punctuation off one by one. */
const addressLength = 2_500;
/** How deep emphasis and links may be in one another. */
export const inlineDepth = 10;

/** True when the words of one paragraph, heading or cell can be read in reasonable time. */
export function isInlineReadable(text: string): boolean {
  const marks = text.match(/[*_~]+|`+|[[<\\]|!/g)?.length ?? 0;
  if (marks > 24 && (marks * text.length > inlineWork || marks > 1_200)) return false;
  let longest = '';
  for (const [word] of text.matchAll(/\S+/g)) if (word.length > longest.length) longest = word;
  if (longest.length > addressLength && /:\/\/|www\.|@/.test(longest)) return false;
  return marks <= 24 || longest.length * marks <= wordWork;
}
