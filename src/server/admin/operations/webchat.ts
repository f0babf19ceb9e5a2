// Admin operations on the dashboard configuration of a bot, and on the HTML that embeds its chat into a page.
import { limits } from '../../../protocol/limits.ts';
import { webchat } from '../../../protocol/operations/admin/bots.ts';
import { type Configuration, secretFields } from '../../../protocol/page-api/config.ts';
import type { WebchatVersion } from '../../../protocol/types/bots.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, isText, readPage } from '../../api/pages.ts';
import { timestamp } from '../../api/serializers.ts';
import { findMember } from '../../storage/admin/workspaces.ts';
import { setConfiguration } from '../../storage/bots/bots.ts';
import { readConfiguration } from '../../storage/bots/configurations.ts';
import {
  addWebchatVersion,
  hasWebchatVersion,
  listWebchatVersions,
  type WebchatVersionRow,
} from '../../storage/bots/webchat-versions.ts';
import type { WriteTx } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';
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
    await keepVersion(tx, bot.id, { text, memberId: caller.memberId ?? null, now: services.now() });
    await setConfiguration(tx, bot.id, text, services.now());
    return { body: { configuration, ...(warnings.length > 0 && { warnings }) } };
  }),

  handle(webchat.listBotWebchatVersions, async ({ tx, caller, params, input }) => {
    const bot = await existingBot(tx, caller, params.id);
    const { rows, meta } = await readPage({
      kind: 'webchat versions',
      size: input.pageSize ?? limits.pageSize,
      after: decodeCursor('webchat versions', input.nextToken, isText),
      sortKey: ({ id }: WebchatVersionRow) => id,
      weigh: ({ configuration }) => configuration.length,
      read: (before, limit) => listWebchatVersions(tx, bot.id, before, limit),
    });
    const versions: WebchatVersion[] = [];
    for (const { id, memberId, configuration, createdAt } of rows) {
      const member = memberId === null ? undefined : await findMember(tx, bot.workspaceId, memberId);
      versions.push({
        id,
        createdAt: timestamp(createdAt),
        ...(memberId !== null && { memberId }),
        ...(member && { memberName: member.displayName ?? member.email }),
        configuration: JSON.parse(configuration) as Configuration,
      });
    }
    return { body: { versions, meta } };
  }),

  handle(webchat.listBotOrigins, async ({ tx, caller, params, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    const origins = services.botOrigins
      .list(bot.id)
      .map(({ origin, seenAt }) => ({ origin, seenAt: new Date(seenAt).toISOString() }));
    return { body: { origins, meta: {} } };
  }),

  handle(webchat.getBotSnippet, async ({ tx, caller, params, address }) => {
    const { webhookId } = await existingBot(tx, caller, params.id);
    return {
      body: { snippet: embedCode.preconfigured({ address: address(), webhookId, configuration: {} }) },
    };
  }),
];

/** Keeps the configuration that is being stored if it changes something; at the first time also the one before, whose author is unknown. */
async function keepVersion(
  tx: WriteTx,
  botId: string,
  { text, memberId, now }: { text: string; memberId: string | null; now: number },
): Promise<void> {
  const before = await readConfiguration(tx, botId);
  if (before === text) return;
  const common = { botId, createdAt: now };
  if (before !== '{}' && !(await hasWebchatVersion(tx, botId))) {
    const fields = Object.entries(JSON.parse(before) as Configuration);
    const isSecret = (name: string) => secretFields.some((each) => each === name);
    const configuration = JSON.stringify(Object.fromEntries(fields.filter(([name]) => !isSecret(name))));
    await addWebchatVersion(tx, { ...common, id: createId('version', now), memberId: null, configuration });
  }
  await addWebchatVersion(tx, { ...common, id: createId('version', now), memberId, configuration: text });
}
