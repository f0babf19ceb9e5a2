// The table of all operations of the Admin API, below `/v1/admin`: bots and their dashboard configuration.
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../cursor.ts';
import { checkConfiguration, storedConfiguration } from '../dashboard.ts';
import { type BotRow, findBot, listBots, setConfiguration } from '../db/bots.ts';
import type { Tx } from '../db/database.ts';
import { ApiError } from '../errors.ts';
import { type Operation, reading, writing } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { schemas } from '../schemas.ts';
import { toBot } from '../wire.ts';

const configuration = v.object({ configuration: schemas.data });

export const adminOperations: readonly Operation[] = [
  reading({
    id: 'listBots',
    method: 'GET',
    path: '/bots',
    summary: 'Lists the bots of the workspace, newest first.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object(schemas.sizedPage),
    response: v.object({ bots: v.array(schemas.bot), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      const before = decodeCursor('bots', query.nextToken, isText);
      const size = query.pageSize ?? limits.pageSize;
      const found = await listBots(tx, caller.workspaceId, before, size + 1);
      const { rows, meta } = cutPage('bots', found, size, (row) => row.id);
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
    response: v.object({ bot: schemas.bot }),
    run: async ({ tx, caller, params }) => ({ body: { bot: toBot(await existingBot(tx, caller, params)) } }),
  }),

  reading({
    id: 'getBotWebchat',
    method: 'GET',
    path: '/bots/{id}/webchat',
    summary: 'Gives the stored dashboard configuration.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response: configuration,
    async run({ tx, caller, params }) {
      return { body: { configuration: storedConfiguration(await existingBot(tx, caller, params)) } };
    },
  }),

  writing({
    id: 'setBotWebchat',
    method: 'PUT',
    path: '/bots/{id}/webchat',
    summary:
      'Replaces the stored dashboard configuration. Blank fields are left out; a wrong one refuses all.',
    auth: 'workspace',
    permission: 'webchat.update',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({ configuration: schemas.configuration }),
    response: configuration,
    async run({ tx, caller, params, body, services }) {
      const bot = await existingBot(tx, caller, params);
      const checked = checkConfiguration(body.configuration);
      await setConfiguration(tx, bot.id, JSON.stringify(checked), services.now());
      return { body: { configuration: checked } };
    },
  }),

  reading({
    id: 'getBotSnippet',
    method: 'GET',
    path: '/bots/{id}/snippet',
    summary: 'Gives the HTML that puts the chat on a page.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response: v.object({ snippet: v.string() }),
    async run({ tx, caller, params, address }) {
      const { webhookId } = await existingBot(tx, caller, params);
      // A host may hold quotes (WHATWG URL, "forbidden host code points").
      const src = `${address()}/chat/${webhookId}/webchat.js`
        .replaceAll('&', '&amp;')
        .replaceAll('"', '&quot;');
      return { body: { snippet: `<script src="${src}" async></script>` } };
    },
  }),
];

/** A bot of the caller's workspace, or 404. */
async function existingBot(
  tx: Tx,
  { workspaceId }: Principal,
  { id = '' }: Record<string, string>,
): Promise<BotRow> {
  const bot = await findBot(tx, workspaceId, id);
  if (!bot) throw new ApiError('ResourceNotFound', 'The bot does not exist.');
  return bot;
}
