// Which tables have vectors: those with searchable columns, computed from these columns by one model.
import type { Database, WriteTx } from '../../storage/database.ts';
import type { LockName } from '../../storage/locks.ts';
import { putVectorStore, retireVectorStore } from '../../storage/tables/row-vectors.ts';
import { tableIdsAfter, tableOfId } from '../../storage/tables/tables.ts';
import { type OpenTable, openTable } from '../open-table.ts';
import { searchableColumns } from '../query/searched-text.ts';

/** The number of tables in one transaction. */
const tablesAtOnce = 20;

/** Identifies the model and the columns that vectors are computed from. A new name of a column changes nothing. */
const sourceOf = (table: OpenTable, columns: string[], model: string): string =>
  `${model} ${columns.map((column) => table.layout.keys[column]).join(' ')}`;

/** Stores whether the rows of a table get vectors. All rows are computed again after a change of model or columns. */
export async function refreshStore(tx: WriteTx, tableId: string, model: string): Promise<void> {
  await tx.lock(`table:${tableId}`);
  const record = await tableOfId(tx, tableId);
  if (!record) return;
  const table = openTable(record);
  const columns = searchableColumns(table);
  const { storeId } = record;
  if (columns.length === 0) return retireVectorStore(tx, storeId);
  await putVectorStore(tx, { storeId, tableId, source: sourceOf(table, columns, model) });
}

/** Does the same for all tables. */
export async function refreshAllStores(db: Database, model: string, signal: AbortSignal): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await db.read((tx) => tableIdsAfter(tx, after, tablesAtOnce));
    const last = ids.at(-1);
    if (last === undefined || signal.aborted) return;
    await db.write(async (tx) => {
      await tx.lock(...ids.map((id): LockName => `table:${id}`));
      for (const id of ids) await refreshStore(tx, id, model);
    });
    after = last;
  }
}
