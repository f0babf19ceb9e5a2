// Prints tables, colors and sizes. Control characters in texts of the server never reach the terminal.
import { oneLine } from './errors.ts';
import type { Io, Output } from './io.ts';

const styles = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Styles a text, on a terminal only and not if NO_COLOR is set (no-color.org). */
export function paint(
  style: keyof typeof styles,
  text: string,
  to: Output,
  { env }: Pick<Io, 'env'>,
): string {
  const isPlain = !to.isTTY || !!env.NO_COLOR || env.TERM === 'dumb';
  const [on, off] = styles[style];
  return isPlain ? text : `\u001b[${on}m${text}\u001b[${off}m`;
}

/** Prints rows below their column heads, or `empty` if there are no rows. */
export function printTable(io: Io, heads: string[], rows: (string | undefined)[][], empty: string): void {
  const { stdout } = io;
  if (rows.length === 0) {
    stdout.write(`${empty}\n`);
    return;
  }
  const cells = [heads, ...rows].map((row) => row.map((cell) => oneLine(cell ?? '') || '-'));
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))));
  for (const [index, row] of cells.entries()) {
    const line = row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd();
    stdout.write(`${index === 0 ? paint('bold', line, stdout, io) : line}\n`);
  }
}

/** The option of commands that can print JSON. */
export const jsonOption = ['--json', 'Prints JSON.'] as const;

/** Prints a value as JSON. */
export function printJson({ stdout }: Io, value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Columns that a text takes, counted in characters instead of UTF-16 units. */
const widthOf = (text: string) => [...text].length;

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A number of bytes with its unit: `3.4 MB`. */
export function sizeOf(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
