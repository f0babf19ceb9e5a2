// Exports a table as CSV or JSON in chunks, compressed with gzip if requested.
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Row } from '../../../protocol/types/tables.ts';
import type { Database } from '../../storage/database.ts';
import type { OpenTable } from '../open-table.ts';
import { scanRows } from '../query/scan.ts';
import { toCell } from './cells.ts';
import { byteOrderMark, csvLine, marked } from './csv-writer.ts';

export interface ExportOptions {
  format: 'csv' | 'json';
  compress: boolean;
}

export interface Exported {
  /** The extension of the file name. */
  extension: string;
  contentType: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** `onRow` is called with the id of the last row that was read. */
export function exportTable(
  db: Database,
  table: OpenTable,
  { format, compress }: ExportOptions,
  onRow: (id: number) => void,
): Exported {
  const { pieces, contentType } = formats[format];
  const text = grouped(pieces(Object.keys(table.schema.properties), rows(db, table, onRow)));
  const bytes = Readable.from(text, { objectMode: false });
  if (!compress) return { extension: format, contentType, bytes };
  const packed = createGzip();
  // An error of the source must end the compression, too.
  bytes.on('error', (error) => packed.destroy(error));
  packed.on('close', () => bytes.destroy());
  return { extension: `${format}.gz`, contentType: 'application/gzip', bytes: bytes.pipe(packed) };
}

type Pieces = (columns: string[], rows: AsyncIterable<Row[]>) => AsyncIterable<string>;

const formats: Record<ExportOptions['format'], { contentType: string; pieces: Pieces }> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    async *pieces(columns, rows) {
      yield byteOrderMark + csvLine(['id', ...columns.map(marked), 'createdAt', 'updatedAt']);
      for await (const piece of rows) {
        const lines = piece.map((row) =>
          csvLine([
            String(row.id),
            ...columns.map((name) => toCell(row[name])),
            row.createdAt,
            row.updatedAt,
          ]),
        );
        yield lines.join('');
      }
    },
  },
  json: {
    contentType: 'application/json',
    async *pieces(_, rows) {
      let before = '[\n';
      for await (const piece of rows) {
        yield before + piece.map(({ computed, ...row }) => JSON.stringify(row)).join(',\n');
        before = ',\n';
      }
      yield before === '[\n' ? '[]\n' : '\n]\n';
    },
  },
};

async function* rows(db: Database, table: OpenTable, onRow: (id: number) => void): AsyncGenerator<Row[]> {
  // Each batch of rows is a separate read, so that no transaction is open while a slow disk is written to.
  for await (const piece of scanRows(db.read, table, 'asc')) {
    onRow(piece.at(-1)?.id ?? 0);
    yield piece;
  }
}

/** The number of characters that are written at a time. */
const pieceLength = 64_000;

async function* grouped(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < pieceLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
