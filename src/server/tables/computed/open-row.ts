// A row that is being computed: opened from the database, changed by results, and stored with what it needs next.
import type { Tx, WriteTx } from '../../storage/database.ts';
import { deleteStaleRow, findStaleRow } from '../../storage/tables/computed.ts';
import { findRow, type StoredRow, updateRow } from '../../storage/tables/rows.ts';
import { tableOfId } from '../../storage/tables/tables.ts';
import { checkRow, createValidationState, RowProblem } from '../check.ts';
import { isComputeEnabled, type OpenTable, openTable, type Values, valuesOf } from '../open-table.ts';
import { prepare } from '../rows.ts';
import {
  type CellState,
  type CellStates,
  changedColumns,
  markDependents,
  readStates,
  statesText,
} from './cells.ts';
import { type Definition, definitionsOf } from './definitions.ts';
import { markRow } from './marking.ts';

export type Result = { value: unknown } | { error: string };

export interface OpenRow {
  table: OpenTable;
  definitions: Definition[];
  stored: StoredRow;
  states: CellStates;
  values: Values;
}

/** Opens a row for computing. Removes the mark of a row that was deleted. */
export async function openRow(tx: WriteTx, tableId: string, rowId: number): Promise<OpenRow | undefined> {
  const row = await readRow(tx, tableId, rowId);
  if (row) return row;
  const table = await enabledTable(tx, tableId);
  if (table) await deleteStaleRow(tx, table.record.storeId, rowId);
  return undefined;
}

/** Opens a row; undefined if it, its table or the permission to compute no longer exists. */
export async function readRow(tx: Tx, tableId: string, rowId: number): Promise<OpenRow | undefined> {
  const table = await enabledTable(tx, tableId);
  const stored = table && (await findRow(tx, table.record.storeId, rowId));
  if (!table || !stored) return undefined;
  const definitions = definitionsOf(table);
  return { table, definitions, stored, states: readStates(stored.computed), values: valuesOf(table, stored) };
}

/** Returns a table whose columns are to be computed. */
export async function enabledTable(tx: Tx, tableId: string): Promise<OpenTable | undefined> {
  const record = await tableOfId(tx, tableId);
  const table = record && openTable(record);
  return table && isComputeEnabled(table.record, table.schema) ? table : undefined;
}

/** Returns the row with the result of one cell. Cells that depend on it wait. */
export function withResult(
  row: OpenRow,
  { name, key, version }: Definition,
  result: Result,
  by: CellState['b'],
  now: number,
): OpenRow {
  const value =
    'error' in result
      ? null
      : checkRow(row.table.schema, { [name]: result.value }, createValidationState())[name];
  const values = { ...row.values, [name]: value };
  const marked = markDependents(row.definitions, row.states, changedColumns([name], row.values, values));
  const state: CellState = {
    v: version,
    t: now,
    b: by,
    ...('error' in result ? { f: 1, e: result.error } : {}),
  };
  return { ...row, values, states: { ...marked, [key]: state } };
}

/** Stores a row with its new values, or with the reason why they do not fit, and what it needs next. */
export async function store(tx: WriteTx, row: OpenRow, now: number): Promise<void> {
  const { table, stored, states } = row;
  // A row for which somebody waits stays in front.
  const staleRow = await findStaleRow(tx, table.record.storeId, stored.id);
  const dueAt = staleRow?.dueAt === 0 ? 0 : now;
  try {
    await write(tx, row, now);
    await markRow(tx, table, stored.id, states, dueAt);
  } catch (error) {
    if (!(error instanceof RowProblem)) throw error;
    const before = valuesOf(table, stored);
    const written = row.definitions.filter(({ name }) => changedColumns([name], before, row.values).size > 0);
    const failures = written.map(({ key, version }): [string, CellState] => [
      key,
      { v: version, t: now, b: states[key]?.b ?? '', f: 1, e: `The result does not fit: ${error.message}` },
    ]);
    const failed = { ...row, values: before, states: { ...states, ...Object.fromEntries(failures) } };
    // Values of an earlier computation would look like the present ones.
    for (const { name } of written) failed.values = { ...failed.values, [name]: null };
    await write(tx, failed, now);
    await markRow(tx, table, stored.id, failed.states, dueAt);
  }
}

/** Stores the values and the states of a row. Throws RowProblem. */
export async function write(tx: WriteTx, row: OpenRow, updatedAt = row.stored.updatedAt): Promise<void> {
  const { table, stored, values, states, definitions } = row;
  const { data, keyValue } = await prepare(tx, table, values, stored.id);
  const computed = statesText(states, definitions);
  if (data === stored.data && computed === stored.computed) return;
  await updateRow(tx, table.record.storeId, { ...stored, data, computed, updatedAt }, keyValue);
}
