// Stores which rows and tables wait to be computed. Every write of rows or of a table's columns ends here.
import type { WriteTx } from '../../storage/database.ts';
import {
  addSweep,
  addTableWork,
  deleteStaleRow,
  deleteTableWork,
  putStaleRow,
  type WorkKind,
} from '../../storage/tables/computed.ts';
import { lastRowId } from '../../storage/tables/rows.ts';
import type { TableRow } from '../../storage/tables/tables.ts';
import { isComputeEnabled, type OpenTable } from '../open-table.ts';
import { type CellStates, ready, waiting } from './cells.ts';
import { type Definition, definitionsOf } from './definitions.ts';

/** Returns what a row needs next; undefined when nothing waits. */
export function workOf(definitions: readonly Definition[], states: CellStates): WorkKind | undefined {
  if (waiting(definitions, states).length === 0) return undefined;
  return ready(definitions, states, 'code') ? 'formula' : 'model';
}

/** Stores that a row waits, or that it does not, and adds the work to its table. */
export async function markRow(
  tx: WriteTx,
  table: OpenTable,
  rowId: number,
  states: CellStates,
  dueAt: number,
): Promise<void> {
  const definitions = definitionsOf(table);
  if (definitions.length === 0) return;
  const { record } = table;
  const kind = workOf(definitions, states);
  if (!kind) return deleteStaleRow(tx, record.storeId, rowId);
  await putStaleRow(tx, record.storeId, { rowId, kind, dueAt });
  if (isComputeEnabled(record, table.schema)) await addTableWork(tx, record, kind, dueAt);
}

/**
 * Adds or ends work after the columns or the switch of a table have changed. Returns the columns whose values are stale
 * since.
 */
export async function markTable(
  tx: WriteTx,
  before: OpenTable | undefined,
  after: OpenTable,
): Promise<string[]> {
  const definitions = definitionsOf(after).filter(({ isEnabled }) => isEnabled);
  const wasEnabled = before !== undefined && isComputeEnabled(before.record, before.schema);
  if (definitions.length === 0 || !isComputeEnabled(after.record, after.schema)) {
    if (wasEnabled) await deleteTableWork(tx, after.record.id);
    return [];
  }
  const storedVersions = new Map(
    (before ? definitionsOf(before) : [])
      .filter(({ isEnabled }) => isEnabled)
      .map(({ key, version }) => [key, version]),
  );
  const changed = definitions.filter(({ key, version }) => storedVersions.get(key) !== version);
  if (changed.length > 0 || !wasEnabled) await sweep(tx, after.record);
  return changed.map(({ name }) => name);
}

/** Looks for stale rows in the background. */
async function sweep(tx: WriteTx, record: TableRow): Promise<void> {
  const last = await lastRowId(tx, record.storeId);
  if (last > 0) await addSweep(tx, record, last);
}
