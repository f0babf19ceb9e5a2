// The handler of each type of job. Handlers work in pieces. A piece is one transaction, which also stores the progress
// of the job.
import { limits } from '../../../protocol/limits.ts';
import type { RowFilter } from '../../../protocol/table.ts';
import type { TableJobType } from '../../../protocol/types/tables.ts';
import { createYielder } from '../../api/yielder.ts';
import { createPieces } from '../../jobs/pieces.ts';
import { JobError } from '../../jobs/runner.ts';
import type { WriteTx } from '../../storage/database.ts';
import { redactResponses, rowsOf } from '../../storage/idempotency.ts';
import type { TableJobRow } from '../../storage/tables/jobs.ts';
import {
  deleteRow,
  findRow,
  findRowByKey,
  insertRow,
  rowsInOrder,
  type StoredRow,
  updateRow,
} from '../../storage/tables/rows.ts';
import { tableOfId } from '../../storage/tables/tables.ts';
import { readStates, statesText } from '../computed/cells.ts';
import { definitionsOf } from '../computed/definitions.ts';
import { markRow } from '../computed/marking.ts';
import { dataOf, keyValueOf, openTable, valuesOf } from '../open-table.ts';
import { fits, readFilter } from '../query/filter.ts';
import { createRows } from '../rows.ts';
import { serializeRow } from '../serializers.ts';
import { exportRows } from './export.ts';
import { type ImportedRow, importedRows } from './import.ts';
import { type JobContext, tableOf } from './job-context.ts';

/** The number of rows in one piece at most, and in one that is read from a file. */
const maxPiece = 200;
const maxImportPiece = 500;

/** Continues a job from its progress. Returns false when it was stopped. */
type JobHandler = (context: JobContext) => Promise<boolean>;

export const jobHandlers: Record<TableJobType, JobHandler> = {
  delete_rows: deleteRows,
  clear_column: rewriteRows,
  // Nothing to clear, because the search uses tokens instead of vectors.
  clear_vectors: async () => true,
  duplicate_table: duplicateRows,
  import: importRows,
  export: exportRows,
};

/** Deletes the matching rows that existed when the job was added. */
async function deleteRows(context: JobContext): Promise<boolean> {
  const {
    filter: sent,
    storeId,
    last,
  }: { filter: RowFilter; storeId: string; last: number } = JSON.parse(context.job.input);
  const yielder = createYielder();
  return inPieces(context, storeId, last, async (rows, write, finish) => {
    const table = await context.db.read((tx) => tableOf(tx, context.job));
    const filter = readFilter(table.schema, sent);
    const matching: StoredRow[] = [];
    for (const stored of rows) {
      if (fits(filter, serializeRow(table, stored))) matching.push(stored);
      if (yielder.shouldYield()) await yielder.yieldToEventLoop();
    }
    await write(async (tx) => {
      await tx.lock(`table:${context.job.tableId}`);
      if (matching.length > 0) await redactResponses(tx, rowsOf(context.job.tableId));
      for (const seen of matching) {
        // The row may have changed since it was read.
        const stored = await findRow(tx, storeId, seen.id);
        const still = stored && (stored.data === seen.data || fits(filter, serializeRow(table, stored)));
        if (still) await deleteRow(tx, storeId, seen.id);
      }
      await finish(tx);
    });
  });
}

/** Stores rows again without the values of columns that were removed. */
async function rewriteRows(context: JobContext): Promise<boolean> {
  const { storeId, last }: { storeId: string; last: number } = JSON.parse(context.job.input);
  return inPieces(context, storeId, last, (rows, write, finish) =>
    write(async (tx) => {
      await tx.lock(`table:${context.job.tableId}`);
      const table = await tableOf(tx, context.job);
      for (const { id } of rows) {
        const stored = await findRow(tx, storeId, id);
        if (!stored) continue;
        const values = valuesOf(table, stored);
        const computed = statesText(readStates(stored.computed), definitionsOf(table));
        const row = { ...stored, data: dataOf(table, values), computed };
        await updateRow(tx, storeId, row, keyValueOf(table, values));
      }
      await finish(tx);
    }),
  );
}

/** Copies the rows that existed when the job was added and still exist. */
async function duplicateRows(context: JobContext): Promise<boolean> {
  const { storeId, last, keys }: { storeId: string; last: number; keys: string[] } = JSON.parse(
    context.job.input,
  );
  return inPieces(context, storeId, last, (rows, write, finish) =>
    write(async (tx) => {
      await tx.lock(`table:${context.job.targetId}`);
      const record = await tableOfId(tx, context.job.targetId ?? '');
      if (!record) throw new JobError('The table to be filled was deleted.');
      const target = openTable(record);
      const warnings: string[] = JSON.parse(context.job.warnings);
      for (const stored of rows) {
        // Only columns that both tables had from the beginning are stored under the same keys.
        const whole: Record<string, unknown> = JSON.parse(stored.data);
        const data = JSON.stringify(
          Object.fromEntries(Object.entries(whole).filter(([key]) => keys.includes(key))),
        );
        const values = valuesOf(target, { data });
        const keyValue = keyValueOf(target, values);
        if (keyValue !== null && (await findRowByKey(tx, record.storeId, keyValue))) {
          warnings.push(`Row ${stored.id} was not copied: its ${record.keyColumn} is already in the table.`);
          continue;
        }
        const states = readStates(stored.computed);
        const computed = statesText(states, definitionsOf(target));
        await insertRow(tx, record.storeId, { ...stored, data: dataOf(target, values), computed }, keyValue);
        await markRow(tx, target, stored.id, states, context.now());
      }
      await finish(tx, { warnings: JSON.stringify(warnings.slice(0, limits.tables.jobWarnings)) });
    }),
  );
}

/**
 * Reads the rows of a store id in the order of ids, up to `last`. `handle` ends a piece with `finish`, in its transaction,
 * which is that of `write`.
 */
async function inPieces(
  { db, job, save, shouldContinue }: JobContext,
  storeId: string,
  last: number,
  handle: (
    rows: StoredRow[],
    write: (work: (tx: WriteTx) => Promise<void>) => Promise<void>,
    finish: (tx: WriteTx, changes?: Partial<TableJobRow>) => Promise<void>,
  ) => Promise<void>,
): Promise<boolean> {
  const pieces = createPieces(db, maxPiece);
  for (let after: number = JSON.parse(job.done).after ?? 0; after < last; ) {
    if (!(await shouldContinue())) return false;
    const rows = (await db.read((tx) => rowsInOrder(tx, storeId, after, 'asc', pieces.size))).filter(
      ({ id }) => id <= last,
    );
    const end = rows.at(-1);
    if (!end) return true;
    const progress = Math.floor((99 * end.id) / last);
    await handle(
      rows,
      (work) => pieces.write(rows.length, work),
      (tx, changes) => save(tx, { ...changes, done: JSON.stringify({ after: end.id }), progress }),
    );
    after = end.id;
  }
  return true;
}

async function importRows({ db, files, job, save, shouldContinue, now }: JobContext): Promise<boolean> {
  const file = await files.find(job.botId, job.inputFileId ?? '');
  if (!file) throw new JobError('The file was deleted.');
  let bytes = 0;
  async function* counted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  /** The number of rows that were already stored or rejected. */
  const { rows: done = 0, contentId }: { rows?: number; contentId?: string } = JSON.parse(job.done);
  // Its first rows would be taken for those that are stored.
  if (contentId !== undefined && contentId !== file.contentId)
    throw new JobError('The file was replaced while it was imported.');
  let read = 0;
  const pieces = createPieces(db, maxImportPiece);
  const { schema } = await db.read((tx) => tableOf(tx, job));
  /** Problems of the declaration of the charset, and texts that numbers shorten. */
  const problems: string[] = [];
  const warn = (problem: string) => {
    if (problems.length < limits.tables.jobWarnings) problems.push(problem);
  };
  const options = { charset: file.charset, warn };
  for await (const rows of importedRows(schema, counted(await file.open()), options)) {
    let start = Math.min(rows.length, Math.max(0, done - read));
    read += start;
    while (start < rows.length) {
      if (!(await shouldContinue())) return false;
      const piece = rows.slice(start, start + pieces.size);
      const number = read + 1;
      start += piece.length;
      read += piece.length;
      const progress = Math.min(99, Math.floor((99 * bytes) / Math.max(1, file.size)));
      await pieces.write(piece.length, async (tx) => {
        await tx.lock(`table:${job.tableId}`);
        const warnings = await store(tx, piece, number);
        await save(tx, {
          done: JSON.stringify({ rows: read, contentId: file.contentId }),
          progress,
          warnings: JSON.stringify(warnings),
        });
      });
    }
  }
  return true;

  async function store(tx: WriteTx, rows: ImportedRow[], number: number): Promise<string[]> {
    const table = await tableOf(tx, job);
    const earlierWarnings: string[] = JSON.parse(job.warnings);
    const { errors = [], warnings = [] } = await createRows(tx, table, rows, { now: now(), by: 'import' });
    // Rows of a file are numbered from 1, across batches.
    const numbered = [...warnings, ...errors].map((text) =>
      text.replace(/^Row (\d+)/, (_, index) => `Row ${number + Number(index)}`),
    );
    const lost = rows.flatMap((row, index) => lossesOf(row, number + index));
    return [...new Set([...earlierWarnings, ...problems, ...numbered, ...lost])].slice(
      0,
      limits.tables.jobWarnings,
    );
  }
}

/** Returns a sentence if values of a row have characters that could not be read. */
function lossesOf(row: ImportedRow, number: number): string[] {
  const columns = Object.keys(row).filter((name) => hasLoss(row[name]));
  if (columns.length === 0) return [];
  return [
    `Row ${number}: ${columns.join(', ')} has characters that could not be read; they are stored as \ufffd.`,
  ];
}

const hasLoss = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\ufffd')
    : typeof value === 'object' && value !== null && JSON.stringify(value).includes('\ufffd');
