// Operations on rows: find, add, change, delete.
import { rows } from '../../../protocol/operations/tables.ts';
import type { FoundRow, RowGroup } from '../../../protocol/table.ts';
import type { Row, RowQuery, RowReport } from '../../../protocol/types/tables.ts';
import { type BotPrincipal, isMember } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { redactResponses, rowsOf } from '../../storage/idempotency.ts';
import { deleteRow, findRow, lastRowId } from '../../storage/tables/rows.ts';
import { maxRows } from '../computed/waiting-for-rows.ts';
import { parseExact } from '../exact-json.ts';
import { addJob, startedJob } from '../jobs/jobs.ts';
import { readFilter } from '../query/filter.ts';
import { findRows } from '../query/find.ts';
import { createRows, updateRows, upsertRows, type Writing } from '../rows.ts';
import { serializeRow } from '../serializers.ts';
import { emptyTable, existingTable, heldTable } from '../structure.ts';
import { handle, handleDecorated, type TablesServices } from './services.ts';

/** A computed cell that is written by hand says who did it. */
const writingOf = (
  { memberId, integration, boundTo, credentialId }: BotPrincipal,
  { waitComputed, rows: inputs }: { waitComputed?: boolean; rows: unknown[] },
  now: number,
): Writing => ({
  now,
  by: memberId ?? integration ?? boundTo ?? credentialId,
  isUrgent: waitComputed && inputs.length <= maxRows,
});

/** With `waitComputed`, the rows of a response after their computed columns are done. */
async function computedRows(
  { rows: written, warnings = [] }: { rows: Row[] } & RowReport,
  {
    input,
    services,
    resource,
  }: { input: { waitComputed?: boolean; rows: unknown[] }; services: TablesServices; resource: string },
): Promise<{ rows?: Row[]; warnings?: string[] }> {
  if (!input.waitComputed) return {};
  if (input.rows.length > maxRows) {
    const isLeft = written.some(({ stale }) => stale);
    return isLeft
      ? { warnings: [...warnings, `waitComputed: Only requests with at most ${maxRows} rows wait.`] }
      : {};
  }
  return { rows: await services.tables.waitForRows(resource.slice(rowsOf('').length), written) };
}

export const rowHandlers = [
  handle(rows.getTableRow, async ({ tx, caller, params, input }) => {
    const table = await existingTable(tx, caller.botId, params.table);
    const row = await findRow(tx, table.record.storeId, input.id);
    if (!row) throw new ApiError('ResourceNotFound', 'The row does not exist.');
    return { body: { row: serializeRow(table, row) } };
  }),

  handle(
    rows.findTableRows,
    async ({ tx, caller, params, input, services }) => {
      const table = await existingTable(tx, caller.botId, params.table);
      const { group, ...rest } = input;
      // `readGroup` validates the group.
      const query: RowQuery = group === undefined ? rest : { ...rest, group: group as RowGroup };
      const found = await findRows(tx, table, query, services.tables.search);
      // Groups have no id, and every row has one.
      return { body: { ...found, rows: found.rows as FoundRow[] } };
    },
    { parseBody: parseExact },
  ),

  handleDecorated(
    rows.createTableRows,
    async ({ tx, caller, params, input, services }) => {
      const table = await heldTable(tx, caller.botId, params.table);
      const written = await createRows(tx, table, input.rows, writingOf(caller, input, services.now()));
      tx.afterCommit(services.tables.onRowsWritten);
      return { body: { ...written }, resource: rowsOf(table.record.id), skipIdempotencyCache: true };
    },
    {
      parseBody: parseExact,
      decorateResponse: async (body, call) => ({ ...body, ...(await computedRows(body, call)) }),
    },
  ),

  handleDecorated(
    rows.updateTableRows,
    async ({ tx, caller, params, input, services }) => {
      const table = await heldTable(tx, caller.botId, params.table);
      const written = await updateRows(tx, table, input.rows, writingOf(caller, input, services.now()));
      tx.afterCommit(services.tables.onRowsWritten);
      return { body: { ...written }, resource: rowsOf(table.record.id) };
    },
    {
      parseBody: parseExact,
      decorateResponse: async (body, call) => ({ ...body, ...(await computedRows(body, call)) }),
    },
  ),

  handleDecorated(
    rows.upsertTableRows,
    async ({ tx, caller, params, input, services }) => {
      const table = await heldTable(tx, caller.botId, params.table);
      const { rows, keyColumn = 'id' } = input;
      if (keyColumn !== 'id' && !Object.hasOwn(table.schema.properties, keyColumn)) {
        throw new ApiError('InvalidPayload', 'keyColumn: The table has no such column.');
      }
      const written = await upsertRows(tx, table, rows, keyColumn, writingOf(caller, input, services.now()));
      tx.afterCommit(services.tables.onRowsWritten);
      return { body: { ...written }, resource: rowsOf(table.record.id), skipIdempotencyCache: true };
    },
    {
      parseBody: parseExact,
      async decorateResponse(body, call) {
        const { inserted, updated } = body;
        const { rows = [], warnings } = await computedRows(
          { ...body, rows: [...inserted, ...updated] },
          call,
        );
        if (rows.length === 0) return { ...body, ...(warnings ? { warnings } : {}) };
        return { ...body, inserted: rows.slice(0, inserted.length), updated: rows.slice(inserted.length) };
      },
    },
  ),

  handle(
    rows.deleteTableRows,
    async ({ tx, caller, params, input, services }) => {
      const table = await heldTable(tx, caller.botId, params.table);
      const { storeId } = table.record;
      if (Object.keys(input).length !== 1) {
        throw new ApiError('InvalidPayload', 'The body: Expected one of ids, filter and deleteAllRows.');
      }
      if (input.filter) {
        readFilter(table.schema, input.filter);
        const work = { filter: input.filter, storeId, last: await lastRowId(tx, storeId) };
        const job = await addJob(tx, table.record, 'delete_rows', { input: work }, services.now());
        tx.afterCommit(services.tables.onJobAdded);
        return { body: { deletedRows: 0, job: startedJob(job) } };
      }
      if (input.deleteAllRows) {
        const deletedRows = await emptyTable(tx, table, services.now());
        tx.afterCommit(services.tables.onRemoved);
        tx.afterCommit(() => services.tables.onTableChanged(table.record.id));
        return { body: { deletedRows } };
      }
      let deletedRows = 0;
      for (const id of input.ids ?? []) if (await deleteRow(tx, storeId, id)) deletedRows += 1;
      if (deletedRows > 0) await redactResponses(tx, rowsOf(table.record.id));
      return { body: { deletedRows } };
    },
    {
      audit: isMember,
      parseBody: parseExact,
    },
  ),
];
