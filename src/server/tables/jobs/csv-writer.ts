// Writes CSV (RFC 4180) for the export of tables, and marks texts that a spreadsheet would run as formulas.
import type { Cell } from '../../files/index.ts';

/** One row with its line end. Own code: a library would not be shorter than these two functions. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula, or that looks as if it were already marked
 * (OWASP, "CSV injection"). `unmarked` removes it.
 */
export function marked(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The text that was passed to `marked`. */
export function unmarked(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  return cell === '' || /[",;\t\r\n\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
