// Admin operations on the dashboard configuration of a bot, and on the HTML that embeds its chat into a page.
import { limits } from '../../../protocol/limits.ts';
import { webchat } from '../../../protocol/operations/admin/bots.ts';
import { ApiError } from '../../api/errors.ts';
import { setConfiguration } from '../../storage/bots/bots.ts';
import { checkConfiguration, embedCode } from '../../webchat/index.ts';
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
    const { configuration, warnings } = checkConfiguration(input.configuration);
    const text = JSON.stringify(configuration);
    const { configurationBytes } = limits;
    if (Buffer.byteLength(text) > configurationBytes) {
      throw new ApiError('PayloadTooLarge', `The configuration is larger than ${configurationBytes} bytes.`);
    }
    await setConfiguration(tx, bot.id, text, services.now());
    return { body: { configuration, ...(warnings.length > 0 && { warnings }) } };
  }),

  handle(webchat.getBotSnippet, async ({ tx, caller, params, address }) => {
    const { webhookId } = await existingBot(tx, caller, params.id);
    return {
      body: { snippet: embedCode.preconfigured({ address: address(), webhookId, configuration: {} }) },
    };
  }),
];
