// Operations of the Inbox API: the figures of a period.
import * as v from 'valibot';
import { reportTables } from '../../inbox.ts';
import { schemas } from '../../schemas/chat.ts';
import { date, timeZone } from '../../schemas/inbox.ts';
import { report } from '../../schemas/reports.ts';
import { maybe } from '../../schemas/values.ts';
import { operations, query } from '../operation.ts';

const period = {
  from: date,
  to: date,
  timeZone: maybe(timeZone),
  bot: maybe(schemas.id),
  team: maybe(schemas.id),
};
const example = { from: '2026-10-01', to: '2026-10-31', timeZone: 'Europe/Berlin' };

export const reports = operations({
  getReport: query({
    route: 'GET /report',
    isHeavy: true,
    summary:
      'Returns the figures of a period: `from` and `to` are dates in the time zone (default: UTC), both inclusive, of at most 366 ' +
      'days. All durations are milliseconds on the clock, also outside of the opening hours, with their number, their median and ' +
      'their 90th percentile. `days`: conversations by the day on which they began, and handoffs by the day of the request. ' +
      '`firstResponse`: from the request for a person to their first reply; `response`: from the oldest message or request ' +
      'without a reply to the reply; `resolution`: from the request to the end, of handoffs that were resolved in the period. ' +
      '`ratings`: those given in the period. `questions`: what visitors asked the bot before anybody asked for a person, before ' +
      'they rated the answer as bad, or when the knowledge of the agent had no passage, in at least 3 conversations. With ' +
      '`reports.read` alone, only the work of the caller is counted. A report of the caller or of a team has no conversations ' +
      'and no questions. Handoffs of a restricted team are counted for its members, and with `inbox.assign`.',
    auth: 'workspace',
    permission: 'reports.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(period),
    output: v.object({ report }),
    examples: [example, { ...example, bot: '<<bot>>', team: '<<team>>' }],
  }),

  exportReport: query({
    route: 'GET /report/csv',
    isHeavy: true,
    summary:
      'Returns a table of the report as CSV (RFC 4180, with a byte order mark) and a name for its file. Durations are in ' +
      'seconds. Texts that a spreadsheet would run as a formula begin with an apostrophe.',
    auth: 'workspace',
    permission: 'reports.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({ ...period, table: v.picklist(reportTables) }),
    output: v.object({ name: v.string(), csv: v.string() }),
    examples: [{ ...example, table: 'days' }],
  }),
});
