// Reads plain text and CSV. The file is never completely in memory.
import { beginningOf } from '../../api/message-text.ts';
import { readCsv } from '../csv-reader.ts';
import { xmlCharset } from '../text/charsets.ts';
import { decodeText } from '../text/decode.ts';
import type { Block } from './passages.ts';
import type { ReadOptions } from './reader-interface.ts';

/** The maximum number of characters of a line. Longer text continues in the next line, from the last space if it is not too early. */
const maxLineLength = 20_000;
/** The maximum number of characters of a paragraph; longer text continues in the next paragraph. */
const maxParagraphLength = 20_000;

/** Yields the lines of a text without line ends. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    rest += chunk;
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
    while (rest.length > maxLineLength) {
      const space = rest.lastIndexOf(' ', maxLineLength - 1);
      const line = space > maxLineLength / 2 ? rest.slice(0, space) : beginningOf(rest, maxLineLength);
      yield line;
      rest = rest.slice(line.length);
    }
  }
  yield rest.replace(/\r$/, '');
}

/** Yields the paragraphs, which are separated by blank lines. */
export async function* textBlocks(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<Block> {
  let text = '';
  for await (const line of linesOf(decodeText(bytes, { declaredIn: xmlCharset, ...options }))) {
    if (line.trim() === '' || text.length > maxParagraphLength) {
      yield { subtype: 'paragraph', text };
      text = '';
    }
    text += `${line}\n`;
  }
  yield { subtype: 'paragraph', text };
}

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
