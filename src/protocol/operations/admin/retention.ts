// Operations of the Admin API: how long the data of a bot is kept.
import * as v from 'valibot';
import { maxRetentionDays } from '../../admin/retention.ts';
import { retentionDays } from '../../schemas/admin/visitors.ts';
import { maybe } from '../../schemas/base/described.ts';
import { mutation, operations, query } from '../operation.ts';

const period = maybe(
  v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxRetentionDays))),
);
const own = maybe(v.number());
const output = v.object({
  retention: v.object({ messagesDays: own, filesDays: own, logsDays: own, contactsDays: own }),
  defaults: retentionDays,
});

export const retention = operations({
  getBotRetention: query({
    route: 'GET /bots/{id}/retention',
    summary:
      'Returns after how many days data of a bot is removed, where the bot has periods of its own (`retention`), and the ' +
      'periods of the server (`defaults`), which hold for the others. 0 keeps the data.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    output,
    examples: [{ id: '<<bot>>' }],
  }),

  setBotRetention: mutation({
    route: 'PUT /bots/{id}/retention',
    summary:
      'Sets after how many days data of a bot is removed: `messagesDays` conversations without activity, `filesDays` files ' +
      'of visitors, `logsDays` its log and dead letters, `contactsDays` e-mail addresses of visitors without activity. 0 ' +
      'keeps the data, null restores the period of the server, and periods that are left out stay. Nothing of a ' +
      'conversation is removed while it waits for a person or has one.',
    auth: 'workspace',
    permission: 'privacy.write',
    errors: ['ResourceNotFound'],
    input: v.object({ messagesDays: period, filesDays: period, logsDays: period, contactsDays: period }),
    output,
    examples: [{ id: '<<bot>>', messagesDays: 365, filesDays: 90, logsDays: null, contactsDays: 0 }],
  }),
});
