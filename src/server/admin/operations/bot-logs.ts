// Admin operations on the failures of a bot: its log and its dead letters.
import type { DeadLetter } from '../../../protocol/admin.ts';
import { limits } from '../../../protocol/limits.ts';
import { botLogs } from '../../../protocol/operations/admin/bots.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { viewerOf } from '../../auth/principal.ts';
import { logTypesOf, maxBotLogs, serializeBotLog } from '../../bots/index.ts';
import { type BotLogFilter, listBotLogs } from '../../storage/bots/bot-logs.ts';
import { type BotRow, findBot } from '../../storage/bots/bots.ts';
import {
  type DeliveryRow,
  deleteDelivery,
  findDeadLetter,
  listDeadLetters,
  reviveDelivery,
} from '../../storage/bots/deliveries.ts';
import { findConversation } from '../../storage/chat/conversations.ts';
import { findUser } from '../../storage/chat/users.ts';
import type { Tx } from '../../storage/database.ts';
import { isVisible } from '../../storage/inbox/visibility.ts';
import { handle } from './services.ts';

export const botLogHandlers = [
  handle(botLogs.listBotLogs, async ({ tx, caller, params, input }) => {
    const bot = await existingBot(tx, caller, params.id);
    const before = decodeCursor('logs', input.nextToken, isText);
    const { pageSize: size = limits.pageSize, level, conversationId, userId, messageContains = '' } = input;
    if (input.workflowId !== undefined) return { body: { logs: [], meta: {} } };
    const filter: BotLogFilter = {
      viewer: viewerOf(caller),
      from: timeOf(input.timeStart),
      to: timeOf(input.timeEnd),
      kinds: level && logTypesOf(level),
      conversationId: conversationId && (await idOfConversation(tx, bot.id, conversationId)),
      userId: userId && ((await findUser(tx, bot.id, userId))?.id ?? ''),
    };
    // The text of an entry is not stored. A bot has about 1,000 entries, so all of them are read to search in it.
    const limit = messageContains === '' ? size + 1 : maxBotLogs;
    const found = (await listBotLogs(tx, bot.id, before, limit, filter)).map(serializeBotLog);
    const matching = found.filter(({ message }) => message.includes(messageContains));
    const { rows, meta } = cutPage('logs', matching, size, (entry) => entry.id);
    return { body: { logs: rows, ...meta, meta } };
  }),

  handle(botLogs.listDeadLetters, async ({ tx, caller, params, input }) => {
    const bot = await existingBot(tx, caller, params.id);
    const before = decodeCursor('dead letters', input.nextToken, isText);
    const size = input.pageSize ?? limits.pageSize;
    const found = await listDeadLetters(tx, viewerOf(caller), bot.id, before, size + 1);
    const { rows, meta } = cutPage('dead letters', found, size, (row) => row.eventId);
    return { body: { deadLetters: rows.map(serializeDeadLetter), meta } };
  }),

  handle(botLogs.redeliverDeadLetter, async ({ tx, caller, params, services }) => {
    const { eventId, conversationId } = await existingDeadLetter(tx, caller, params);
    await reviveDelivery(tx, eventId);
    tx.afterCommit(() => services.onDelivery(conversationId));
    return { body: {} };
  }),

  handle(botLogs.deleteDeadLetter, async ({ tx, caller, params }) => {
    await deleteDelivery(tx, await existingDeadLetter(tx, caller, params));
    return { body: {} };
  }),
];

const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

/** The id under which entries name a conversation; a caller can also know it by the id of the application. */
async function idOfConversation(tx: Tx, botId: string, id: string): Promise<string> {
  return (await findConversation(tx, botId, id))?.id ?? id;
}

async function existingBot(tx: Tx, { workspaceId }: Principal, id = ''): Promise<BotRow> {
  const bot = await findBot(tx, workspaceId, id);
  if (!bot) throw new ApiError('ResourceNotFound', 'The bot does not exist.');
  return bot;
}

async function existingDeadLetter(
  tx: Tx,
  caller: Principal,
  { id, eventId = '' }: Record<string, string>,
): Promise<DeliveryRow> {
  const bot = await existingBot(tx, caller, id);
  const letter = await findDeadLetter(tx, bot.id, eventId);
  const isSeen = letter && (await isVisible(tx, viewerOf(caller), letter.conversationId));
  if (!letter || !isSeen)
    throw new ApiError('ResourceNotFound', 'The bot has no dead letter for this event.');
  return letter;
}

function serializeDeadLetter(row: DeliveryRow): DeadLetter {
  const { eventId, conversationId, userId, kind, attempts, createdAt, failedAt, reason } = row;
  return {
    eventId,
    conversationId,
    userId,
    type: kind,
    createdAt: new Date(createdAt).toISOString(),
    failedAt: new Date(failedAt ?? createdAt).toISOString(),
    attempts,
    reason: reason ?? 'unknown',
  };
}
