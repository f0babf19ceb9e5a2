// Duplicates a table. Its rows are copied by a job, after the response.
import { limits } from '../../protocol/limits.ts';
import { ApiError } from '../api/errors.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';
import type { TableJobRow } from '../storage/tables/jobs.ts';
import { countRows, lastRowId } from '../storage/tables/rows.ts';
import { findTable, insertTable, type TableRow } from '../storage/tables/tables.ts';
import { addJob } from './jobs/jobs.ts';
import { type OpenTable, openTable } from './open-table.ts';
import { assertFree, assertTableQuota } from './structure.ts';

/** Creates a table with the same columns, which is not frozen. A job fills it with the rows that exist now. */
export async function duplicateTable(
  tx: WriteTx,
  source: OpenTable,
  options: { tableName?: string; schemaOnly?: boolean; factor?: number },
  now: number,
): Promise<{ table: OpenTable; rows: number; job?: TableJobRow }> {
  const { record } = source;
  await assertTableQuota(tx, record.botId);
  const name = options.tableName ?? (await freeName(tx, record));
  await assertFree(tx, record.botId, name);
  const factor = options.factor ?? record.factor;
  if (factor < record.factor && !options.schemaOnly) {
    throw new ApiError('InvalidPayload', 'factor: Rows of the table may be too large for less.');
  }
  const copy: TableRow = {
    ...record,
    id: createId('table', now),
    storeId: createId('rows', now),
    name,
    factor,
    frozen: 0,
    // The ids of new rows follow those of the copied rows.
    nextRow: options.schemaOnly ? 1 : record.nextRow,
    createdAt: now,
    updatedAt: now,
  };
  await insertTable(tx, copy);
  const rows = options.schemaOnly ? 0 : await countRows(tx, record.storeId);
  if (rows === 0) return { table: openTable(copy), rows };
  const input = {
    storeId: record.storeId,
    last: await lastRowId(tx, record.storeId),
    keys: Object.values(source.layout.keys),
  };
  const job = await addJob(tx, record, 'duplicate_table', { input, targetId: copy.id }, now);
  return { table: openTable(copy), rows, job };
}

/** `ordersTable` becomes `ordersCopyTable`, then `ordersCopy2Table`. */
async function freeName(tx: Tx, { botId, name }: TableRow): Promise<string> {
  const stem = [...name.slice(0, -'Table'.length)].slice(0, limits.tables.name - 16).join('');
  for (let number = 1; ; number += 1) {
    const copy = `${stem || 'a'}Copy${number === 1 ? '' : number}Table`;
    if (!(await findTable(tx, botId, copy))) return copy;
  }
}
