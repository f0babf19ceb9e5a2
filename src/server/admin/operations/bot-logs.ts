// Operations of administrators on what went wrong with a bot: its log, and the events that were given up.
import * as v from 'valibot';
import { type BotLog, botLogTypes, type DeadLetter } from '../../../protocol/bot-log.ts';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import type { Principal } from '../../auth/principal.ts';
import { toBotLog } from '../../bots/index.ts';
import { type Operation, reading, writing } from '../../operations/operation.ts';
import { listBotLogs } from '../../storage/bots/bot-logs.ts';
import { type BotRow, findBot } from '../../storage/bots/bots.ts';
import {
  type DeliveryRow,
  deleteDelivery,
  findDeadLetter,
  listDeadLetters,
  reviveDelivery,
} from '../../storage/bots/deliveries.ts';
import type { Tx } from '../../storage/database.ts';

const timestamp = v.pipe(v.string(), v.isoTimestamp());

const botLog = v.object({
  id: v.string(),
  timestamp,
  level: v.picklist(['info', 'warn', 'error']),
  type: v.picklist(botLogTypes),
  message: v.string(),
  eventId: v.string(),
  conversationId: v.string(),
  attempt: v.number(),
  status: v.exactOptional(v.number()),
  reason: v.exactOptional(v.string()),
  error: v.exactOptional(schemas.data),
}) satisfies v.GenericSchema<unknown, BotLog>;

const deadLetter = v.object({
  eventId: v.string(),
  conversationId: v.string(),
  userId: v.string(),
  type: v.picklist(['message', 'custom', 'conversation_started', 'feedback']),
  createdAt: timestamp,
  failedAt: timestamp,
  attempts: v.number(),
  reason: v.string(),
}) satisfies v.GenericSchema<unknown, DeadLetter>;

export const botLogOperations: readonly Operation[] = [
  reading({
    id: 'listBotLogs',
    method: 'GET',
    path: '/bots/{id}/logs',
    summary:
      'Lists what went wrong with a bot, newest first: ids, times and kinds of failures, never words of visitors.',
    auth: 'workspace',
    permission: 'logs.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    status: 200,
    query: v.object(schemas.sizedPage),
    response: v.object({ logs: v.array(botLog), meta: schemas.meta }),
    async run({ tx, caller, params, query }) {
      const bot = await existingBot(tx, caller, params.id);
      const before = decodeCursor('logs', query.nextToken, isText);
      const size = query.pageSize ?? limits.pageSize;
      const found = await listBotLogs(tx, bot.id, before, size + 1);
      const { rows, meta } = cutPage('logs', found, size, (row) => row.id);
      return { body: { logs: rows.map(toBotLog), meta } };
    },
  }),

  reading({
    id: 'listDeadLetters',
    method: 'GET',
    path: '/bots/{id}/dead-letters',
    summary: 'Lists the events that the bot’s webhook did not take and that were given up, newest first.',
    auth: 'workspace',
    permission: 'logs.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    status: 200,
    query: v.object(schemas.sizedPage),
    response: v.object({ deadLetters: v.array(deadLetter), meta: schemas.meta }),
    async run({ tx, caller, params, query }) {
      const bot = await existingBot(tx, caller, params.id);
      const before = decodeCursor('dead letters', query.nextToken, isText);
      const size = query.pageSize ?? limits.pageSize;
      const found = await listDeadLetters(tx, bot.id, before, size + 1);
      const { rows, meta } = cutPage('dead letters', found, size, (row) => row.eventId);
      return { body: { deadLetters: rows.map(toDeadLetter), meta } };
    },
  }),

  writing({
    id: 'redeliverDeadLetter',
    method: 'POST',
    path: '/bots/{id}/dead-letters/{eventId}/redeliver',
    summary: 'Sends an event that was given up again, from its first attempt.',
    auth: 'workspace',
    permission: 'logs.write',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params, services }) {
      const { eventId, conversationId } = await existingLetter(tx, caller, params);
      await reviveDelivery(tx, eventId, services.now());
      tx.afterCommit(() => services.onDelivery(conversationId));
      return { body: {} };
    },
  }),

  writing({
    id: 'deleteDeadLetter',
    method: 'DELETE',
    path: '/bots/{id}/dead-letters/{eventId}',
    summary: 'Deletes an event that was given up.',
    auth: 'workspace',
    permission: 'logs.write',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params }) {
      await deleteDelivery(tx, (await existingLetter(tx, caller, params)).eventId);
      return { body: {} };
    },
  }),
];

async function existingBot(tx: Tx, { workspaceId }: Principal, id = ''): Promise<BotRow> {
  const bot = await findBot(tx, workspaceId, id);
  if (!bot) throw new ApiError('ResourceNotFound', 'The bot does not exist.');
  return bot;
}

async function existingLetter(
  tx: Tx,
  caller: Principal,
  { id, eventId = '' }: Record<string, string>,
): Promise<DeliveryRow> {
  const bot = await existingBot(tx, caller, id);
  const letter = await findDeadLetter(tx, bot.id, eventId);
  if (!letter) throw new ApiError('ResourceNotFound', 'There is no such event among those given up.');
  return letter;
}

function toDeadLetter(row: DeliveryRow): DeadLetter {
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
