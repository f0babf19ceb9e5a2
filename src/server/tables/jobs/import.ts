// The rows of a file: CSV or JSON, packed or not, whatever its name says. It stores nothing.

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { limits } from '../../../protocol/limits.ts';
import type { TableSchema } from '../../../protocol/table.ts';
import { fromCell } from './cells.ts';
import { type Cell, CsvError, createCsvReader, unmarked } from './csv.ts';
import { createJsonReader, JsonError } from './json-reader.ts';

export type ImportedRow = Record<string, unknown>;

/** The file cannot be read; the message is for who sent it. */
export class ImportError extends Error {}

/** The rows, in the pieces in which they arrive; columns of a CSV file are those of its first line. Throws ImportError. */
export async function* importedRows(
  schema: TableSchema,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ImportedRow[]> {
  try {
    yield* readRows(schema, texts(unpacked(bytes)));
  } catch (error) {
    if (error instanceof CsvError || error instanceof JsonError) throw new ImportError(error.message);
    throw error;
  }
}

async function* readRows(schema: TableSchema, pieces: AsyncIterable<string>): AsyncGenerator<ImportedRow[]> {
  let reader: Reader | undefined;
  let before = '';
  for await (const piece of pieces) {
    before += piece;
    if (!reader && !/[^\s\ufeff]/.test(before)) continue;
    // A table of columns begins with a name; JSON of rows with a bracket.
    reader ??= /^[\s\ufeff]*[[{]/.test(before) ? jsonRows() : csvRows(schema);
    const rows = reader.push(before);
    before = '';
    if (rows.length > 0) yield rows;
  }
  if (!reader) throw new ImportError('The file is empty.');
  const rest = reader.end();
  if (rest.length > 0) yield rest;
}

interface Reader {
  push(piece: string): ImportedRow[];
  end(): ImportedRow[];
}

function jsonRows(): Reader {
  const reader = createJsonReader(limits.tables.importedRowBytes);
  return {
    push: reader.push,
    end() {
      reader.end();
      return [];
    },
  };
}

function csvRows(schema: TableSchema): Reader {
  const reader = createCsvReader(limits.tables.importedRowBytes);
  let names: string[] | undefined;
  const toRow = (cells: Cell[]): ImportedRow =>
    Object.fromEntries(
      (names ?? []).flatMap((name, index): [string, unknown][] => {
        const column = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
        const cell = cells[index] ?? null;
        if (!column) return cell === null ? [] : [[name, cell]];
        return [[name, fromCell(column, cell)]];
      }),
    );
  const rowsOf = (lines: Cell[][]): ImportedRow[] => {
    if (!names) {
      const [head, ...rest] = lines;
      if (!head) return [];
      names = head.map((cell) => unmarked(cell ?? '').trim());
      if (!names.some((name) => Object.hasOwn(schema.properties, name))) {
        throw new ImportError('The first line names no column of the table.');
      }
      return rest.map(toRow);
    }
    return lines.map(toRow);
  };
  return { push: (piece) => rowsOf(reader.push(piece)), end: () => rowsOf(reader.end()) };
}

async function* texts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    if (read > limits.tables.importBytes) {
      throw new ImportError(`The file has more than ${limits.tables.importBytes} bytes when it is unpacked.`);
    }
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/** The bytes without gzip around them, which the first two tell. */
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
    // Whoever reads no further lets go of the file.
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
    throw broken ? new ImportError('The file is not whole gzip.') : error;
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
