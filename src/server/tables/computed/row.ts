// Computes the waiting cells of one row. What was computed is stored only where the row and the definition are still those
// that it was computed from, so a change in between is never overwritten.
import { createYielder } from '../../api/yielder.ts';
import type { Pieces } from '../../jobs/pieces.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import { findUsage, putStaleRow, putUsage } from '../../storage/tables/computed.ts';
import { checkRow, createValidationState, RowProblem } from '../check.ts';
import { evaluate } from '../formulas/evaluate.ts';
import { FormulaError } from '../formulas/tokens.ts';
import type { OpenTable } from '../open-table.ts';
import { type CellStates, changedColumns, ready, waiting } from './cells.ts';
import type { Definition } from './definitions.ts';
import { markRow } from './marking.ts';
import { type Model, ModelError, promptLength, promptOf, readAnswer } from './model.ts';
import { type OpenRow, openRow, type Result, readRow, store, withResult, write } from './open-row.ts';
import type { ComputedSettings } from './settings.ts';

/** The language model waits for the whole table. */
export class TableHeld extends Error {
  readonly status: 'pending' | 'limited';
  readonly wait: { until: number } | { attempts: true; atLeast: number };

  constructor(status: TableHeld['status'], reason: string, wait: TableHeld['wait']) {
    super(reason);
    this.status = status;
    this.wait = wait;
  }
}

export interface RowContext {
  db: Database;
  settings: ComputedSettings;
  now(): number;
}

/** Attempts of one cell, and the milliseconds before each further one. */
const maxAttempts = 5;
const backoff = [2_000, 10_000, 60_000, 300_000];

/**
 * Computes all formulas of some rows that can be computed. Formulas run outside of a transaction and yield in between, so
 * that other requests do not wait for them.
 */
export async function computeFormulas(
  { db, now }: RowContext,
  tableId: string,
  rowIds: readonly number[],
  pieces: Pieces,
): Promise<void> {
  const yielder = createYielder();
  const opened = await db.read((tx) => Promise.all(rowIds.map((id) => readRow(tx, tableId, id))));
  const results = new Map<number, { before: OpenRow; after: OpenRow }>();
  for (const before of opened) {
    if (!before) continue;
    let after = before;
    for (;;) {
      const definition = ready(after.definitions, after.states, 'code');
      if (!definition) break;
      after = withResult(after, definition, resultOf(after, definition), 'code', now());
      if (yielder.shouldYield()) await yielder.yieldToEventLoop();
    }
    results.set(before.stored.id, { before, after });
  }
  await pieces.write(rowIds.length, async (tx) => {
    await tx.lock(`table:${tableId}`);
    for (const id of rowIds) {
      const current = await openRow(tx, tableId, id);
      const result = results.get(id);
      if (!current) continue;
      // A row that was changed in the meantime is computed again.
      await store(tx, result && isSame(result.before, current) ? result.after : current, now());
    }
  });
}

/** True when neither the row nor the columns were changed. */
const isSame = (before: OpenRow, current: OpenRow): boolean =>
  before.stored.data === current.stored.data &&
  before.stored.computed === current.stored.computed &&
  before.table.record.schema === current.table.record.schema &&
  before.table.record.layout === current.table.record.layout;

/** Computes one cell of a row with the language model. Throws TableHeld, or the reason of the signal. */
export async function computeWithModel(
  { db, settings, now }: RowContext,
  model: Model,
  { tableId, botId }: { tableId: string; botId: string },
  rowId: number,
  signal: AbortSignal,
): Promise<void> {
  const asked = await db.write(async (tx) => {
    await tx.lock(`bot:${botId}`, `table:${tableId}`);
    const row = await openRow(tx, tableId, rowId);
    const definition = row && ready(row.definitions, row.states, 'ai');
    if (!row || !definition) {
      // Nothing is left for the model: the row was changed in the meantime.
      if (row) await markRow(tx, row.table, rowId, row.states, now());
      return undefined;
    }
    const early = dependencyError(row, definition);
    const prompt = promptOf(definition, row.values);
    const length = promptLength(prompt);
    const maxLength = settings.COMPUTED_PROMPT_CHARACTERS;
    const isLong = maxLength > 0 && length > maxLength;
    const error =
      early ??
      (isLong
        ? `The request for this cell has ${length} characters; at most ${maxLength} are allowed (COMPUTED_PROMPT_CHARACTERS).`
        : undefined);
    if (error !== undefined) {
      await store(tx, withResult(row, definition, { error }, 'ai', now()), now());
      return undefined;
    }
    const held = await reserve(tx, row.table.record.botId, settings, now());
    return { row, definition, prompt, held };
  });
  if (!asked) return;
  if (asked.held) throw new TableHeld('limited', asked.held.reason, { until: asked.held.until });
  const { row, definition, prompt } = asked;
  let result: Result;
  try {
    const value = readAnswer(await model.ask(prompt, signal));
    assertFits(row.table, definition, value);
    result = { value };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (error.remedy === 'later') {
      const status = error.wait === undefined ? 'pending' : 'limited';
      throw new TableHeld(status, error.message, { attempts: true, atLeast: error.wait ?? 0 });
    }
    if (error.remedy === 'again' && (await retryLater(db, row, definition, error.message, now))) return;
    result = { error: error.message };
  }
  await db.write(async (tx) => {
    await tx.lock(`table:${tableId}`);
    const current = await openRow(tx, tableId, rowId);
    if (!current) return;
    const same = stillWaiting(row, definition, current);
    await store(tx, same ? withResult(current, same, result, 'ai', now()) : current, now());
  });
}

/** The definition of a cell that still waits for the same answer; undefined if the row or the column was changed meanwhile. */
function stillWaiting(asked: OpenRow, definition: Definition, current: OpenRow): Definition | undefined {
  const same = waiting(current.definitions, current.states).find(
    ({ key, version }) => key === definition.key && version === definition.version,
  );
  return changedColumns(definition.dependencies, asked.values, current.values).size === 0 ? same : undefined;
}

/** Stores a failed attempt, unless the row was changed meanwhile. Returns false when it was the last one. */
async function retryLater(
  db: Database,
  asked: OpenRow,
  definition: Definition,
  reason: string,
  now: () => number,
): Promise<boolean> {
  const { table, stored } = asked;
  return db.write(async (tx) => {
    await tx.lock(`table:${table.record.id}`);
    const current = await openRow(tx, table.record.id, stored.id);
    if (current && !stillWaiting(asked, definition, current)) {
      await store(tx, current, now());
      return true;
    }
    const state = current?.states[definition.key];
    const attempts = (state?.a ?? 0) + 1;
    if (!current || attempts >= maxAttempts) return false;
    const states: CellStates = {
      ...current.states,
      [definition.key]: { v: '', t: 0, b: '', ...state, x: 1, a: attempts, e: reason },
    };
    const delay = backoff[attempts - 1] ?? 0;
    await write(tx, { ...current, states });
    await putStaleRow(tx, table.record.storeId, { rowId: stored.id, kind: 'model', dueAt: now() + delay });
    return true;
  });
}

function resultOf(row: OpenRow, definition: Definition): Result {
  const error = dependencyError(row, definition);
  if (error !== undefined) return { error };
  try {
    const value = definition.formula ? evaluate(definition.formula, row.values) : null;
    assertFits(row.table, definition, value);
    return { value };
  } catch (problem) {
    if (problem instanceof FormulaError || problem instanceof ModelError) return { error: problem.message };
    throw problem;
  }
}

/** A cell cannot be computed from one that failed. */
function dependencyError({ definitions, states }: OpenRow, { dependencies }: Definition): string | undefined {
  const failed = definitions.find(
    ({ name, key, action }) => dependencies.includes(name) && (action === 'none' || states[key]?.f === 1),
  );
  return failed && `It depends on ${JSON.stringify(failed.name)}, which failed.`;
}

/** Throws ModelError for a value that the column does not accept. */
function assertFits({ schema }: OpenTable, { name }: Definition, value: unknown): void {
  try {
    checkRow(schema, { [name]: value }, createValidationState());
  } catch (error) {
    if (error instanceof RowProblem)
      throw new ModelError('again', `The result does not fit: ${error.message}`);
    throw error;
  }
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Checks the limits of costs: the requests of a bot to the language model in a minute and in a day (UTC). Counts one request
 * before it is made, so that a crash cannot repeat it for free. Returns why and until when not.
 */
export async function reserve(
  tx: WriteTx,
  botId: string,
  { COMPUTED_CELLS_PER_MINUTE: cellsPerMinute, COMPUTED_CELLS_PER_DAY: cellsPerDay }: ComputedSettings,
  now: number,
): Promise<{ reason: string; until: number } | undefined> {
  const minute = Math.floor(now / minuteMs);
  const day = Math.floor(now / dayMs);
  const used = await findUsage(tx, botId);
  const minuteCells = used?.minute === minute ? used.minuteCells : 0;
  const dayCells = used?.day === day ? used.dayCells : 0;
  if (cellsPerDay > 0 && dayCells >= cellsPerDay) {
    return refusal(`${cellsPerDay} cells in a day (COMPUTED_CELLS_PER_DAY)`, (day + 1) * dayMs);
  }
  if (cellsPerMinute > 0 && minuteCells >= cellsPerMinute) {
    return refusal(
      `${cellsPerMinute} cells in a minute (COMPUTED_CELLS_PER_MINUTE)`,
      (minute + 1) * minuteMs,
    );
  }
  await putUsage(tx, botId, { minute, minuteCells: minuteCells + 1, day, dayCells: dayCells + 1 });
  return undefined;
}

const refusal = (limit: string, until: number) => ({
  reason: `The bot has used up its ${limit}; the work goes on at ${new Date(until).toISOString()}.`,
  until,
});
