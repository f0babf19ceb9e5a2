// The key column of a table: the columns that can be keys, and the index of its values.
import { limits } from '../../protocol/limits.ts';
import type { TableSchema } from '../../protocol/types/tables.ts';
import { ApiError } from '../api/errors.ts';
import type { WriteTx } from '../storage/database.ts';
import { clearKeys, hasMoreRows, rowsInOrder, setKeyValues } from '../storage/tables/rows.ts';
import { cellOf, keyValueOf, type OpenTable } from './open-table.ts';

/** The number of rows per statement. */
const batch = 500;

/**
 * Stores the value of the key column for every row; with `isEmpty` no row has one. Throws RelationConflict when two
 * rows have the same value, and LimitExceeded when there are too many rows.
 */
export async function setKeys(tx: WriteTx, table: OpenTable, isEmpty: boolean): Promise<void> {
  const { storeId, keyColumn } = table.record;
  await clearKeys(tx, storeId);
  if (keyColumn === null || isEmpty) return;
  if (await hasMoreRows(tx, storeId, limits.tables.keyedRows)) {
    throw new ApiError(
      'LimitExceeded',
      `keyColumn: It can be set to a column with data while the table has at most ${limits.tables.keyedRows} rows: ` +
        'make a new table with it and import the rows.',
    );
  }
  const seen = new Map<string, number>();
  for (let after = 0; ; ) {
    const rows = await rowsInOrder(tx, storeId, after, 'asc', batch);
    const keys: { id: number; keyValue: string }[] = [];
    for (const row of rows) {
      const key = keyValueOf(table, { [keyColumn]: cellOf(table, row, keyColumn) });
      if (key === null) continue;
      const other = seen.get(key);
      if (other !== undefined) {
        throw new ApiError('RelationConflict', `The rows ${other} and ${row.id} have the same ${keyColumn}.`);
      }
      seen.set(key, row.id);
      keys.push({ id: row.id, keyValue: key });
    }
    if (keys.length > 0) await setKeyValues(tx, storeId, keys);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** Throws when a column cannot be the key. */
export function assertKeyColumn(schema: TableSchema, keyColumn: string | null): void {
  if (keyColumn === null) return;
  const column = Object.hasOwn(schema.properties, keyColumn) ? schema.properties[keyColumn] : undefined;
  if (!column) throw new ApiError('InvalidPayload', 'keyColumn: The table has no such column.');
  if (column.type !== 'string' && column.type !== 'number') {
    throw new ApiError('InvalidPayload', 'keyColumn: Its values are texts or numbers.');
  }
}
