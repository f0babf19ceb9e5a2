// The dashboard configuration of a bot, and the HTML that puts its chat on a page.
import * as v from 'valibot';
import { schemas } from '../../api/schemas.ts';
import { reading, writing } from '../../operations/operation.ts';
import { setConfiguration } from '../../storage/bots/bots.ts';
import { checkConfiguration, embedCode } from '../../webchat/index.ts';
import { existingBot } from '../find.ts';

const types = Object.keys(embedCode) as (keyof typeof embedCode)[];

export const webchat = [
  reading({
    id: 'getBotWebchat',
    method: 'GET',
    path: '/bots/{id}/webchat',
    summary:
      'Gives the stored dashboard configuration; with a `type` also the code that puts the chat on a page.',
    auth: 'workspace',
    permission: 'webchat.read',
    errors: ['ResourceNotFound'],
    status: 200,
    query: v.object({ type: v.exactOptional(v.picklist(types)) }),
    response: v.object({ configuration: schemas.data, code: v.exactOptional(v.string()) }),
    async run({ tx, caller, params, query: { type }, address, services }) {
      const bot = await existingBot(tx, caller, params.id);
      if (type === undefined) {
        return {
          asset: () => services.configurations.stored(bot, '', (configuration) => ({ configuration })),
        };
      }
      const chat = { address: address(), webhookId: bot.webhookId };
      return {
        asset: () =>
          services.configurations.stored(bot, `${type} ${chat.address}`, (configuration) => ({
            configuration,
            code: embedCode[type]({ ...chat, configuration }),
          })),
      };
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
    response: v.object({ configuration: schemas.data }),
    async run({ tx, caller, params, body, services }) {
      const bot = await existingBot(tx, caller, params.id);
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
      const { webhookId } = await existingBot(tx, caller, params.id);
      const chat = { address: address(), webhookId, configuration: {} };
      return { body: { snippet: embedCode.preconfigured(chat) } };
    },
  }),
];
