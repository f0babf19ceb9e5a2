// Reads CSV files for the index: one block of text for each row, with the names of the columns.
import { readCsv } from '../csv-reader.ts';
import { decodeText } from '../text/decode.ts';
import type { Block } from './passages.ts';
import type { ReadOptions } from './read-options.ts';

/** The maximum number of indexed characters of a value, and of indexed columns of a row. */
const maxValueLength = 10_000;
const maxColumns = 1_000;
/** Invalid files are indexed up to the point where they can be read. */
const rules = { maxRowBytes: maxValueLength * maxColumns, isLenient: true };

/** Yields a block for each row, such as `Name: Ada; Age: 36`. The first row contains the names. */
export async function* csvBlocks(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<Block> {
  let names: string[] | undefined;
  for await (const row of readCsv(decodeText(bytes, options), rules)) {
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
