// Writes CSV (RFC 4180) for the export of tables, and marks texts that a spreadsheet would run as formulas.
import type { Cell } from '../../files/index.ts';

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
