// Admin operations that list, create, change and delete the bots of a workspace. deployment.ts sets what a bot runs.
import { randomUUID } from 'node:crypto';
import { limits } from '../../../protocol/limits.ts';
import { bots } from '../../../protocol/operations/admin/bots.ts';
import type { BotDetails } from '../../../protocol/types/bots.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, readPage } from '../../api/pages.ts';
import {
  type BotOrder,
  botById,
  botOfName,
  type DefinitionRow,
  generatedName,
  type ListedBot,
  listBots,
  noDefinition,
  readDefinition,
  renameBot,
  storeDefinition,
  touchBot,
  webhookTaken,
} from '../../storage/bots/bots.ts';
import type { Tx } from '../../storage/database.ts';
import { changedDefinition, seesSecrets, serializeBotDetails } from '../definition.ts';
import { existingBot } from '../find.ts';
import { createBot } from '../first-start.ts';
import { removeBot } from '../removal.ts';
import { serializeBot } from '../serializers.ts';
import { withDeployment } from './deployment.ts';
import { type AdminServices, handle, handleDecorated } from './services.ts';

/** The time and the id of a bot. */
export const isListPosition = (key: unknown): key is [number, string] =>
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
    const after = decodeCursor(kind, input.nextToken, isListPosition);
    const { dev, tags, integrationNames = [], pluginNames = [] } = input;
    // No bot has an integration or a plugin.
    if (integrationNames.length + pluginNames.length > 0) return { body: { bots: [], meta: {} } };
    const filter = { isDev: dev, tags };
    const { rows, meta } = await readPage({
      kind,
      size: pageSize,
      after,
      sortKey: (row: ListedBot): [number, string] => [row[sortField], row.id],
      weigh: (row) => row.tags.length,
      read: (from, limit) =>
        listBots(tx, caller.workspaceId, from && { time: from[0], id: from[1] }, limit, order, filter),
    });
    return { body: { bots: rows.map(serializeBot), meta } };
  }),

  handle(
    bots.getBot,
    async ({ tx, caller, params }) => {
      const bot = await existingBot(tx, caller, params.id);
      const definition = await readDefinition(tx, bot.id);
      return { body: { bot: serializeBotDetails(bot, definition, caller, true) } };
    },
    // Like getBotDeployment: the response includes a secret.
    { audit: seesSecrets },
  ),

  handleDecorated(
    bots.createBot,
    async ({ tx, caller, input, services }) => {
      const { webhookId = randomUUID(), code = null, webhookUrl = null } = input;
      const { name = generatedName() } = input;
      await assertNameUnused(tx, caller.workspaceId, name);
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
        ...withDeployment({ code, webhookUrl, hasAgent: 0, signingSecret: null }, now),
        now,
      });
      const definition = changedDefinition(noDefinition, input);
      if (!isSame(definition, noDefinition)) await storeDefinition(tx, bot.id, definition);
      return { body: { bot: serializeBotDetails(bot, definition, caller) }, resource: bot.id };
    },
    {
      async beforeTransaction({ caller, input: { code }, services }) {
        if (code !== undefined) await services.botCode.assertLoadable(code, caller.workspaceId);
      },
      decorateResponse: withSecret,
    },
  ),

  handleDecorated(
    bots.updateBot,
    async ({ tx, caller, params, input, services }) => {
      const bot = await existingBot(tx, caller, params.id);
      const { name = bot.name } = input;
      const before = await readDefinition(tx, bot.id);
      const definition = changedDefinition(before, input);
      if (name === bot.name && isSame(before, definition)) {
        return { body: { bot: serializeBotDetails(bot, before, caller) } };
      }
      const updatedAt = services.now();
      if (name !== bot.name) {
        await assertNameUnused(tx, caller.workspaceId, name);
        await renameBot(tx, bot.id, name, updatedAt);
      }
      if (!isSame(before, definition)) await storeDefinition(tx, bot.id, definition);
      await touchBot(tx, bot.id, updatedAt);
      return { body: { bot: serializeBotDetails({ ...bot, name, updatedAt }, definition, caller) } };
    },
    { decorateResponse: withSecret },
  ),

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

/**
 * Adds the secret that signs the webhook requests of a bot, which is not stored with the response for a repeated request. Whoever
 * creates or changes bots may read it (`seesSecrets`).
 */
async function withSecret(
  { bot }: { bot: BotDetails },
  { services: { db } }: { services: Pick<AdminServices, 'db'> },
): Promise<{ bot: BotDetails }> {
  const found = await db.read((tx) => botById(tx, bot.id));
  return { bot: found ? { ...bot, signingSecret: found.signingSecret ?? '' } : bot };
}

/** Throws AlreadyExists when a bot of the workspace has this name. */
async function assertNameUnused(tx: Tx, workspaceId: string, name: string): Promise<void> {
  if ((await botOfName(tx, workspaceId, name)) === undefined) return;
  const message = 'Another bot of the workspace has this name.';
  throw new ApiError('AlreadyExists', `name: ${message}`, { issues: [{ path: 'name', message }] });
}

function isSame(one: DefinitionRow, other: DefinitionRow): boolean {
  const fields = ['tags', 'type', 'isDev', 'definition'] as const;
  return fields.every((field) => one[field] === other[field]);
}
