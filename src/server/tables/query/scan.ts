// Goes through the rows of a table in pieces, and lets others have the process in between. It decides nothing.
import { setImmediate } from 'node:timers/promises';
import type { Row } from '../../../protocol/table.ts';
import type { Tx } from '../../storage/database.ts';
import { rowsInOrder } from '../../storage/tables/rows.ts';
import { type OpenTable, toRow } from '../serializers.ts';

/** Rows read at a time. */
const batch = 200;
/** Milliseconds of work after which others get their turn. */
const turn = 10;

/** Long work asks between two pieces whether others are to have their turn, and then gives it to them. */
export interface Breath {
  isDue(): boolean;
  take(): Promise<void>;
}

export function createBreath(): Breath {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= turn,
    async take() {
      await setImmediate();
      since = performance.now();
    },
  };
}

/**
 * All rows by id, as they go out, in pieces: to wait once a row would cost more than the row does. Rows that come and
 * go meanwhile may be there or not.
 */
export async function* rowsOf(tx: Tx, table: OpenTable, direction: 'asc' | 'desc'): AsyncGenerator<Row[]> {
  const { storeId } = table.record;
  const breath = createBreath();
  for (let after = direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await rowsInOrder(tx, storeId, after, direction, batch);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((stored) => toRow(table, stored));
    after = last.id;
    if (breath.isDue()) await breath.take();
  }
}
