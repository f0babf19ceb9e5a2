// Writes rows in one transaction of the caller. Each row is stored or rejected individually, with an error for each
// rejected row.
import { limits } from '../../protocol/limits.ts';
import type { RowFields } from '../../protocol/table.ts';
import type { Row, RowReport } from '../../protocol/types/tables.ts';
import { ApiError } from '../api/errors.ts';
import type { WriteTx } from '../storage/database.ts';
import {
  findRow,
  findRowByKey,
  hasMoreRows,
  insertRow,
  rowsInOrder,
  type StoredRow,
  updateRow,
} from '../storage/tables/rows.ts';
import { setNextRow } from '../storage/tables/tables.ts';
import { assertRowSize, checkRow, createValidationState, RowProblem, requireColumns } from './check.ts';
import { readStates, statesText, writtenStates } from './computed/cells.ts';
import { definitionsOf } from './computed/definitions.ts';
import { markRow } from './computed/marking.ts';
import { cellOf, dataOf, keyValueOf, type OpenTable, ownValue, type Values, valuesOf } from './open-table.ts';
import { canonicalText } from './query/compare.ts';
import { serializeRow } from './serializers.ts';

/** A write of rows. */
export interface Writing {
  now: number;
  /** The author, for computed columns that are written by hand. */
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

/** The number of rows per read when there is no index. */
const batch = 500;

/** Finds the existing rows that the rows of an upsert mean. */
export interface Finder {
  /** Returns the row that an input identifies. Throws RowProblem when there are several. */
  one(input: RowFields, values: Values): Promise<StoredRow | undefined>;
  add(row: Row): void;
}

/** Returns what finds rows by a column: by an index, or by reading all rows once. Throws LimitExceeded. */
export async function createFinder(tx: WriteTx, table: OpenTable, keyColumn: string): Promise<Finder> {
  const { storeId } = table.record;
  if (keyColumn === 'id') {
    return {
      one: async ({ id }) => (id === undefined ? undefined : findRow(tx, storeId, readId(id))),
      add() {},
    };
  }
  const indexed = keyColumn === table.record.keyColumn;
  if (!indexed && (await hasMoreRows(tx, storeId, limits.tables.scannedRows))) {
    throw new ApiError(
      'LimitExceeded',
      `keyColumn: The table has more than ${limits.tables.scannedRows} rows, too many to look through for each request: ` +
        'make this column its keyColumn.',
    );
  }
  const idsByKey = indexed ? new Map<string, number[]>() : await indexOf(tx, table, keyColumn);
  return {
    async one(_, values) {
      const value = ownValue(values, keyColumn);
      if (value === null || value === undefined) throw new RowProblem(`${keyColumn} is missing.`);
      const key = canonicalText(value);
      if (indexed) return findRowByKey(tx, storeId, key);
      const [id, another] = idsByKey.get(key) ?? [];
      if (another !== undefined) throw new RowProblem(`several rows have this ${keyColumn}.`);
      return id === undefined ? undefined : findRow(tx, storeId, id);
    },
    add(row) {
      if (!indexed) note(idsByKey, row[keyColumn], row.id);
    },
  };
}

/** Returns the rows by their value in a column without an index. Reads all rows. */
async function indexOf(tx: WriteTx, table: OpenTable, column: string): Promise<Map<string, number[]>> {
  const idsByKey = new Map<string, number[]>();
  for (let after = 0; ; ) {
    const rows = await rowsInOrder(tx, table.record.storeId, after, 'asc', batch);
    for (const row of rows) note(idsByKey, cellOf(table, row, column), row.id);
    const last = rows.at(-1);
    if (!last) return idsByKey;
    after = last.id;
  }
}

function note(idsByKey: Map<string, number[]>, value: unknown, id: number): void {
  if (value === null || value === undefined) return;
  const key = canonicalText(value);
  const ids = idsByKey.get(key);
  if (ids) ids.push(id);
  else idsByKey.set(key, [id]);
}

/** Returns the id of a row. Throws RowProblem. */
export function readId(value: unknown): number {
  const isId = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limits.tables.rowId;
  if (!isId) throw new RowProblem(`id must be a whole number from 1 to ${limits.tables.rowId}.`);
  return Number(value);
}
