// The log of each bot, for its administrators: ids, numbers and words of ours. It takes no text that a visitor or bot
// code wrote, and keeps no more than there is room for.
import type { BotLog, BotLogType } from '../../protocol/bot-log.ts';
import { type BotLogRow, insertBotLog, trimBotLogs } from '../storage/bots/bot-logs.ts';
import type { WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

/** Entries kept of one bot; between these and `trimmedEvery` more are there. */
const kept = 1_000;
const trimmedEvery = 100;
/** Milliseconds that entries and dead letters are kept: 30 days. */
export const logLifetime = 30 * 24 * 60 * 60 * 1_000;

export type NewBotLog = Pick<BotLogRow, 'botId' | 'kind' | 'eventId' | 'conversationId' | 'attempt'> &
  Partial<BotLogRow>;

export interface BotLogs {
  add(tx: WriteTx, entry: NewBotLog): Promise<void>;
}

export function createBotLogs(now: () => number): BotLogs {
  const counts = new Map<string, number>();
  return {
    async add(tx, entry) {
      const createdAt = now();
      const nothing = { status: null, reason: null, error: null };
      await insertBotLog(tx, { id: createId('log', createdAt), createdAt, ...nothing, ...entry });
      const count = (counts.get(entry.botId) ?? 0) + 1;
      counts.set(entry.botId, count % trimmedEvery);
      if (count === trimmedEvery) await trimBotLogs(tx, entry.botId, kept);
    },
  };
}

const levels: Record<BotLogType, BotLog['level']> = {
  bot_failed: 'error',
  webhook_failed: 'warn',
  webhook_delivered: 'info',
  webhook_answer_refused: 'error',
  webhook_given_up: 'error',
};

const words: Record<BotLogType, (what: string) => string> = {
  bot_failed: () => 'The bot failed at an event.',
  webhook_failed: (what) => `The webhook did not take an event: ${what}.`,
  webhook_delivered: () => 'The webhook took an event after earlier attempts had failed.',
  webhook_answer_refused: (what) => `The webhook's answer could not be sent: ${what}.`,
  webhook_given_up: (what) => `An event was given up: ${what}. It is among the dead letters.`,
};

/** An entry as the API tells it. */
export function toBotLog(row: BotLogRow): BotLog {
  const { id, kind, eventId, conversationId, attempt, status, reason, error, createdAt } = row;
  return {
    id,
    timestamp: new Date(createdAt).toISOString(),
    level: levels[kind],
    type: kind,
    message: words[kind](reason ?? `status ${status}`),
    eventId,
    conversationId,
    attempt,
    ...(status === null ? {} : { status }),
    ...(reason === null ? {} : { reason }),
    ...(error === null ? {} : { error: JSON.parse(error) as Record<string, unknown> }),
  };
}
