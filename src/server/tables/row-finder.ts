// Finds the existing rows that the rows of an upsert mean.
import { limits } from '../../protocol/limits.ts';
import type { RowFields } from '../../protocol/table.ts';
import type { Row } from '../../protocol/types/tables.ts';
import { ApiError } from '../api/errors.ts';
import type { WriteTx } from '../storage/database.ts';
import { findRow, findRowByKey, hasMoreRows, rowsInOrder, type StoredRow } from '../storage/tables/rows.ts';
import { RowProblem } from './check.ts';
import { cellOf, type OpenTable, ownValue, type Values } from './open-table.ts';
import { canonicalText } from './query/compare.ts';

/** The number of rows per read when there is no index. */
const batch = 500;

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
  const known = indexed ? new Map<string, number[]>() : await indexOf(tx, table, keyColumn);
  return {
    async one(_, values) {
      const value = ownValue(values, keyColumn);
      if (value === null || value === undefined) throw new RowProblem(`${keyColumn} is missing.`);
      const key = canonicalText(value);
      if (indexed) return findRowByKey(tx, storeId, key);
      const [id, another] = known.get(key) ?? [];
      if (another !== undefined) throw new RowProblem(`several rows have this ${keyColumn}.`);
      return id === undefined ? undefined : findRow(tx, storeId, id);
    },
    add(row) {
      if (!indexed) note(known, row[keyColumn], row.id);
    },
  };
}

/** Returns the rows by their value in a column without an index. Reads all rows. */
async function indexOf(tx: WriteTx, table: OpenTable, column: string): Promise<Map<string, number[]>> {
  const known = new Map<string, number[]>();
  for (let after = 0; ; ) {
    const rows = await rowsInOrder(tx, table.record.storeId, after, 'asc', batch);
    for (const row of rows) note(known, cellOf(table, row, column), row.id);
    const last = rows.at(-1);
    if (!last) return known;
    after = last.id;
  }
}

function note(known: Map<string, number[]>, value: unknown, id: number): void {
  if (value === null || value === undefined) return;
  const key = canonicalText(value);
  const ids = known.get(key);
  if (ids) ids.push(id);
  else known.set(key, [id]);
}

/** Returns the id of a row. Throws RowProblem. */
export function readId(value: unknown): number {
  const isId = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limits.tables.rowId;
  if (!isId) throw new RowProblem(`id must be a whole number from 1 to ${limits.tables.rowId}.`);
  return Number(value);
}
