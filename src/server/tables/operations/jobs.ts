// Operations on the jobs of tables: export, import, and progress.
import { jobs, jobsMost } from '../../../protocol/operations/tables.ts';
import { isMember } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { jobsOfTable } from '../../storage/tables/jobs.ts';
import { lastRowId } from '../../storage/tables/rows.ts';
import { addJob, serializeJob } from '../jobs/jobs.ts';
import { existingTable } from '../structure.ts';
import { handle } from './services.ts';

export const jobHandlers = [
  handle(
    jobs.exportTable,
    async ({ tx, caller, params, input, services }) => {
      const { record } = await existingTable(tx, caller.botId, params.table);
      const last = await lastRowId(tx, record.storeId);
      const job = await addJob(
        tx,
        record,
        'export',
        { input: { format: input.format ?? 'csv', compress: input.compress ?? false, last } },
        services.now(),
      );
      tx.afterCommit(services.tables.onJobAdded);
      return { body: { job: serializeJob(job) } };
    },
    {
      audit: isMember,
    },
  ),

  handle(jobs.importTable, async ({ tx, caller, params, input, services }) => {
    const { record } = await existingTable(tx, caller.botId, params.table);
    if (!(await services.tables.files.exists(tx, caller.botId, input.fileId))) {
      throw new ApiError('ResourceNotFound', 'The file does not exist.');
    }
    const fields = { input: {}, inputFileId: input.fileId };
    const job = await addJob(tx, record, 'import', fields, services.now());
    tx.afterCommit(services.tables.onJobAdded);
    return { body: { job: serializeJob(job) } };
  }),

  handle(jobs.getTableJobs, async ({ tx, caller, params }) => {
    const { record } = await existingTable(tx, caller.botId, params.table);
    const jobs = await jobsOfTable(tx, record.id, jobsMost);
    return { body: { jobs: jobs.map(serializeJob), meta: {} } };
  }),
];
