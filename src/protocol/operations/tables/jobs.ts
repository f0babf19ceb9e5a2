// Operations of the Tables API: jobs.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { tableSchemas } from '../../schemas/tables.ts';
import { mutation, operations, query } from '../operation.ts';

/** Jobs in a response. */
export const jobsMost = 100;
const jobBody = v.object({ job: tableSchemas.job });

export const jobs = operations({
  exportTable: mutation({
    route: 'GET /{table}/export',
    summary: 'Starts to export a table to a file of the bot, as CSV (default) or JSON.',
    auth: 'bot',
    // An export creates a file, so reading permission is not sufficient.
    permission: 'rows.write',
    errors: ['ResourceNotFound', 'InvalidQuery'],
    input: tableSchemas.exportQuery,
    output: jobBody,
    examples: [{ table: '<<table>>', format: 'json', compress: true }],
  }),

  importTable: mutation({
    route: 'POST /{table}/import',
    summary:
      'Starts to import the rows of a file of the bot: CSV, JSON or JSON Lines, optionally compressed with ' +
      'gzip.',
    auth: 'bot',
    permission: 'rows.write',
    errors: ['ResourceNotFound'],
    input: tableSchemas.importBody,
    output: jobBody,
    examples: [{ table: '<<table>>', fileId: '<<file>>' }],
  }),

  getTableJobs: query({
    route: 'GET /{table}/jobs',
    summary: `Lists the jobs of a table, also those that fill it: the newest ${jobsMost}.`,
    auth: 'bot',
    permission: 'tables.read',
    errors: ['ResourceNotFound'],
    output: v.object({ jobs: v.array(tableSchemas.job), meta: schemas.meta }),
    examples: [{ table: '<<table>>' }],
  }),
});
