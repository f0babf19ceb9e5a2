// Operations of the Admin API: bots.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { schemas } from '../../schemas/chat.ts';
import { queries } from '../../schemas/query.ts';
import { mutation, operations, query } from '../operation.ts';
import { mutuallyExclusive } from './deployment.ts';

const response = v.object({ bot: schemas.bot });
/** Filters of other servers of this API. They match no bot: bots have no development mode, tags or integrations. */
const foreignFilters = {
  dev: v.exactOptional(queries.flag),
  tags: v.exactOptional(v.record(v.string(), v.string())),
  integrationNames: v.exactOptional(v.array(v.string())),
  pluginNames: v.exactOptional(v.array(v.string())),
};

export const bots = operations({
  listBots: query({
    route: 'GET /bots',
    summary: 'Lists the bots of the workspace, newest first by default.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['InvalidQuery'],
    input: v.object({
      ...schemas.sizedPage,
      sortField: v.exactOptional(v.picklist(['createdAt', 'updatedAt'])),
      sortDirection: v.exactOptional(v.picklist(['asc', 'desc'])),
      ...foreignFilters,
    }),
    output: v.object({ bots: v.array(schemas.bot), meta: schemas.meta }),
  }),

  getBot: query({
    route: 'GET /bots/{id}',
    summary: 'Returns a bot of the workspace.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<bot>>' }],
  }),

  createBot: mutation({
    route: 'POST /bots',
    summary:
      'Creates a bot with its own chat address. It does not respond until code or a webhook is configured.',
    auth: 'workspace',
    permission: 'bots.create',
    errors: ['AlreadyExists'],
    input: v.pipe(
      v.object({
        name: admin.name,
        webhookId: v.exactOptional(admin.webhookId),
        code: v.exactOptional(admin.code),
        webhookUrl: v.exactOptional(admin.webhookUrl),
      }),
      mutuallyExclusive(),
    ),
    output: response,
    examples: [{ name: 'Shop', webhookUrl: 'https://example.com/hook' }],
  }),

  updateBot: mutation({
    route: 'PUT /bots/{id}',
    summary: 'Changes the name of a bot.',
    auth: 'workspace',
    permission: 'bots.update',
    errors: ['ResourceNotFound'],
    input: v.object({ name: v.exactOptional(admin.name) }),
    output: response,
    examples: [{ id: '<<bot>>', name: 'Desk' }],
  }),

  deleteBot: mutation({
    route: 'DELETE /bots/{id}',
    summary:
      'Deletes a bot with its users, conversations, files, tables and tokens. Its address is not assigned ' +
      'again.',
    auth: 'workspace',
    permission: 'bots.delete',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>' }],
  }),
});
