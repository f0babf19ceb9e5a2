// Converts values of columns to cells of a CSV file, and back. Texts that a spreadsheet would execute are marked.
import type { Column } from '../../../protocol/table.ts';
import type { Cell } from '../../files/index.ts';
import { parseExact, readNumber } from '../exact-json.ts';
import { marked, unmarked } from './csv-writer.ts';

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
