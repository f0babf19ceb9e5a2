// Writes rows in one transaction of the caller. Each row is stored or rejected individually, with an error for each
// rejected row.
import { limits } from '../../protocol/limits.ts';
import type { RowFields } from '../../protocol/table.ts';
import type { Row, RowReport } from '../../protocol/types/tables.ts';
import type { WriteTx } from '../storage/database.ts';
import { findRow, findRowByKey, insertRow, type StoredRow, updateRow } from '../storage/tables/rows.ts';
import { setNextRow } from '../storage/tables/tables.ts';
import { assertRowSize, checkRow, createValidationState, RowProblem, requireColumns } from './check.ts';
import { readStates, statesText, writtenStates } from './computed/cells.ts';
import { definitionsOf } from './computed/definitions.ts';
import { markRow } from './computed/marking.ts';
import { dataOf, keyValueOf, type OpenTable, type Values, valuesOf } from './open-table.ts';
import { createFinder, readId } from './row-finder.ts';
import { serializeRow } from './serializers.ts';

/** A write of rows. */
export interface Writing {
  now: number;
  /** Who writes, for computed columns that are written by hand. */
  by: string;
  /** Whether somebody waits for the computed columns, which are then computed before others. */
  isUrgent?: boolean | undefined;
}

/** Stores new rows with new ids. */
export async function createRows(
  tx: WriteTx,
  table: OpenTable,
  inputs: RowFields[],
  writing: Writing,
): Promise<{ rows: Row[] } & RowReport> {
  const rows: Row[] = [];
  const report = await forEachRow(tx, table, inputs, async (input, check) => {
    requireColumns(table.schema, input);
    rows.push(await insert(tx, table, check(input), writing));
  });
  return { rows, ...report };
}

/** Changes the sent columns of existing rows. */
export async function updateRows(
  tx: WriteTx,
  table: OpenTable,
  inputs: RowFields[],
  writing: Writing,
): Promise<{ rows: Row[] } & RowReport> {
  const rows: Row[] = [];
  const report = await forEachRow(tx, table, inputs, async (input, check) => {
    const id = readId(input.id);
    const stored = await findRow(tx, table.record.storeId, id);
    if (!stored) throw new RowProblem(`there is no row with the id ${id}.`);
    rows.push(await update(tx, table, stored, check(input), writing));
  });
  return { rows, ...report };
}

/**
 * Changes existing rows and stores the others. `keyColumn` identifies existing rows. If it is `id`, a row without an id
 * is new, and a row with an unknown id is stored with that id.
 */
export async function upsertRows(
  tx: WriteTx,
  table: OpenTable,
  inputs: RowFields[],
  keyColumn: string,
  writing: Writing,
): Promise<{ inserted: Row[]; updated: Row[] } & RowReport> {
  const inserted: Row[] = [];
  const updated: Row[] = [];
  const find = await createFinder(tx, table, keyColumn);
  const report = await forEachRow(tx, table, inputs, async (input, check) => {
    const values = check(input);
    const found = await find.one(input, values);
    if (found) {
      updated.push(await update(tx, table, found, values, writing));
      return;
    }
    requireColumns(table.schema, input);
    const id = keyColumn === 'id' && input.id !== undefined ? readId(input.id) : undefined;
    const row = await insert(tx, table, values, writing, id);
    find.add(row);
    inserted.push(row);
  });
  return { inserted, updated, ...report };
}

/** Runs `work` for each row, collects the errors, and stores the next id. */
async function forEachRow(
  tx: WriteTx,
  table: OpenTable,
  inputs: RowFields[],
  work: (input: RowFields, check: (input: RowFields) => Values) => Promise<void>,
): Promise<RowReport> {
  const state = createValidationState();
  const errors: string[] = [];
  const { nextRow } = table.record;
  for (const [index, input] of inputs.entries()) {
    state.row = index;
    try {
      await work(input, (fields) => {
        assertRowSize(table.schema, fields, rowBytes(table));
        return checkRow(table.schema, fields, state);
      });
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error;
      errors.push(`Row ${index}: ${error.message}`);
    }
  }
  if (table.record.nextRow !== nextRow) await setNextRow(tx, table.record.id, table.record.nextRow);
  const warnings = [...warningsOf(state.unknown), ...state.rounded];
  return { ...(warnings.length > 0 ? { warnings } : {}), ...(errors.length > 0 ? { errors } : {}) };
}

const rowBytes = ({ record }: OpenTable): number => limits.tables.rowBytes * record.factor;

/** The maximum number of columns that a warning names. */
const maxNamed = 20;

function warningsOf(unknown: Set<string>): string[] {
  if (unknown.size === 0) return [];
  const names = [...unknown].slice(0, maxNamed).map((name) => JSON.stringify(name.slice(0, 60)));
  const more = unknown.size > maxNamed ? ` and ${unknown.size - maxNamed} more` : '';
  return [`The table has no column ${names.join(', ')}${more}: left out.`];
}

async function insert(
  tx: WriteTx,
  table: OpenTable,
  values: Values,
  writing: Writing,
  wantedId?: number,
): Promise<Row> {
  const { record } = table;
  const { now } = writing;
  const definitions = definitionsOf(table);
  const states = writtenStates(definitions, {}, {}, values, writing);
  const { data, keyValue } = await prepare(tx, table, values);
  const fields = { data, computed: statesText(states, definitions), createdAt: now, updatedAt: now };
  const store = (id: number) => insertRow(tx, record.storeId, { id, ...fields }, keyValue);
  let id = wantedId ?? record.nextRow;
  while (id <= limits.tables.rowId && !(await store(id))) id += 1;
  if (id > limits.tables.rowId) throw new RowProblem('the table has no ids left.');
  // An id that the caller chose does not advance the counter, so that one row cannot use up all ids.
  if (id === record.nextRow || wantedId === undefined) record.nextRow = id + 1;
  await markRow(tx, table, id, states, dueAtOf(writing));
  return serializeRow(table, { id, ...fields });
}

async function update(
  tx: WriteTx,
  table: OpenTable,
  stored: StoredRow,
  changes: Values,
  writing: Writing,
): Promise<Row> {
  const before = valuesOf(table, stored);
  const definitions = definitionsOf(table);
  const states = writtenStates(definitions, readStates(stored.computed), before, changes, writing);
  const values = { ...before, ...changes };
  const { data, keyValue } = await prepare(tx, table, values, stored.id);
  const row = { ...stored, data, computed: statesText(states, definitions), updatedAt: writing.now };
  await updateRow(tx, table.record.storeId, row, keyValue);
  await markRow(tx, table, stored.id, states, dueAtOf(writing));
  return serializeRow(table, row);
}

/** Rows for which somebody waits come first. */
const dueAtOf = ({ now, isUrgent }: Writing): number => (isUrgent ? 0 : now);

/** Returns the stored form of a row after checking its size and key. */
export async function prepare(tx: WriteTx, table: OpenTable, values: Values, id?: number) {
  const { record } = table;
  const data = dataOf(table, values);
  const most = rowBytes(table);
  const size = Buffer.byteLength(data);
  if (size > most) throw new RowProblem(`it has ${size} bytes; a row of this table has at most ${most}.`);
  const keyValue = keyValueOf(table, values);
  if (keyValue !== null) {
    const other = await findRowByKey(tx, record.storeId, keyValue);
    if (other && other.id !== id) {
      throw new RowProblem(`the row ${other.id} has this ${record.keyColumn} already.`);
    }
  }
  return { data, keyValue };
}
