// Handles failed deliveries to a bot: logs the failure, notifies the visitor, and drops the event, schedules a retry or
// moves it to the dead letters.
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import type { Metadata, Payload } from '../../protocol/message.ts';
import type { Transcript } from '../chat/index.ts';
import { BotError, describeBotError, describeError } from '../startup/log.ts';
import {
  type DeliveryRow,
  deleteDelivery,
  deliveryStates,
  settleDelivery,
} from '../storage/bots/deliveries.ts';
import { deleteMessagesByOrigin, findMessageByOrigin } from '../storage/chat/messages.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { findHandling } from '../storage/inbox/handlings.ts';
import { AgentFailure } from './agents/response.ts';
import { createFence } from './attempts/claims.ts';
import { contextOf } from './current-event.ts';
import type { EventContext } from './event-context.ts';
import type { BotLogs, NewBotLog } from './log.ts';
import type { BotSettings } from './settings.ts';
import { DeliveryRejected, InvalidWebhookResponse } from './webhooks/handler.ts';
import { planRetry, type RetryPlan } from './webhooks/retry.ts';

/** The message that the visitor sees when the bot failed. */
const failureMessage = { type: 'text', text: 'Sorry, no answer came. Please try again.' } as const;

export interface DeliveryFailures {
  /** Logs the failure, notifies the visitor and deletes the delivery. */
  recordFailure(context: EventContext, delivery: DeliveryRow, error: unknown): Promise<void>;
  /**
   * Stores when the webhook receives the event again and returns that time; undefined for a dead letter. The visitor is
   * notified when later events of the conversation no longer wait for this one.
   */
  scheduleRetry(
    context: EventContext,
    delivery: DeliveryRow,
    failure: DeliveryRejected,
  ): Promise<number | undefined>;
}

export interface DeliveryFailuresOptions {
  db: Database;
  transcript: Transcript;
  logger: Logger;
  logs: BotLogs;
  plan: RetryPlan;
  now(): number;
  settings: BotSettings;
}

export function createDeliveryFailures(options: DeliveryFailuresOptions): DeliveryFailures {
  const { db, transcript, logger, logs, plan, now, settings } = options;

  /** Sends the failure message to the visitor, once per event; in development after the error. */
  async function notifyVisitorOfFailure(
    tx: WriteTx,
    context: EventContext,
    eventId: string,
    error: unknown,
  ): Promise<void> {
    const { bot, conversation } = context;
    // The visitor waits for no answer to a message of the bot.
    if (context.event.direction === 'outgoing') return;
    const handling = await findHandling(tx, conversation.id);
    if (handling && handling.state !== 'bot') return;
    const origin = `${eventId}:failed`;
    if (await findMessageByOrigin(tx, origin)) return;
    const author = { id: bot.userId, foreignId: null, isBot: true, isSilent: true, origin };
    if (settings.DEV_ERRORS === 'on') {
      const shown = { ...author, origin: developmentOrigin(eventId) };
      await transcript.addMessage(tx, conversation, shown, developmentError(context, error));
    }
    await transcript.addMessage(tx, conversation, author, {
      payload: failureMessage,
      metadata: { error: 'bot_failed' },
    });
  }

  return {
    async recordFailure(context, delivery, error) {
      const { eventId } = delivery;
      const isRemote = error instanceof InvalidWebhookResponse;
      const fields = {
        ...contextOf(context),
        ...(context.bot.code === null ? {} : { code: context.bot.code }),
      };
      if (error instanceof AgentFailure) logger.warn({ ...fields, ...resultOf(error) }, 'agent failed');
      else logger.error({ ...fields, err: isRemote ? error : new BotError(error) }, 'bot failed');
      const log =
        error instanceof AgentFailure
          ? { ...logEntry('agent_failed', delivery), ...resultOf(error) }
          : error instanceof InvalidWebhookResponse
            ? { ...logEntry('webhook_answer_refused', delivery), reason: error.reason }
            : { ...logEntry('bot_failed', delivery), error: JSON.stringify(describeError(error)) };
      const fence = createFence(delivery);
      await db.write(async (tx) => {
        // Whether a person answers does not change before the visitor is notified.
        await tx.lock(`conversation:${delivery.conversationId}`);
        await fence.hold(tx);
        await logs.add(tx, log);
        const isNotified = error instanceof AgentFailure && error.isAnswered;
        if (!isNotified) await notifyVisitorOfFailure(tx, context, eventId, error);
        await deleteDelivery(tx, delivery);
      });
    },

    async scheduleRetry(context, delivery, failure) {
      const { status = null, reason = null, retryAfter, isFinal } = failure;
      const { eventId, conversationId, attempts, state: before } = delivery;
      const retry = planRetry({ attempts, state: before, retryAfter, isFinal }, plan, Math.random());
      const isDead = retry.state === deliveryStates.deadLetter;
      const at = now();
      const dueAt = isDead ? at : at + Math.max(1, retry.delay);
      const fields = {
        eventId,
        conversationId,
        botId: context.bot.id,
        attempts,
        status,
        reason,
        next: retry.state,
      };
      logger.warn(fields, 'webhook failed');
      const fence = createFence(delivery);
      await db.write(async (tx) => {
        // Whether a person answers does not change before the visitor is notified.
        await tx.lock(`conversation:${conversationId}`);
        await fence.hold(tx);
        const { owner } = delivery;
        const settled = { eventId, owner, state: retry.state, dueAt, reason: reason ?? String(status) };
        // 0 rows: the delivery was deleted with its bot or its conversation.
        if ((await settleDelivery(tx, { ...settled, failedAt: isDead ? at : null })) === 0) return;
        await logs.add(tx, { ...logEntry('webhook_failed', delivery), status, reason });
        if (isDead) await logs.add(tx, { ...logEntry('webhook_given_up', delivery), status, reason });
        const stopsBlocking = before === deliveryStates.pending && retry.state !== deliveryStates.pending;
        if (stopsBlocking && delivery.kind === 'message')
          await notifyVisitorOfFailure(tx, context, eventId, failure);
      });
      return isDead ? undefined : dueAt;
    },
  };
}

/** The status of the agent, or the code of the server if that is not the reason. */
const resultOf = ({ status, code }: AgentFailure) =>
  status === undefined ? { status: null, reason: code } : { status, reason: null };

/** A log entry about one attempt. */
export const logEntry = (
  kind: NewBotLog['kind'],
  { botId, eventId, conversationId, attempts }: DeliveryRow,
): NewBotLog => ({ botId, kind, eventId, conversationId, attempt: attempts });

const prefix = 'development:';

/** The origin of the message about an event. All of them begin with the same text, so that they can be removed. */
export const developmentOrigin = (eventId: string): string => `${prefix}${eventId}`;

/**
 * Removes the messages that a start in development left in the data folder. A server in production calls it before it
 * answers requests, so that it cannot send them.
 */
export const removeDevelopmentErrors = (db: Database): Promise<void> =>
  db.write((tx) => deleteMessagesByOrigin(tx, prefix));

/**
 * The message that shows the error of a bot in the visitor's chat window, in development only: one line, which the window
 * wraps, and the stack as a Markdown code block, which the window shows as text that can be scrolled and copied.
 */
export function developmentError(
  { bot, event }: EventContext,
  error: unknown,
): { payload: Payload; metadata: Metadata } {
  const { line, stack } = textOf(error);
  const introduction = `The bot ${inline(bot.webhookId)} failed to handle an event of the type ${inline(event.type)}.`;
  const parts = [
    `**${introduction}**`,
    inline(line),
    ...(stack === '' ? [] : [block(stack)]),
    'Only a server in development shows this. Its log has the whole stack.',
  ];
  return {
    payload: { type: 'markdown', markdown: parts.join('\n\n') },
    metadata: { development: true },
  };
}

/** More backticks than a text contains in a row, so that the text cannot end the code. */
const fence = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));

const block = (text: string): string => `${fence(text, 3)}text\n${text}\n${fence(text, 3)}`;

function inline(text: string): string {
  const ticks = fence(text, 1);
  return `${ticks} ${text.replace(/\s+/g, ' ').trim()} ${ticks}`;
}

/** `line`: the error without its stack; `stack`: '' where there is none. */
function textOf(error: unknown): { line: string; stack: string } {
  if (error instanceof InvalidWebhookResponse)
    return { line: `The response of the webhook was refused: ${error.message}`, stack: '' };
  if (error instanceof DeliveryRejected)
    return { line: `The webhook did not accept the event: ${error.message}`, stack: '' };
  if (error instanceof AgentFailure) return { line: `The agent gave no answer: ${error.message}`, stack: '' };
  const { type, message, stack = '', cause, errors = [] } = describeBotError(error);
  const line = error instanceof Error ? `${type}: ${message}` : `${message} (thrown as ${type})`;
  const inner = [...errors, ...(cause ? [cause] : [])].map(
    (one) => `Caused by: ${one.stack ?? `${one.type}: ${one.message}`}`,
  );
  return { line, stack: [stack, ...inner].filter(Boolean).map(ownFrames).join('\n') };
}

/** The folder of the built server. */
const server = new URL('..', import.meta.url).href;

/** The stack without frames of Node and of this server, and with paths that are relative to the working directory. */
const ownFrames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !/^ {4}at /.test(line) || !(line.includes('node:') || line.includes(server)))
    .join('\n')
    .replaceAll(`${pathToFileURL(process.cwd()).href}/`, '');
