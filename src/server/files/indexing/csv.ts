// Reads CSV files for the index: one block of text for each row, with the names of the columns.
import { readCsv } from '../csv-reader.ts';
import type { Block } from './passages.ts';
import { textOf } from './text.ts';

/** Characters of one value and columns of one row that are indexed. */
const maxValueLength = 10_000;
const maxColumns = 1_000;
/** Broken files are indexed as far as they can be read. */
const options = { maxRowBytes: maxValueLength * maxColumns, isLenient: true };

/** A block for each row: `Name: Ada; Age: 36`. The first row has the names. */
export async function* csvBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  let names: string[] | undefined;
  for await (const row of readCsv(textOf(bytes), options)) {
    const values = row.slice(0, maxColumns).map((cell) => (cell ?? '').slice(0, maxValueLength).trim());
    if (values.every((value) => value === '')) continue;
    if (names) yield { subtype: 'table', text: textOfRow(names, values) };
    else names = values;
  }
}

function textOfRow(names: string[], values: string[]): string {
  return values
    .map((value, index) => (value && names[index] ? `${names[index]}: ${value}` : value))
    .filter(Boolean)
    .join('; ');
}
