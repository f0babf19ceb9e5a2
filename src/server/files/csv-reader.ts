// Reads CSV (RFC 4180) from a stream of text, one row at a time, for the import of tables and the index of files.
import { pipeline, Readable } from 'node:stream';
import { type Options, CsvError as ParserError, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';

/** Null for an empty cell; a quoted empty text (`""`) is the empty string. */
export type Cell = string | null;

/** The file is not valid CSV. The message names the line. */
export class CsvError extends Error {
  override name = 'CsvError';
}

export interface CsvOptions {
  /**
   * The maximum number of bytes of a row (UTF-8). Otherwise an open quote would collect the rest of the file in memory.
   */
  maxRowBytes: number;
  /** Instead of throwing CsvError, closes an open quote at the end of the file, and stops at a row that is too long. */
  isLenient?: boolean;
}

/**
 * Yields the rows of a CSV file with any line ends, with or without a byte order mark. Skips empty lines. The delimiter
 * is the comma, semicolon or tab that occurs most often in the first row. Throws CsvError.
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  { maxRowBytes, isLenient = false }: CsvOptions,
): AsyncGenerator<Cell[]> {
  const chunks = text[Symbol.asyncIterator]();
  try {
    const { head, delimiter } = await readHead(chunks, maxRowBytes);
    const rules: Options = {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxRowBytes,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_error: isLenient,
    };
    const parser = parse({ ...rules, bom: true, raw: true });
    // Errors are thrown by the iteration.
    pipeline(Readable.from(chain(head, chunks, isLenient ? closing : '')), parser, () => {});
    for await (const { record, raw } of parser as AsyncIterable<{ record: string[]; raw: string }>) {
      yield record.includes('') ? withNulls(record, raw, rules) : record;
    }
  } catch (error) {
    if (!(error instanceof ParserError)) throw error;
    const problem = {
      CSV_QUOTE_NOT_CLOSED: 'a quote is not closed.',
      CSV_MAX_RECORD_SIZE: `a row is longer than ${maxRowBytes} bytes. Is a quote not closed?`,
    }[String(error.code)];
    throw new CsvError(`Line ${error.lines}: ${problem ?? error.message}`);
  } finally {
    await chunks.return?.();
  }
}

/**
 * Returns the row with null for cells that are empty and not quoted. `cast` can distinguish them from quoted ones but
 * makes parsing five times slower, so only rows that contain both are parsed again with it.
 */
function withNulls(record: string[], raw: string, rules: Options): Cell[] {
  if (!raw.includes('""')) return record.map((cell) => (cell === '' ? null : cell));
  const cast: Options['cast'] = (value, { quoting }) => (value === '' && !quoting ? null : value);
  const [cells = record]: Cell[][] = parseText(raw, { ...rules, cast });
  return cells;
}

/** Closes an open quote. If none is open, it opens one in a separate row, which is then skipped as an error. */
const closing = '\n"';

async function* chain(head: string, rest: AsyncIterator<string>, tail: string): AsyncGenerator<string> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  yield tail;
}

/** Returns the beginning of the text with at least its first row, and the delimiter of that row. */
async function readHead(chunks: AsyncIterator<string>, maxRowBytes: number) {
  const head: string[] = [];
  let length = 0;
  const finder = createDelimiterFinder();
  for (;;) {
    const { value = '', done } = await chunks.next();
    head.push(value);
    length += value.length;
    const delimiter = finder.read(value) ?? (done || length > maxRowBytes ? finder.best() : undefined);
    if (delimiter) return { head: head.join(''), delimiter };
  }
}

const delimiters = [',', ';', '\t'];

/**
 * Finds the delimiter that occurs most often in the first row outside of quotes, in one pass over its pieces.
 * `delimiter_auto` of csv-parse is not used, because it throws on characters that are not ASCII.
 */
function createDelimiterFinder() {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let isStart = true;
  let isQuoted = false;
  let before = '';
  const countOf = (delimiter: string) => counts.get(delimiter) ?? 0;
  /** The delimiter with the highest count, the first one of equals. */
  const best = () => delimiters.reduce((first, one) => (countOf(one) > countOf(first) ? one : first));
  return {
    best,
    /** Returns the delimiter when the row ends in this piece. */
    read(piece: string): string | undefined {
      for (const char of piece) {
        if (isStart && /[\ufeff\r\n]/.test(char)) continue;
        isStart = false;
        if (isQuoted) {
          isQuoted = char !== '"';
        } else if (char === '"') {
          // Also the second half of a doubled quote.
          isQuoted = before === '' || before === '"' || counts.has(before);
        } else if (char === '\n' || char === '\r') {
          return best();
        } else if (counts.has(char)) {
          counts.set(char, countOf(char) + 1);
        }
        before = char;
      }
      return undefined;
    },
  };
}
