// Waits for the computed columns of a few rows, so that the response to the request that wrote them contains their values.
import type { Row } from '../../../protocol/types/tables.ts';
import type { Database, Tx } from '../../storage/database.ts';
import { findStaleRow, findTableWork } from '../../storage/tables/computed.ts';
import { findRow } from '../../storage/tables/rows.ts';
import { isComputeEnabled } from '../open-table.ts';
import { serializeRow } from '../serializers.ts';
import { openTableOfId } from '../structure.ts';
import type { ComputedWork } from '../table-service-interface.ts';

/** The number of rows that are waited for, and the milliseconds after which the response goes out in any case. */
export const maxRows = 10;
export const waitLimitMs = 20_000;

export interface WaitOptions {
  db: Database;
  computed: Pick<ComputedWork, 'onProgress'>;
  /** Milliseconds; the default is `waitLimitMs`. */
  limit?: number | undefined;
}

/**
 * Returns the rows when their computed columns are done or cannot continue for now, or when the time is over. A row
 * that was deleted meanwhile is returned as it was.
 */
export async function waitForRows(
  { db, computed, limit = waitLimitMs }: WaitOptions,
  tableId: string,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.some(({ stale }) => stale)) {
    await until(computed, limit, tableId, () => db.read((tx) => isDone(tx, tableId, rows)));
  }
  return db.read(async (tx) => {
    const table = await openTableOfId(tx, tableId);
    if (!table) return [...rows];
    const fresh: Row[] = [];
    for (const row of rows) {
      const stored = await findRow(tx, table.record.storeId, row.id);
      fresh.push(stored ? serializeRow(table, stored) : row);
    }
    return fresh;
  });
}

/** True when no row waits for a formula, and for the model only if the model waits, too. */
async function isDone(tx: Tx, tableId: string, rows: readonly Row[]): Promise<boolean> {
  const table = await openTableOfId(tx, tableId);
  if (!table || !isComputeEnabled(table.record, table.schema)) return true;
  const work = await findTableWork(tx, tableId, 'model');
  for (const { id } of rows) {
    const stale = await findStaleRow(tx, table.record.storeId, id);
    if (stale && !(stale.kind === 'model' && work?.status)) return false;
  }
  return true;
}

/** Resolves when `isOver` returns true after a step of the table, or after `limit` milliseconds. */
async function until(
  computed: WaitOptions['computed'],
  limit: number,
  tableId: string,
  isOver: () => Promise<boolean>,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(end, limit);
    const stop = computed.onProgress((id) => {
      if (id === tableId) check();
    });
    function end(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
    function check(): void {
      isOver().then(
        (over) => over && end(),
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    }
    // It may have been done before anybody listened.
    check();
  });
}
