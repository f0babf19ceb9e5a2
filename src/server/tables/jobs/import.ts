// Reads the rows of an imported file: CSV or JSON, compressed or not. The content determines the format.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { limits } from '../../../protocol/limits.ts';
import type { TableSchema } from '../../../protocol/types/tables.ts';
import { type Cell, CsvError, type DecodeOptions, decodeText, readCsv } from '../../files/index.ts';
import { JobError } from '../../jobs/runner.ts';
import { fromCell, unmarked } from './csv.ts';
import { createJsonReader, JsonError } from './json-reader.ts';

export type ImportedRow = Record<string, unknown>;

/** The file cannot be imported; the message is for the user who uploaded it. */
export class ImportError extends JobError {}

/**
 * Yields the rows in batches. The first row of a CSV file contains the names of the columns. `options`: the charset that was
 * declared, and a function that is called with a warning for a wrong declaration, and for texts that become shorter as numbers. Throws ImportError.
 */
export async function* importedRows(
  schema: TableSchema,
  bytes: AsyncIterable<Uint8Array>,
  options: Pick<DecodeOptions, 'charset' | 'warn'> = {},
): AsyncGenerator<ImportedRow[]> {
  try {
    const text = decodeText(limited(unpacked(bytes)), { ...options, warnsOfLosses: false });
    yield* readRows(schema, text, options.warn);
  } catch (error) {
    if (error instanceof CsvError || error instanceof JsonError) throw new ImportError(error.message);
    throw error;
  }
}

async function* readRows(
  schema: TableSchema,
  text: AsyncGenerator<string>,
  warn: DecodeOptions['warn'],
): AsyncGenerator<ImportedRow[]> {
  try {
    let head = '';
    for (;;) {
      const { value, done } = await text.next();
      if (done) throw new ImportError('The file is empty.');
      head += value;
      if (/[^\s\ufeff]/.test(value)) break;
      if (head.length > limits.tables.importedRowBytes)
        throw new ImportError('The file begins with too many blank characters.');
    }
    const whole = chain(head, text);
    // JSON begins with a bracket or a brace, CSV begins with the name of a column.
    yield* /^[\s\ufeff]*[[{]/.test(head) ? jsonRows(whole) : csvRows(schema, whole, warn);
  } finally {
    // Closes the file when the reader stops early.
    await text.return(undefined);
  }
}

async function* chain(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield head;
  yield* rest;
}

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<ImportedRow[]> {
  const reader = createJsonReader(limits.tables.importedRowBytes);
  for await (const piece of text) {
    const rows = reader.push(piece);
    if (rows.length > 0) yield rows;
  }
  reader.end();
}

/** The maximum rows and characters of a batch of a CSV file. A batch ends when it reaches one of them. */
const batchRows = 500;
const batchCharacters = 1_000_000;

async function* csvRows(
  schema: TableSchema,
  text: AsyncIterable<string>,
  warn: DecodeOptions['warn'],
): AsyncGenerator<ImportedRow[]> {
  let count = 0;
  let names: string[] | undefined;
  let rows: ImportedRow[] = [];
  let characters = 0;
  for await (const cells of readCsv(text, { maxRowBytes: limits.tables.importedRowBytes })) {
    if (!names) {
      names = cells.map((cell) => unmarked(cell ?? '').trim());
      if (!names.some((name) => Object.hasOwn(schema.properties, name))) {
        throw new ImportError('The first line names no column of the table.');
      }
      continue;
    }
    count += 1;
    for (const change of changesOf(schema, names, cells)) warn?.(`Row ${count}: ${change}`);
    rows.push(serializeRow(schema, names, cells));
    characters += cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    if (rows.length < batchRows && characters < batchCharacters) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}

function serializeRow(schema: TableSchema, names: string[], cells: Cell[]): ImportedRow {
  return Object.fromEntries(
    names.flatMap((name, index): [string, unknown][] => {
      const column = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      const cell = cells[index] ?? null;
      if (!column) return cell === null ? [] : [[name, cell]];
      return [[name, fromCell(column, cell)]];
    }),
  );
}

/** Returns a sentence for each cell whose number leaves out signs of its text, such as those of "00123" and "+49170". */
function changesOf(schema: TableSchema, names: string[], cells: Cell[]): string[] {
  return names.flatMap((name, index) => {
    const cell = cells[index]?.trim() ?? '';
    if (!/^(?:\+|-?0\d)/.test(cell)) return [];
    const column = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const value = column?.type === 'number' ? fromCell(column, cell) : undefined;
    if (typeof value !== 'number') return [];
    return [
      `${name}: ${cell.slice(0, 60)} is stored as the number ${value}; a column of texts keeps all signs.`,
    ];
  });
}

/** Throws ImportError for more bytes than a table may import. */
async function* limited(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    if (read > limits.tables.importBytes) {
      throw new ImportError(`The file has more than ${limits.tables.importBytes} bytes when it is unpacked.`);
    }
    yield chunk;
  }
}

/** Yields the bytes, decompressed if the first two are those of gzip. */
async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    const head: Uint8Array[] = [];
    while (head.reduce((size, chunk) => size + chunk.length, 0) < 2) {
      const { value, done } = await chunks.next();
      if (done) break;
      head.push(value);
    }
    const [first, second] = Buffer.concat(head);
    const whole = joined(head, chunks);
    if (first === 0x1f && second === 0x8b) yield* gunzipped(whole);
    else yield* whole;
  } finally {
    // Closes the file when the reader stops early.
    await chunks.return?.();
  }
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes);
  const unpacking = createGunzip();
  source.on('error', (error) => unpacking.destroy(error));
  try {
    yield* source.pipe(unpacking);
  } catch (error) {
    const broken = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw broken ? new ImportError('The gzip data is incomplete.') : error;
  } finally {
    source.destroy();
  }
}

async function* joined(head: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}
