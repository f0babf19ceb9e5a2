// Completes the Markdown at the end of a streaming text, so that incomplete marks are never shown. It changes only the
// last line or paragraph, and only while the text streams: a finished text is rendered exactly as it is.
// Why not `remend`: it does not know the blocks of blocks.ts, and would complete code and tables in another way
// (decision 20).
import type { Block } from '../blocks.ts';
import { joinFormulas } from '../formulas/read-formula.ts';
import { completeInline } from './complete-inline.ts';

/** Returns the block with a completed end. */
export function completeMarkdown(block: Block): Block {
  const { kind, isCode } = block;
  // A lone surrogate: its other half is the next character.
  const text = block.text.replace(/[\ud800-\udbff]$/, '');
  if (kind === 'inline') return { ...block, text: completeInline(text) };
  if (isCode || kind === 'fence') return { ...block, text: completeBlock(text, true) };
  return { ...block, text: completeBlock(joinFormulas(text, true), false) };
}

function completeBlock(text: string, isCode: boolean): string {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const before = lines.length ? `${lines.join('\n')}\n` : '';
  // The line may be the end of a fence or of code; the content does not change.
  if (isCode) return before && /^\s*[`~]+\s*$/.test(last) ? before : text;
  // A lone mark at the start of a line may become a list, a heading, a rule, the underline of a heading…
  if (/^[ \t>]*(?:[-+*] +)*(?:[-+*=_~#\s]+|\d{1,9}[.)]?|[`~]{1,2}|>)[ \t]*$/.test(last)) {
    const quote = /^[ \t>]*/.exec(last)?.[0] ?? '';
    return quote.includes('>') && lines.length ? before + quote : before;
  }
  return completeTable(lines, last) ?? completeLastText(lines, last);
}

/** A table is shown from its header row on: the delimiter row below is completed, or added. */
function completeTable(lines: string[], last: string): string | undefined {
  const isDelimiter = /^[ \t]*[|:-][ \t|:-]*$/.test(last);
  const header = isDelimiter ? lines.at(-1) : last;
  const headLine = lines.at(isDelimiter ? -2 : -1);
  // Without a leading border, only the delimiter row shows that this is a table.
  const isHeader = isDelimiter ? header?.includes('|') : header && /^ {0,3}\|/.test(header);
  if (!header || !isHeader || headLine?.includes('|')) {
    return /^[ \t]*\|[ \t|]*$/.test(last) ? lines.join('\n') : undefined;
  }
  const cells = header
    .replace(/\\\|/g, '')
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length;
  const lastText = completeInline(header.slice(header.lastIndexOf('|') + 1));
  const row = isDelimiter ? header : header.slice(0, header.lastIndexOf('|') + 1) + lastText;
  const rest = isDelimiter ? lines.slice(0, -1) : lines;
  return [...rest, row, `|${'-|'.repeat(cells)}`].join('\n');
}

/** The marks at the start of a line: of quotes, lists, headings and tasks. */
const lineStart = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]+|>)*(?:#{1,6}[ \t]+)?/;

/** Completes the text of the last paragraph, heading, item or cell. */
function completeLastText(lines: string[], last: string): string {
  let start = lines.length;
  const startOf = (line: string) => lineStart.exec(line)?.[0].length ?? 0;
  let offset = startOf(last);
  const isCell = /^[ \t]*\|/.test(last);
  if (isCell) offset = last.lastIndexOf('|') + 1;
  else if (!/\S/.test(last.slice(0, offset))) {
    // The text continues the lines above it, up to a line with marks at its start.
    while (start > 0 && /\S/.test(lines[start - 1] ?? '')) {
      start--;
      offset = startOf(lines[start] ?? '');
      if (offset > 0 && /\S/.test((lines[start] ?? '').slice(0, offset))) break;
    }
    if (start < lines.length && /^[ \t]*#/.test(lines[start] ?? '')) {
      start = lines.length;
      offset = startOf(last);
    }
  }
  const tail = [...lines, last].slice(start).join('\n');
  const head = lines.slice(0, start).map((line) => `${line}\n`);
  const isItem = /(?:[-+*]|\d[.)])[ \t]+$/.test(tail.slice(0, offset));
  const lastText = tail.slice(offset);
  // The checkbox of a task is incomplete.
  if (isItem && /^\[[ xX]?\]?[ \t]*$/.test(lastText)) return head.join('') + tail.slice(0, offset);
  return head.join('') + tail.slice(0, offset) + completeInline(lastText);
}
