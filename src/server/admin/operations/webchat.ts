// Admin operations on the dashboard configuration of a bot, and on the HTML that embeds its chat into a page.
import { webchat } from '../../../protocol/operations/admin/webchat.ts';
import { setConfiguration } from '../../storage/bots/bots.ts';
import { useConfigurationFile } from '../../storage/bots/configuration-files.ts';
import { checkConfiguration, embedCode, StoredConfiguration } from '../../webchat/index.ts';
import { existingBot } from '../find.ts';
import { handle } from './services.ts';

export const webchatHandlers = [
  handle(webchat.getBotWebchat, async ({ tx, caller, params, input: { type }, address, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    if (type === undefined) {
      return { asset: () => services.configurations.stored(bot) };
    }
    const embed = { type, address: address() };
    return { asset: () => services.configurations.stored(bot, embed) };
  }),

  handle(webchat.setBotWebchat, async ({ tx, caller, params, input, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    if (input.configuration instanceof StoredConfiguration) {
      await setConfiguration(tx, bot.id, '{}', services.now());
      await useConfigurationFile(tx, bot.id, input.configuration.contentId);
      return { asset: () => services.configurations.stored(bot) };
    }
    const { configuration, warnings } = checkConfiguration(input.configuration);
    await setConfiguration(tx, bot.id, JSON.stringify(configuration), services.now());
    return { body: { configuration, ...(warnings.length > 0 && { warnings }) } };
  }),

  handle(webchat.getBotSnippet, async ({ tx, caller, params, address }) => {
    const { webhookId } = await existingBot(tx, caller, params.id);
    return {
      body: { snippet: embedCode.preconfigured({ address: address(), webhookId, configuration: {} }) },
    };
  }),
];
