// Reads a table by rows: of a growing one only new rows are parsed and sanitized, and a long one is drawn in parts. Only a
// text that is a table and nothing else is read so; the parser decides that, not this file.
import type { Block } from '../blocks.ts';
import { isBlockReadable } from './limits.ts';
import { keyOf, type References, tableToRows } from './parse.ts';

/** A table as it was parsed. */
export interface Table {
  /** The lines of its source: the header, the line below it, and one for each row. */
  lines: readonly string[];
  /** The HTML of its header. */
  head: string;
  /** The HTML of each row. */
  rows: readonly string[];
  /** The definitions it was parsed with, as text; empty if it has no reference. */
  references: string;
}

/** Rows that are drawn at once: 12 rows of 3 cells take a phone about 30 ms, and its layout as long. */
const rowsPerTask = 12;

/** The line below a header: it has at least one `|`, so that it is not the underline of a heading. */
const delimiter = /^ {0,3}(?=.*\|)[|:-][ \t|:-]*$/;

/** Parses a table; `old` is its last result. Undefined if the text is something else. Throws nothing. */
export function readTable(text: string, old: Table | undefined, references: References): Table | undefined {
  const lines = text.split('\n');
  if (!isTable(text, lines)) return undefined;
  const key = text.includes('[') ? keyOf(references) : '';
  let same = 0;
  if (old?.references === key) while (same < lines.length && lines[same] === old.lines[same]) same++;
  if (old && same === lines.length && same === old.lines.length) return old;
  // Not the last line that is the same: it may have a different meaning if lines follow it.
  const start = Math.max(2, same - 1);
  const fresh = tableToRows([...lines.slice(0, 2), ...lines.slice(start)].join('\n'), references);
  if (fresh?.rows.length !== lines.length - start) return undefined;
  const unchanged = old && start > 2 ? old.rows.slice(0, start - 2) : [];
  return { lines, head: fresh.head, rows: [...unchanged, ...fresh.rows], references: key };
}

/** The HTML of the whole table. */
export const tableHtml = ({ head, rows }: Pick<Table, 'head' | 'rows'>): string =>
  `<table>\n<thead>\n${head}</thead>\n<tbody>${rows.join('')}</tbody></table>\n`;

/**
 * A long table up to as many rows as are drawn at once after those of `shown`, the block in its place; undefined if that
 * is all of it, or if the parser has found that it is something else.
 */
export function beginningOfTable(
  block: Block,
  shown: (Block & { table: Table | undefined }) | undefined,
): Block | undefined {
  const lines = block.text.split('\n');
  const count = (shown?.table?.lines.length ?? 2) + rowsPerTask;
  if (lines.length <= count || !isTable(block.text, lines)) return undefined;
  const text = lines.slice(0, count).join('\n');
  return shown && !shown.table && shown.text.length >= text.length ? undefined : { ...block, text };
}

/** Whether a text begins as a table. A definition in it would change the other rows. */
const isTable = (text: string, lines: readonly string[]) =>
  lines.length > 2 && delimiter.test(lines[1] ?? '') && !text.includes(']:') && isBlockReadable(text);
