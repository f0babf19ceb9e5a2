// CSV of tables (RFC 4180): converts values to cells and back. Texts that a spreadsheet would run as formulas are marked.
import type { Column } from '../../../protocol/table.ts';
import type { Cell } from '../../files/index.ts';
import { parseExact, readNumber } from '../exact-json.ts';

/** The beginning of a file, without which spreadsheets read UTF-8 as the code page of the system. */
export const byteOrderMark = '\ufeff';

/** Formats one row with its line end. A library would not make this code shorter. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/**
 * Prepends an apostrophe to a text that a spreadsheet would execute as a formula, or that begins like a marked text
 * (OWASP, "CSV injection"), also in the wide form of Japanese keyboards. `unmarked` removes it.
 */
export function marked(text: string): string {
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** Returns the text that was passed to `marked`. */
export function unmarked(text: string): string {
  return /^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  return cell === '' || /[",;\t\r\n\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Null becomes an empty cell; objects and lists become JSON. */
export function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return marked(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Returns the value of a cell in a column of this type. Invalid texts are kept as texts, which the validation of the
 * row rejects.
 */
export function fromCell({ type }: Pick<Column, 'type'>, cell: Cell): unknown {
  if (cell === null || (cell === '' && type !== 'string')) return null;
  return type === 'string' ? unmarked(cell) : (readers[type]?.(cell.trim()) ?? cell);
}

const readers: Partial<Record<Column['type'], (text: string) => unknown>> = {
  number: (text) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,20})?$/i.test(text) ? readNumber(text) : undefined),
  boolean: (text) => ({ true: true, false: false })[text.toLowerCase()],
  object: readJson,
  array: readJson,
};

function readJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
