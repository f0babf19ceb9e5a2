// Admin operations that list, create, rename and delete the bots of a workspace. deployment.ts sets what a bot runs.
import { randomUUID } from 'node:crypto';
import { limits } from '../../../protocol/limits.ts';
import { bots } from '../../../protocol/operations/admin/bots.ts';
import { cutPage, decodeCursor } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { serializeBot } from '../../api/serializers.ts';
import { type BotOrder, listBots, renameBot, webhookTaken } from '../../storage/bots/bots.ts';
import { existingBot } from '../find.ts';
import { createBot } from '../first-start.ts';
import { removeBot } from '../removal.ts';
import { withDeployment } from './deployment.ts';
import { handle } from './services.ts';

const isListPosition = (key: unknown): key is [number, string] =>
  Array.isArray(key) &&
  key.length === 2 &&
  Number.isSafeInteger(key[0]) &&
  typeof key[1] === 'string' &&
  !key[1].includes('\0');

export const botHandlers = [
  handle(bots.listBots, async ({ tx, caller, input }) => {
    const { sortField = 'createdAt', sortDirection = 'desc', pageSize = limits.pageSize } = input;
    const order: BotOrder = { by: sortField, descending: sortDirection === 'desc' };
    const kind = `bots:${sortField}:${sortDirection}`;
    const [time, id] = decodeCursor(kind, input.nextToken, isListPosition) ?? [];
    const after = time === undefined || id === undefined ? undefined : { time, id };
    const { dev = false, tags = {}, integrationNames = [], pluginNames = [] } = input;
    const requested = [Object.keys(tags), integrationNames, pluginNames].flat();
    if (dev || requested.length > 0) return { body: { bots: [], meta: {} } };
    const found = await listBots(tx, caller.workspaceId, after, pageSize + 1, order);
    const { rows, meta } = cutPage(kind, found, pageSize, (row) => [row[sortField], row.id]);
    return { body: { bots: rows.map(serializeBot), meta } };
  }),

  handle(bots.getBot, async ({ tx, caller, params }) => ({
    body: { bot: serializeBot(await existingBot(tx, caller, params.id)) },
  })),

  handle(
    bots.createBot,
    async ({ tx, caller, input, services }) => {
      const { name, webhookId = randomUUID(), code = null, webhookUrl = null } = input;
      if (await webhookTaken(tx, webhookId)) {
        throw new ApiError(
          'AlreadyExists',
          `The webhookId ${webhookId} is used by another bot, or was used by a deleted one.`,
        );
      }
      const now = services.now();
      const bot = await createBot(tx, {
        workspaceId: caller.workspaceId,
        webhookId,
        name,
        ownKeys: 1,
        ...withDeployment({ code, webhookUrl, signingSecret: null }, now),
        now,
      });
      return { body: { bot: serializeBot(bot) }, resource: bot.id };
    },
    {
      async beforeTransaction({ caller, input: { code }, services }) {
        if (code !== undefined) await services.botCode.assertLoadable(code, caller.workspaceId);
      },
    },
  ),

  handle(bots.updateBot, async ({ tx, caller, params, input: { name }, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    if (name === undefined || name === bot.name) return { body: { bot: serializeBot(bot) } };
    const updatedAt = services.now();
    await renameBot(tx, bot.id, name, updatedAt);
    return { body: { bot: serializeBot({ ...bot, name, updatedAt }) } };
  }),

  handle(bots.deleteBot, async ({ tx, caller, params, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    if (services.botCode.isDefaultBot(bot)) {
      throw new ApiError(
        'ReferenceConstraint',
        'This is the default bot (WEBHOOK_ID). Start the server with another WEBHOOK_ID before you delete it.',
      );
    }
    await removeBot(tx, bot.id, services);
    return { body: {} };
  }),
];
