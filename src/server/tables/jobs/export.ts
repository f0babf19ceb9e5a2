// Exports a table as CSV or JSON in chunks, compressed with gzip if requested.
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Row } from '../../../protocol/types/tables.ts';
import type { Database } from '../../storage/database.ts';
import type { OpenTable } from '../open-table.ts';
import { scanRows } from '../query/scan.ts';
import { byteOrderMark, csvLine, marked, toCell } from './csv.ts';
import { type JobContext, tableOf } from './job-context.ts';

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

/** The job that exports the rows of a table to a file of the bot. Returns false when it was stopped. */
export async function exportRows({ db, files, job, save, shouldContinue }: JobContext): Promise<boolean> {
  const options: ExportOptions & { last: number } = JSON.parse(job.input);
  const table = await db.read((tx) => tableOf(tx, job));
  let at = 0;
  let reported = 0;
  const { extension, contentType, bytes } = exportTable(db, table, options, (id) => {
    at = id;
  });
  /** Ends the file when the job is stopped, and stores the progress. */
  async function* withProgress(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      if (!(await shouldContinue())) throw new Stopped();
      const progress = Math.min(99, Math.floor((99 * at) / Math.max(1, options.last)));
      if (progress > reported) await db.write((tx) => save(tx, { progress }));
      reported = progress;
      yield chunk;
    }
    await db.write((tx) => save(tx, { status: 'finalizing', progress: 99 }));
  }
  try {
    // Named after the job, so that a job that is repeated after a restart writes the same file.
    const name = `tables/${table.record.name}/${job.id}.${extension}`;
    const outputFileId = await files.write(job.botId, name, contentType, withProgress());
    await db.write((tx) => save(tx, { outputFileId }));
    return true;
  } catch (error) {
    if (error instanceof Stopped) return false;
    throw error;
  }
}

class Stopped extends Error {}
