// Reads all rows of a table in batches, and yields to the event loop in between.
import type { Row } from '../../../protocol/types/tables.ts';
import { createYielder, yieldBytes } from '../../api/yielder.ts';
import type { Database } from '../../storage/database.ts';
import { rowsInOrder } from '../../storage/tables/rows.ts';
import type { OpenTable } from '../open-table.ts';
import { serializeRow } from '../serializers.ts';

/** The number of rows per read, of which `rowsInOrder` returns fewer if they are large. */
const batch = 200;

/**
 * Yields all rows in the order of ids, in batches, because awaiting each row would take longer than processing it. Each
 * batch is one call of `read`. Rows that are inserted or deleted in the meantime may be included or not.
 */
export async function* scanRows(
  read: Database['read'],
  table: OpenTable,
  direction: 'asc' | 'desc',
): AsyncGenerator<Row[]> {
  const { storeId } = table.record;
  const yielder = createYielder();
  for (let after = direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await read((tx) => rowsInOrder(tx, storeId, after, direction, batch));
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((stored) => serializeRow(table, stored));
    after = last.id;
    const isLarge = rows.reduce((sum, { data }) => sum + data.length, 0) > yieldBytes;
    if (isLarge || yielder.shouldYield()) await yielder.yieldToEventLoop();
  }
}
