// Operations on the jobs of tables: export, import, and how far they are.
import * as v from 'valibot';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { isMember } from '../../auth/principal.ts';
import { type Operation, reading, writing } from '../../operations/operation.ts';
import { jobsOfTable } from '../../storage/tables/jobs.ts';
import { lastRowId } from '../../storage/tables/rows.ts';
import { addJob, toJob } from '../jobs/jobs.ts';
import { tableSchemas } from '../schemas.ts';
import { existingTable } from '../structure.ts';

/** Jobs in an answer. */
const jobsMost = 100;
const jobBody = v.object({ job: tableSchemas.job });

export const jobOperations: readonly Operation[] = [
  writing({
    id: 'exportTable',
    audit: isMember,
    method: 'GET',
    path: '/{table}/export',
    summary: 'Begins to write a table into a file of the bot, CSV (when nothing is said) or JSON.',
    auth: 'bot',
    // It makes a file, which those who only read may not (SPEC "File permissions by principal").
    permission: 'rows.write',
    errors: ['ResourceNotFound', 'InvalidQuery'],
    status: 200,
    query: tableSchemas.exportQuery,
    response: jobBody,
    async run({ tx, caller, params, query, services }) {
      const { record } = await existingTable(tx, caller.botId, params.table);
      const last = await lastRowId(tx, record.storeId);
      const input = { format: query.format ?? 'csv', compress: query.compress ?? false, last };
      const job = await addJob(tx, record, 'export', { input }, services.now());
      tx.afterCommit(services.tables.jobs.wake);
      return { body: { job: toJob(job) } };
    },
  }),

  writing({
    id: 'importTable',
    method: 'POST',
    path: '/{table}/import',
    summary: 'Begins to add the rows of a file of the bot: CSV, JSON or JSON Lines, packed with gzip or not.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: tableSchemas.importBody,
    response: jobBody,
    async run({ tx, caller, params, body, services }) {
      const { record } = await existingTable(tx, caller.botId, params.table);
      if (!(await services.tables.files.known(tx, caller.botId, body.fileId))) {
        throw new ApiError('ResourceNotFound', 'The file does not exist.');
      }
      const fields = { input: {}, inputFileId: body.fileId };
      const job = await addJob(tx, record, 'import', fields, services.now());
      tx.afterCommit(services.tables.jobs.wake);
      return { body: { job: toJob(job) } };
    },
  }),

  reading({
    id: 'getTableJobs',
    method: 'GET',
    path: '/{table}/jobs',
    summary: `Lists the jobs of a table, also those that fill it: the newest ${jobsMost}.`,
    auth: 'bot',
    permission: 'tables.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response: v.object({ jobs: v.array(tableSchemas.job), meta: schemas.meta }),
    async run({ tx, caller, params }) {
      const { record } = await existingTable(tx, caller.botId, params.table);
      const jobs = await jobsOfTable(tx, record.id, jobsMost);
      return { body: { jobs: jobs.map(toJob), meta: {} } };
    },
  }),
];
