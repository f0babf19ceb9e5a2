// Operations on rows: find, add, change, delete.
import { rows } from '../../../protocol/operations/tables/rows.ts';
import type { FoundRow, RowGroup, RowQuery } from '../../../protocol/table.ts';
import { ApiError } from '../../api/errors.ts';
import { isMember } from '../../auth/principal.ts';
import { redactResponses, rowsOf } from '../../storage/idempotency.ts';
import { deleteRow, findRow, lastRowId } from '../../storage/tables/rows.ts';
import { addJob, startedJob } from '../jobs/jobs.ts';
import { readFilter } from '../query/filter.ts';
import { findRows } from '../query/find.ts';
import { createRows, updateRows, upsertRows } from '../rows.ts';
import { serializeRow } from '../serializers.ts';
import { emptyTable, existingTable } from '../structure.ts';
import { handle } from './services.ts';

export const rowHandlers = [
  handle(rows.getTableRow, async ({ tx, caller, params, input }) => {
    const table = await existingTable(tx, caller.botId, params.table);
    const row = await findRow(tx, table.record.storeId, input.id);
    if (!row) throw new ApiError('ResourceNotFound', 'The row does not exist.');
    return { body: { row: serializeRow(table, row) } };
  }),

  handle(rows.findTableRows, async ({ tx, caller, params, input, services }) => {
    const table = await existingTable(tx, caller.botId, params.table);
    const { group, ...rest } = input;
    // `readGroup` validates the group.
    const query: RowQuery = group === undefined ? rest : { ...rest, group: group as RowGroup };
    const found = await findRows(tx, table, query, services.tables.search);
    // Groups have no id, and every row has one.
    return { body: { ...found, rows: found.rows as FoundRow[] } };
  }),

  handle(rows.createTableRows, async ({ tx, caller, params, input, services }) => {
    const table = await existingTable(tx, caller.botId, params.table);
    const written = await createRows(tx, table, input.rows, services.now());
    return { body: { ...written }, resource: rowsOf(table.record.id), skipIdempotencyCache: true };
  }),

  handle(rows.updateTableRows, async ({ tx, caller, params, input, services }) => {
    const table = await existingTable(tx, caller.botId, params.table);
    return { body: { ...(await updateRows(tx, table, input.rows, services.now())) } };
  }),

  handle(rows.upsertTableRows, async ({ tx, caller, params, input, services }) => {
    const table = await existingTable(tx, caller.botId, params.table);
    const { rows, keyColumn = 'id' } = input;
    if (keyColumn !== 'id' && !Object.hasOwn(table.schema.properties, keyColumn)) {
      throw new ApiError('InvalidPayload', 'keyColumn: The table has no such column.');
    }
    const written = await upsertRows(tx, table, rows, keyColumn, services.now());
    return { body: { ...written }, resource: rowsOf(table.record.id), skipIdempotencyCache: true };
  }),

  handle(
    rows.deleteTableRows,
    async ({ tx, caller, params, input, services }) => {
      const table = await existingTable(tx, caller.botId, params.table);
      const { storeId } = table.record;
      if (Object.keys(input).length !== 1) {
        throw new ApiError('InvalidPayload', 'The body: Expected one of ids, filter and deleteAllRows.');
      }
      if (input.filter) {
        readFilter(table.schema, input.filter);
        const work = { filter: input.filter, storeId, last: await lastRowId(tx, storeId) };
        const job = await addJob(tx, table.record, 'delete_rows', { input: work }, services.now());
        tx.afterCommit(services.tables.jobs.wake);
        return { body: { deletedRows: 0, job: startedJob(job) } };
      }
      if (input.deleteAllRows) {
        const deletedRows = await emptyTable(tx, table, services.now());
        tx.afterCommit(services.tables.onRemoved);
        return { body: { deletedRows } };
      }
      let deletedRows = 0;
      for (const id of input.ids ?? []) if (await deleteRow(tx, storeId, id)) deletedRows += 1;
      if (deletedRows > 0) await redactResponses(tx, rowsOf(table.record.id));
      return { body: { deletedRows } };
    },
    {
      audit: isMember,
    },
  ),
];
