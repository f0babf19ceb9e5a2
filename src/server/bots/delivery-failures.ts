// What becomes of an event that its bot failed at: it is noted, the visitor is told, and it is let go, tried again or
// given up. It runs nothing.
import type { Logger } from 'pino';
import type { Transcript } from '../chat/index.ts';
import { describeError } from '../log.ts';
import { type DeliveryRow, deleteDelivery, settleDelivery } from '../storage/bots/deliveries.ts';
import { findMessageByOrigin } from '../storage/chat/messages.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import type { Scene } from './event-context.ts';
import type { BotLogs, NewBotLog } from './log.ts';
import { AnswerRefused, type NotTaken } from './webhooks/handler.ts';
import { planRetry, type RetryPlan } from './webhooks/retry.ts';

/** What the visitor reads when their bot failed. */
const apology = { type: 'text', text: 'Sorry, no answer came. Please try again.' } as const;

export interface BotFailures {
  /** Logs the failure, tells the visitor, and lets the event go. */
  fail(scene: Scene, delivery: DeliveryRow, error: unknown): Promise<void>;
  /**
   * Notes when a webhook gets the event again, and gives that time; undefined when it was given up. The visitor is told
   * when the conversation goes on without it.
   */
  postpone(scene: Scene, delivery: DeliveryRow, failure: NotTaken): Promise<number | undefined>;
}

export interface BotFailuresOptions {
  db: Database;
  transcript: Transcript;
  logger: Logger;
  logs: BotLogs;
  plan: RetryPlan;
  now(): number;
}

export function createBotFailures(options: BotFailuresOptions): BotFailures {
  const { db, transcript, logger, logs, plan, now } = options;

  /** Tells the visitor that no answer came, once for an event. */
  async function apologize(tx: WriteTx, { bot, conversation }: Scene, eventId: string): Promise<void> {
    const origin = `${eventId}:failed`;
    if (await findMessageByOrigin(tx, origin)) return;
    const author = { id: bot.userId, foreignId: null, isBot: true, origin };
    await transcript.addMessage(tx, conversation, author, {
      payload: apology,
      metadata: { error: 'bot_failed' },
    });
  }

  return {
    async fail(scene, delivery, error) {
      const { eventId, conversationId } = delivery;
      logger.error({ eventId, conversationId, err: error }, 'bot failed');
      const log =
        error instanceof AnswerRefused
          ? { ...logEntry('webhook_answer_refused', delivery), reason: error.reason }
          : { ...logEntry('bot_failed', delivery), error: JSON.stringify(describeError(error)) };
      await db.write(async (tx) => {
        await logs.add(tx, log);
        await apologize(tx, scene, eventId);
        await deleteDelivery(tx, eventId);
      });
    },

    async postpone(scene, delivery, { status = null, reason = null, asked, isFinal }) {
      const { eventId, conversationId, attempts, state: before } = delivery;
      const retry = planRetry({ attempts, state: before, asked, isFinal }, plan, Math.random());
      const isDead = retry.state === 'dead';
      const at = now();
      const dueAt = isDead ? at : at + Math.max(1, retry.delay);
      const told = {
        eventId,
        conversationId,
        botId: scene.bot.id,
        attempts,
        status,
        reason,
        next: retry.state,
      };
      logger.warn(told, 'webhook failed');
      await db.write(async (tx) => {
        const settled = { eventId, state: retry.state, dueAt, reason: reason ?? String(status) };
        // Gone with its bot or its conversation.
        if ((await settleDelivery(tx, { ...settled, failedAt: isDead ? at : null })) === 0) return;
        await logs.add(tx, { ...logEntry('webhook_failed', delivery), status, reason });
        if (isDead) await logs.add(tx, { ...logEntry('webhook_given_up', delivery), status, reason });
        const isLeft = before === 'waiting' && retry.state !== 'waiting';
        if (isLeft && delivery.kind === 'message') await apologize(tx, scene, eventId);
      });
      return isDead ? undefined : dueAt;
    },
  };
}

/** An entry about an attempt. */
export const logEntry = (
  kind: NewBotLog['kind'],
  { botId, eventId, conversationId, attempts }: DeliveryRow,
): NewBotLog => ({ botId, kind, eventId, conversationId, attempt: attempts });
