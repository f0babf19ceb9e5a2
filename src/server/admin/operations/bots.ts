// Bots of a workspace: listed, made, renamed, deleted. What they run is in deployment.ts.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { queries } from '../../api/query-schemas.ts';
import { schemas } from '../../api/schemas.ts';
import { toBot } from '../../api/serializers.ts';
import { reading, writing } from '../../operations/operation.ts';
import { type BotOrder, listBots, renameBot, webhookTaken } from '../../storage/bots/bots.ts';
import { existingBot } from '../find.ts';
import { createBot } from '../first-start.ts';
import { removeBot } from '../removal.ts';
import { admin } from '../schemas.ts';
import { deployed, oneOfBoth } from './deployment.ts';

const response = v.object({ bot: schemas.bot });
/** What bots elsewhere are filtered by. Bots here have none of it: no one is in development, tagged, or made of parts. */
const foreignFilters = {
  dev: v.exactOptional(queries.flag),
  tags: v.exactOptional(v.record(v.string(), v.string())),
  integrationNames: v.exactOptional(v.array(v.string())),
  pluginNames: v.exactOptional(v.array(v.string())),
};
const isPlace = (key: unknown): key is [number, string] =>
  Array.isArray(key) &&
  key.length === 2 &&
  Number.isSafeInteger(key[0]) &&
  typeof key[1] === 'string' &&
  !key[1].includes('\0');

export const bots = [
  reading({
    id: 'listBots',
    method: 'GET',
    path: '/bots',
    summary: 'Lists the bots of the workspace, newest first unless another order is asked for.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object({
      ...schemas.sizedPage,
      sortField: v.exactOptional(v.picklist(['createdAt', 'updatedAt'])),
      sortDirection: v.exactOptional(v.picklist(['asc', 'desc'])),
      ...foreignFilters,
    }),
    response: v.object({ bots: v.array(schemas.bot), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      const { sortField = 'createdAt', sortDirection = 'desc', pageSize = limits.pageSize } = query;
      const order: BotOrder = { by: sortField, descending: sortDirection === 'desc' };
      const kind = `bots:${sortField}:${sortDirection}`;
      const [time, id] = decodeCursor(kind, query.nextToken, isPlace) ?? [];
      const after = time === undefined || id === undefined ? undefined : { time, id };
      const { dev = false, tags = {}, integrationNames = [], pluginNames = [] } = query;
      const wanted = [Object.keys(tags), integrationNames, pluginNames].flat();
      if (dev || wanted.length > 0) return { body: { bots: [], meta: {} } };
      const found = await listBots(tx, caller.workspaceId, after, pageSize + 1, order);
      const { rows, meta } = cutPage(kind, found, pageSize, (row) => [row[sortField], row.id]);
      return { body: { bots: rows.map(toBot), meta } };
    },
  }),

  reading({
    id: 'getBot',
    method: 'GET',
    path: '/bots/{id}',
    summary: 'Gives a bot of the workspace.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response,
    run: async ({ tx, caller, params }) => ({
      body: { bot: toBot(await existingBot(tx, caller, params.id)) },
    }),
  }),

  writing({
    id: 'createBot',
    method: 'POST',
    path: '/bots',
    summary: 'Makes a bot with a chat address of its own. It says nothing until it has code or a webhook.',
    auth: 'workspace',
    permission: 'bots.create',
    errors: ['AlreadyExists'],
    status: 200,
    body: v.pipe(
      v.object({
        name: admin.name,
        webhookId: v.exactOptional(admin.webhookId),
        code: v.exactOptional(admin.code),
        webhookUrl: v.exactOptional(admin.webhookUrl),
      }),
      oneOfBoth(),
    ),
    response,
    async ahead({ caller, body: { code }, services }) {
      if (code !== undefined) await services.botCode.assertLoadable(code, caller.workspaceId);
    },
    async run({ tx, caller, body, services }) {
      const { name, webhookId = randomUUID(), code = null, webhookUrl = null } = body;
      if (await webhookTaken(tx, webhookId)) {
        throw new ApiError('AlreadyExists', `The address ${webhookId} is taken, or was.`);
      }
      const now = services.now();
      const bot = await createBot(tx, {
        workspaceId: caller.workspaceId,
        webhookId,
        name,
        ownKeys: 1,
        ...deployed({ code, webhookUrl, signingSecret: null }, now),
        now,
      });
      return { body: { bot: toBot(bot) }, resource: bot.id };
    },
  }),

  writing({
    id: 'updateBot',
    method: 'PUT',
    path: '/bots/{id}',
    summary: 'Changes the name of a bot.',
    auth: 'workspace',
    permission: 'bots.update',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({ name: v.exactOptional(admin.name) }),
    response,
    async run({ tx, caller, params, body: { name }, services }) {
      const bot = await existingBot(tx, caller, params.id);
      if (name === undefined || name === bot.name) return { body: { bot: toBot(bot) } };
      const updatedAt = services.now();
      await renameBot(tx, bot.id, name, updatedAt);
      return { body: { bot: toBot({ ...bot, name, updatedAt }) } };
    },
  }),

  writing({
    id: 'deleteBot',
    method: 'DELETE',
    path: '/bots/{id}',
    summary:
      'Deletes a bot with its users, conversations, files, tables and tokens. Nobody else gets its address.',
    auth: 'workspace',
    permission: 'bots.delete',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params, services }) {
      const bot = await existingBot(tx, caller, params.id);
      if (services.botCode.isDefaultBot(bot)) {
        throw new ApiError(
          'ReferenceConstraint',
          'This is the bot of the server’s settings (WEBHOOK_ID); start the server with another one first.',
        );
      }
      await removeBot(tx, bot.id, services);
      return { body: {} };
    },
  }),
];
