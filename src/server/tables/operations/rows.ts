// Operations on rows: find, add, change, delete.
import * as v from 'valibot';
import type { RowGroup, RowQuery } from '../../../protocol/table.ts';
import { ApiError } from '../../api/errors.ts';
import { isMember } from '../../auth/principal.ts';
import { type Operation, reading, writing } from '../../operations/operation.ts';
import { redactResponses, rowsOf } from '../../storage/idempotency.ts';
import { deleteRow, findRow, lastRowId } from '../../storage/tables/rows.ts';
import { addJob, startedJob } from '../jobs/jobs.ts';
import { readFilter } from '../query/filter.ts';
import { findRows } from '../query/find.ts';
import { createRows, updateRows, upsertRows } from '../rows.ts';
import { tableSchemas } from '../schemas.ts';
import { toRow } from '../serializers.ts';
import { emptyTable, existingTable } from '../structure.ts';

const writtenRows = v.object({ rows: v.array(tableSchemas.row), ...tableSchemas.report });

export const rowOperations: readonly Operation[] = [
  reading({
    id: 'getTableRow',
    method: 'GET',
    path: '/{table}/row',
    summary: 'Gives a row.',
    auth: 'bot',
    permission: 'rows.read',
    errors: ['ResourceNotFound', 'InvalidQuery'],
    status: 200,
    query: v.object({ id: tableSchemas.rowId }),
    response: v.object({ row: tableSchemas.row }),
    async run({ tx, caller, params, query }) {
      const table = await existingTable(tx, caller.botId, params.table);
      const row = await findRow(tx, table.record.storeId, query.id);
      if (!row) throw new ApiError('ResourceNotFound', 'The row does not exist.');
      return { body: { row: toRow(table, row) } };
    },
  }),

  reading({
    id: 'findTableRows',
    method: 'POST',
    path: '/{table}/rows/find',
    summary: 'Finds rows by a filter and by words, ordered, grouped and cut into pages as asked.',
    auth: 'bot',
    permission: 'rows.read',
    errors: ['ResourceNotFound', 'LimitExceeded'],
    status: 200,
    body: tableSchemas.rowQuery,
    response: v.object({
      rows: v.array(tableSchemas.foundRow),
      hasMore: v.boolean(),
      offset: v.number(),
      limit: v.number(),
      warnings: tableSchemas.warnings,
    }),
    async run({ tx, caller, params, body, services }) {
      const table = await existingTable(tx, caller.botId, params.table);
      const { group, ...rest } = body;
      // What a group asks for is checked where it is read.
      const query: RowQuery = group === undefined ? rest : { ...rest, group: group as RowGroup };
      return { body: { ...(await findRows(tx, table, query, services.tables.search)) } };
    },
  }),

  writing({
    id: 'createTableRows',
    method: 'POST',
    path: '/{table}/rows',
    summary: 'Adds rows. Those that do not fit are left out, and told in `errors`.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: tableSchemas.newRows,
    response: writtenRows,
    async run({ tx, caller, params, body, services }) {
      const table = await existingTable(tx, caller.botId, params.table);
      const written = await createRows(tx, table, body.rows, services.now());
      return { body: { ...written }, resource: rowsOf(table.record.id), isBulky: true };
    },
  }),

  writing({
    id: 'updateTableRows',
    method: 'PUT',
    path: '/{table}/rows',
    summary: 'Changes rows by their ids. Columns that are not given stay as they are.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: tableSchemas.newRows,
    response: writtenRows,
    async run({ tx, caller, params, body, services }) {
      const table = await existingTable(tx, caller.botId, params.table);
      return { body: { ...(await updateRows(tx, table, body.rows, services.now())) } };
    },
  }),

  writing({
    id: 'upsertTableRows',
    method: 'POST',
    path: '/{table}/rows/upsert',
    summary:
      'Changes the rows that are there, by `keyColumn` (`id` when nothing is said), and adds the others.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound', 'LimitExceeded'],
    status: 200,
    body: tableSchemas.upsert,
    response: v.object({
      inserted: v.array(tableSchemas.row),
      updated: v.array(tableSchemas.row),
      ...tableSchemas.report,
    }),
    async run({ tx, caller, params, body, services }) {
      const table = await existingTable(tx, caller.botId, params.table);
      const { rows, keyColumn = 'id' } = body;
      if (keyColumn !== 'id' && !Object.hasOwn(table.schema.properties, keyColumn)) {
        throw new ApiError('InvalidPayload', 'keyColumn: The table has no such column.');
      }
      const written = await upsertRows(tx, table, rows, keyColumn, services.now());
      return { body: { ...written }, resource: rowsOf(table.record.id), isBulky: true };
    },
  }),

  writing({
    id: 'deleteTableRows',
    audit: isMember,
    method: 'POST',
    path: '/{table}/rows/delete',
    summary: 'Deletes rows by their ids, or all; by a filter after the answer, as a job.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: tableSchemas.removal,
    response: v.object({ deletedRows: v.number(), job: v.exactOptional(tableSchemas.startedJob) }),
    async run({ tx, caller, params, body, services }) {
      const table = await existingTable(tx, caller.botId, params.table);
      const { storeId } = table.record;
      if (Object.keys(body).length !== 1) {
        throw new ApiError('InvalidPayload', 'The body: Expected one of ids, filter and deleteAllRows.');
      }
      if (body.filter) {
        readFilter(table.schema, body.filter);
        const input = { filter: body.filter, storeId, last: await lastRowId(tx, storeId) };
        const job = await addJob(tx, table.record, 'delete_rows', { input }, services.now());
        tx.afterCommit(services.tables.jobs.wake);
        return { body: { deletedRows: 0, job: startedJob(job) } };
      }
      if (body.deleteAllRows) {
        const deletedRows = await emptyTable(tx, table, services.now());
        tx.afterCommit(services.tables.onRemoved);
        return { body: { deletedRows } };
      }
      let deletedRows = 0;
      for (const id of body.ids ?? []) if (await deleteRow(tx, storeId, id)) deletedRows += 1;
      if (deletedRows > 0) await redactResponses(tx, rowsOf(table.record.id));
      return { body: { deletedRows } };
    },
  }),
];
