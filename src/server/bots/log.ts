// The log of each bot for its administrators: ids, numbers and fixed texts. It must never contain text that a visitor or
// bot code wrote. The number of entries per bot is limited.
import type { BotLog, BotLogType } from '../../protocol/admin.ts';
import { type BotLogRow, insertBotLog, trimBotLogs } from '../storage/bots/bot-logs.ts';
import type { WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

/** Entries that are kept per bot; up to `trimInterval` more exist until the next trim. */
const maxEntries = 1_000;
const trimInterval = 100;
/** Entries that a bot has at most. */
export const maxBotLogs = maxEntries + trimInterval;
/** Milliseconds that entries and dead letters are kept: 30 days. */
export const botLogLifetimeMs = 30 * 24 * 60 * 60 * 1_000;

export type NewBotLog = Pick<BotLogRow, 'botId' | 'kind' | 'eventId' | 'conversationId' | 'attempt'> &
  Partial<BotLogRow>;

export interface BotLogs {
  add(tx: WriteTx, entry: NewBotLog): Promise<void>;
}

/** `processes`: how many there are now, each of which counts its own entries; the default is 1. */
export function createBotLogs(now: () => number, processes = () => 1): BotLogs {
  const counts = new Map<string, number>();
  const interval = (): number => Math.max(1, Math.floor(trimInterval / Math.max(1, processes())));
  return {
    async add(tx, entry) {
      const createdAt = now();
      const defaults = { status: null, reason: null, error: null };
      await insertBotLog(tx, { id: createId('log', createdAt), createdAt, ...defaults, ...entry });
      const { botId } = entry;
      const isFull = (counts.get(botId) ?? 0) + 1 >= interval();
      if (isFull) await trimBotLogs(tx, botId, maxEntries);
      tx.afterCommit(() => counts.set(botId, isFull ? 0 : (counts.get(botId) ?? 0) + 1));
    },
  };
}

const levels: Record<BotLogType, BotLog['level']> = {
  bot_failed: 'error',
  agent_failed: 'error',
  agent_state_dropped: 'warn',
  webhook_failed: 'warn',
  webhook_delivered: 'info',
  webhook_answer_refused: 'error',
  webhook_given_up: 'error',
};

const messages: Record<BotLogType, (reason: string) => string> = {
  bot_failed: () => 'The bot failed to handle an event.',
  agent_failed: (reason) => `The agent gave no answer, or only a part of one: ${reason}.`,
  agent_state_dropped: (reason) =>
    `The state of the agent is too large to be kept (${reason}). Its next run begins without a state.`,
  webhook_failed: (reason) => `The webhook did not accept an event: ${reason}.`,
  webhook_delivered: () => 'The webhook accepted an event after earlier attempts had failed.',
  webhook_answer_refused: (reason) =>
    `The response of the webhook could not be sent to the visitor: ${reason}.`,
  webhook_given_up: (reason) =>
    `All attempts to deliver an event failed: ${reason}. It was moved to the dead letters.`,
};

/** The types of the entries of a level. */
export const logTypesOf = (level: BotLog['level']): BotLogType[] =>
  (Object.keys(levels) as BotLogType[]).filter((type) => levels[type] === level);

/** An entry as the API returns it. */
export function serializeBotLog(row: BotLogRow): BotLog {
  const { id, kind, eventId, conversationId, attempt, status, reason, error, createdAt } = row;
  return {
    id,
    timestamp: new Date(createdAt).toISOString(),
    level: levels[kind],
    type: kind,
    message: messages[kind](reason ?? `status ${status}`),
    eventId,
    conversationId,
    attempt,
    ...(status === null ? {} : { status }),
    ...(reason === null ? {} : { reason }),
    ...(error === null ? {} : { error: JSON.parse(error) as Record<string, unknown> }),
  };
}
