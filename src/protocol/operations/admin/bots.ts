// Operations of the Admin API: bots.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { maybe } from '../../schemas/base/described.ts';
import { botSchemas } from '../../schemas/bots.ts';
import { schemas } from '../../schemas/chat.ts';
import { queries } from '../../schemas/query.ts';
import { mutation, operations, query } from '../operation.ts';
import { mutuallyExclusive } from './deployment.ts';

const response = v.object({ bot: botSchemas.details });
/** The bots that have one of these integrations or plugins: none, because this server has neither. */
const names = maybe(v.array(v.string()));

export const bots = operations({
  listBots: query({
    route: 'GET /bots',
    summary:
      'Lists the bots of the workspace, newest first by default; with `tags`, those that have all of them, with ' +
      '`dev`, those that are being developed or not.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['InvalidQuery'],
    input: v.object({
      ...schemas.sizedPage,
      sortField: maybe(v.picklist(['createdAt', 'updatedAt'])),
      sortDirection: maybe(v.picklist(['asc', 'desc'])),
      dev: maybe(queries.flag),
      tags: maybe(botSchemas.tagQuery),
      integrationNames: names,
      pluginNames: names,
    }),
    output: v.object({ bots: v.array(botSchemas.bot), meta: schemas.meta }),
    sample: { sortField: 'updatedAt', tags: { team: 'sales' } },
    examples: [{ dev: false, tags: { a: 'b' }, sortField: 'updatedAt', sortDirection: 'asc' }],
  }),

  getBot: query({
    route: 'GET /bots/{id}',
    summary:
      'Returns a bot of the workspace with what was declared about it. Callers who may change the bot also receive ' +
      'the secret that signs its webhook requests.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<bot>>' }],
  }),

  createBot: mutation({
    route: 'POST /bots',
    summary:
      'Creates a bot with its own chat address. It does not respond until code, a webhook or an agent is configured. Names of ' +
      'bots are unique in a workspace. The response contains the secret that signs its webhook requests.',
    auth: 'workspace',
    permission: 'bots.create',
    errors: ['AlreadyExists'],
    input: v.pipe(
      v.object({
        name: maybe(admin.name),
        webhookId: maybe(admin.webhookId),
        code: maybe(admin.code),
        webhookUrl: maybe(admin.webhookUrl),
        ...botSchemas.newDefinition,
      }),
      mutuallyExclusive(),
    ),
    output: response,
    sample: { name: 'Help desk', webhookId: 'help', webhookUrl: 'https://example.com/hook' },
    examples: [
      { name: 'Shop of <<user>>', webhookId: 'shop-of-<<user>>', webhookUrl: 'https://example.com/hook' },
      { tags: { a: 'b' }, dev: true, states: { cart: { type: 'user', schema: {} } } },
    ],
  }),

  updateBot: mutation({
    route: 'PUT /bots/{id}',
    summary:
      'Changes the name of a bot, its tags and what is declared about it. Tags and declarations are merged by name; ' +
      'null removes one. The response contains the secret that signs its webhook requests.',
    auth: 'workspace',
    permission: 'bots.update',
    errors: ['ResourceNotFound', 'AlreadyExists'],
    input: v.object({ name: maybe(admin.name), ...botSchemas.definitionChanges }),
    output: response,
    sample: { id: '<<bot>>', name: 'Help desk' },
    examples: [
      { id: '<<bot>>', name: 'Desk of <<user>>' },
      { id: '<<bot>>', tags: { a: 'b', c: null }, states: { cart: null }, subscriptions: { events: null } },
      { id: '<<bot>>', configuration: { data: { a: 'b' } } },
    ],
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
