// Runs the work of computed columns in the background: sweeps that look for stale rows, formulas, and requests to the
// language model. The state is in the database; nothing is marked as running, so a crash leaves nothing to repair.
import type { Logger } from 'pino';
import { createPieces } from '../../jobs/pieces.ts';
import { createJobRunner, type Job } from '../../jobs/runner.ts';
import { createScheduledWorker } from '../../jobs/scheduled-worker.ts';
import type { Database, Tx, WriteTx } from '../../storage/database.ts';
import {
  addTableWork,
  type ComputedTableRow,
  deleteTableWork,
  dueRows,
  findStaleRow,
  findTableWork,
  nextBotWithTableWork,
  nextDueRow,
  nextTableWorkDue,
  putStaleRow,
  type QueueKind,
  releaseTables,
  tableWorkOf,
  updateTableWork,
  type WorkKind,
} from '../../storage/tables/computed.ts';
import { rowsInOrder } from '../../storage/tables/rows.ts';
import type { OpenTable } from '../open-table.ts';
import { readStates } from './cells.ts';
import { definitionsOf } from './definitions.ts';
import { workOf } from './marking.ts';
import type { Model } from './model.ts';
import { enabledTable } from './open-row.ts';
import { computeFormulas, computeWithModel, type RowContext, TableHeld } from './row.ts';
import type { ComputedSettings } from './settings.ts';

export interface ComputedOptions {
  db: Database;
  logger: Logger;
  now(): number;
  /** Without a model, the cells that need one say so. */
  model: Model | undefined;
  settings: ComputedSettings;
  /** Called after each step of a table. */
  onProgress(tableId: string): void;
}

export interface ComputedColumns {
  /** Must be called after a commit that makes rows stale. */
  wake(): void;
  start(): Promise<void>;
  /** Resolves when nothing is running or due. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** One runner for each, so that none waits for another one. */
const kinds: readonly QueueKind[] = ['sweep', 'formula', 'model'];
/** The number of rows in one step at most, and of requests to the model that one table makes at a time. */
const sweepRows = 500;
const formulaRows = 50;
const modelRows = 4;
/** The maximum number of tables that ask the model at a time. */
const modelTables = 2;
/** Milliseconds before the model is asked again after it refused. */
const firstDelayMs = 5_000;
const maxDelayMs = 10 * 60_000;
/** A time that never comes: the work waits for another start of the server. */
const never = Number.MAX_SAFE_INTEGER;

export function createComputedColumns({
  db,
  logger,
  now,
  model,
  settings,
  onProgress,
}: ComputedOptions): ComputedColumns {
  const context: RowContext = { db, settings, now };

  const runners = kinds.map((kind) =>
    createJobRunner<TableWork>(
      {
        name: `computed columns (${kind})`,
        concurrency: kind === 'model' ? modelTables : 1,
        next: (tx, afterBotId, excluded) => nextWork(tx, kind, afterBotId, excluded, now()),
        run,
        fail,
      },
      { db, logger },
    ),
  );
  const sweepPieces = createPieces(db, sweepRows);
  const formulaPieces = createPieces(db, formulaRows);
  const schedule = createScheduledWorker({
    async run() {
      wake();
      return true;
    },
    nextTime: nextDue,
    // Work that is due stays due until it is done.
    leastWaitMs: 20,
    failure: 'the next time of computed columns could not be read',
    logger,
    now,
  });

  async function nextDue(): Promise<number | undefined> {
    const times = await Promise.all(kinds.map((kind) => db.read((tx) => nextTableWorkDue(tx, kind))));
    const dueTimes = times.filter((time) => time !== undefined);
    return dueTimes.length === 0 ? undefined : Math.min(...dueTimes);
  }

  async function run({ work }: TableWork, signal: AbortSignal): Promise<void> {
    const table = await db.read((tx) => enabledTable(tx, work.tableId));
    if (!table) return db.write((tx) => deleteTableWork(tx, work.tableId, work.kind));
    await (work.kind === 'sweep' ? sweep(table, work) : compute(table, work, work.kind, signal));
    onProgress(work.tableId);
    // The work of one kind can add some of another kind.
    wake();
    schedule.wake();
  }

  /** Marks the stale rows of one batch. */
  async function sweep({ record }: OpenTable, { tableId }: ComputedTableRow): Promise<void> {
    const size = sweepPieces.size;
    await sweepPieces.write(size, async (tx) => {
      await tx.lock(`table:${tableId}`);
      const work = await findTableWork(tx, tableId, 'sweep');
      const current = await enabledTable(tx, tableId);
      if (!work || !current) return deleteTableWork(tx, tableId, 'sweep');
      const definitions = definitionsOf(current);
      const rows = await rowsInOrder(tx, current.record.storeId, work.afterRow, 'asc', size);
      const kinds = new Set<WorkKind>();
      for (const row of rows) {
        const kind = workOf(definitions, readStates(row.computed));
        if (!kind) continue;
        kinds.add(kind);
        const waits = await findStaleRow(tx, current.record.storeId, row.id);
        const dueAt = waits?.kind === kind ? waits.dueAt : now();
        await putStaleRow(tx, current.record.storeId, { rowId: row.id, kind, dueAt });
      }
      for (const kind of kinds) await addTableWork(tx, record, kind, now());
      const last = rows.at(-1)?.id ?? work.lastRow;
      if (last >= work.lastRow) await deleteTableWork(tx, tableId, 'sweep');
      else await updateTableWork(tx, { ...work, afterRow: last, dueAt: now() });
      tx.afterCommit(wake);
    });
  }

  async function compute(
    table: OpenTable,
    work: ComputedTableRow,
    kind: WorkKind,
    signal: AbortSignal,
  ): Promise<void> {
    const { tableId } = work;
    if (kind === 'model' && !model) return hold(work, never, 'not_configured', noModel);
    const limit = kind === 'model' ? modelRows : formulaPieces.size;
    const rows = await db.read((tx) => dueRows(tx, table.record.storeId, kind, now(), limit));
    const rowIds = rows.map(({ rowId }) => rowId);
    const results = await Promise.allSettled(
      kind === 'model' && model
        ? rowIds.map((rowId) => computeWithModel(context, model, work, rowId, signal))
        : [computeFormulas(context, tableId, rowIds, formulaPieces)],
    );
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const unexpected = errors.find((error) => !(error instanceof TableHeld));
    if (unexpected) throw unexpected;
    const held = errors.find((error): error is TableHeld => error instanceof TableHeld);
    if (held) return holdFor(work, held);
    await db.write((tx) => settle(tx, work));
  }

  /** Puts the table back into the queue, behind others, or ends its work. */
  async function settle(tx: WriteTx, { tableId, kind }: ComputedTableRow): Promise<void> {
    await tx.lock(`table:${tableId}`);
    const work = await findTableWork(tx, tableId, kind);
    if (!work) return;
    // A table that was emptied meanwhile stores its new rows under another id.
    const current = await enabledTable(tx, tableId);
    const due = current && (await nextDueRow(tx, current.record.storeId, kind as WorkKind));
    if (due === undefined) return deleteTableWork(tx, tableId, kind);
    const dueAt = due === 0 ? 0 : Math.max(due, now());
    await updateTableWork(tx, { ...work, dueAt, status: null, reason: null, attempts: 0 });
    tx.afterCommit(wake);
  }

  async function holdFor(work: ComputedTableRow, { status, message, wait }: TableHeld): Promise<void> {
    if ('until' in wait) return hold(work, wait.until, status, message);
    const delay = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(work.attempts, 20));
    const until = now() + Math.max(wait.atLeast, delay);
    logger.warn({ tableId: work.tableId, reason: message }, 'the language model is asked again later');
    return hold(work, until, status, `${message} It is asked again at ${new Date(until).toISOString()}.`);
  }

  /** Stores why the cells of a table wait. */
  async function hold(
    { tableId, kind }: ComputedTableRow,
    dueAt: number,
    status: string,
    reason: string,
  ): Promise<void> {
    await db.write(async (tx) => {
      await tx.lock(`table:${tableId}`);
      const work = await findTableWork(tx, tableId, kind);
      if (work) await updateTableWork(tx, { ...work, dueAt, status, reason, attempts: work.attempts + 1 });
    });
  }

  /** After an unexpected error, the table waits a minute. */
  async function fail(tx: WriteTx, { work }: TableWork, reason: string): Promise<void> {
    await tx.lock(`table:${work.tableId}`);
    const current = await findTableWork(tx, work.tableId, work.kind);
    if (!current) return;
    await updateTableWork(tx, { ...current, dueAt: now() + 60_000, status: 'pending', reason });
    tx.afterCommit(schedule.wake);
  }

  function wake(): void {
    for (const runner of runners) runner.wake();
  }

  return {
    wake,
    async start() {
      await db.write(releaseTables);
      schedule.start();
    },
    async idle() {
      // The end of one kind of work can begin another one.
      for (const _ of kinds) await Promise.all(runners.map((runner) => runner.idle()));
    },
    async close() {
      await schedule.close();
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
}

const noModel = 'The server has no language model: its operator sets AGENT and AGENT_MODEL.';

/** The work of one kind in one table. */
export interface TableWork extends Job {
  work: ComputedTableRow;
}

/** Returns the table whose work is due: of the first bot after `afterBotId`, then of the first of all. */
export async function nextWork(
  tx: Tx,
  kind: QueueKind,
  afterBotId: string,
  excluded: readonly string[],
  now: number,
): Promise<TableWork | undefined> {
  const seen = new Set<string>();
  for (let after = afterBotId; ; ) {
    const botId: string | undefined =
      (await nextBotWithTableWork(tx, kind, after, now)) ?? (await nextBotWithTableWork(tx, kind, '', now));
    if (botId === undefined || seen.has(botId)) return undefined;
    seen.add(botId);
    const found = await tableWorkOf(tx, kind, botId, now, excluded.length + 1);
    const jobs = found.map((work) => ({ id: `${work.tableId} ${kind}`, botId, work }));
    const free = jobs.find(({ id }) => !excluded.includes(id));
    if (free) return free;
    after = botId;
  }
}
