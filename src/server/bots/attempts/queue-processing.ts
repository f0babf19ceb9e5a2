// Delivers the events of one conversation, one after the other: those that this process has just written as they are, all
// others from the database.
import { ApiError } from '../../api/errors.ts';
import type { WrittenEvent } from '../../chat/index.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import { asksForAnswer, type DeliveryRow, deleteDelivery } from '../../storage/bots/deliveries.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { findHandling } from '../../storage/inbox/handlings.ts';
import { noteEmptySearch } from '../../storage/inbox/reports.ts';
import { agentTimeLimitMs, createAgentHandlers } from '../agents/handlers.ts';
import type { DeliveryFailures } from '../delivery-failures.ts';
import { contextOfWritten, type EventContext, loadEvent } from '../event-context.ts';
import type { BotLogs } from '../log.ts';
import { failingHandler } from '../threads/load-bot.ts';
import type { ConcurrencyLimiter } from '../webhooks/concurrency-limiter.ts';
import { createWebhookHandlers } from '../webhooks/handler.ts';
import { unlessAborted } from './cancellation.ts';
import type { Claims } from './claims.ts';
import type { BotRunnerOptions } from './runner-interface.ts';
import type { RunningHandler, RunningHandlers } from './running-handlers.ts';
import type { StorageRetries } from './storage-retries.ts';
import { createRereading, type WrittenEvents, withAttempt } from './written-events.ts';

/** Deliveries of one event before it fails. Only a killed process causes a second delivery; each run of an agent costs money. */
const maxAttempts = { code: 5, agent: 2 };

/**
 * How the delivery of an event ended. `again`: it may have to be handled again, so that the events of the conversation are
 * read; `none`: there is none for this process now; `queued`: the conversation waits for a slot.
 */
type Outcome = 'over' | 'again' | 'none' | 'queued';

export interface QueueProcessingOptions extends BotRunnerOptions {
  claims: Claims;
  limiter: ConcurrencyLimiter;
  handlers: RunningHandlers;
  written: WrittenEvents;
  logs: BotLogs;
  failures: DeliveryFailures;
  storageRetries: StorageRetries;
  /** False when no further event is to be begun. */
  isAccepting(): boolean;
  /** Aborted when the runner is closed. */
  closing: AbortSignal;
  /** Whether further events were written since the processing of the conversation began. */
  isWoken(conversationId: string): boolean;
}

/**
 * Returns a function that delivers the events of a conversation until there are no more for this process. `first`: an event
 * that was just written; `isNew`: other processes may not know of the events.
 */
export function createQueueProcessing(options: QueueProcessingOptions) {
  const { db, knowledge, now, logger, closing, claims, limiter, handlers, written } = options;
  const { failures, storageRetries, isAccepting, isWoken } = options;
  const webhookHandler = createWebhookHandlers(options);
  const agentHandlerOf = createAgentHandlers(options);
  const reread = createRereading(db);
  // The code of a bot may never be loaded, and the time of the event has not begun.
  const handlerOf = (bot: BotRow) => unlessAborted(options.handlerOf(bot), closing);

  /** Delivers an event as it was written; `isNew`: just now. */
  async function deliverWritten(claimed: WrittenEvent, isNew: boolean): Promise<Outcome> {
    const { bot, conversation } = claimed;
    let event = claimed;
    const isRemote = bot.webhookUrl !== null;
    if (isRemote && !limiter.acquire(bot.id, conversation.id)) {
      if (!claims.isShared) written.putBack(event);
      else await claims.release(event.delivery);
      claims.notifyOtherProcesses(conversation.id, bot.id);
      return 'queued';
    }
    const running = handlers.register(conversation, event.delivery);
    try {
      // The effects of other writes of the same commit come first: one may have deleted the conversation.
      await Promise.resolve();
      if (event.delivery.attempts === 0) {
        if (!(await claims.begin(event.delivery))) return 'again';
        event = withAttempt(event);
      }
      const current = isNew ? event : await reread(event);
      if (!current || running.isMerged) {
        written.putBack(event);
        return 'again';
      }
      const context = await contextOfWritten(db, current, { now: now(), knowledge });
      return await handle(event.delivery, context, running);
    } finally {
      handlers.forget(conversation.id);
      if (isRemote) limiter.release(bot.id);
    }
  }

  async function processQueue(
    conversationId: string,
    first: WrittenEvent | undefined,
    isNew: boolean,
  ): Promise<void> {
    let next = first;
    let hasRead = false;
    while (isAccepting()) {
      let outcome: Outcome;
      // After a lost lease, the event is read and claimed like all others.
      if (next && next.delivery.owner === claims.owner())
        outcome = await deliverWritten(next, next === first);
      else {
        if (next) written.putBack(next);
        hasRead = true;
        outcome = await deliverRead(conversationId, isNew);
      }
      if (outcome === 'queued') return;
      // Events that this process has claimed since follow it: it has claimed all that come before them.
      next = outcome === 'over' ? written.takeFirst(conversationId) : undefined;
      // Nothing else is pending, except what has woken this worker since.
      const isEmpty = !next && written.count(conversationId) === 0;
      if (outcome === 'none' || (isEmpty && !hasRead && !isWoken(conversationId))) break;
    }
    if (!isAccepting()) {
      if (next) written.putBack(next);
      await giveUp(conversationId);
      claims.notifyOtherProcesses(conversationId);
    }
    limiter.cancel(conversationId);
  }

  /** The first events that wait here, all by default, are not begun: the next claim of an event must not follow them. */
  async function giveUp(conversationId: string, count?: number): Promise<void> {
    for (const { delivery } of written.drop(conversationId, count)) await claims.release(delivery);
  }

  /** Delivers the next event of the conversation in the database. */
  async function deliverRead(conversationId: string, isNew: boolean): Promise<Outcome> {
    const waiting = written.count(conversationId);
    const found = await claims.next(conversationId, isNew);
    if (!found) {
      await giveUp(conversationId, waiting);
      return 'none';
    }
    const isRemote = found.bot !== undefined && found.bot.webhookUrl !== null;
    // Queued by the limiter, which wakes this conversation when it gets a slot. Others may have one now.
    if (isRemote && !limiter.acquire(found.botId, conversationId)) {
      if (isNew) claims.notifyOtherProcesses(conversationId, found.botId);
      return 'queued';
    }
    try {
      // Its code can take long to load. The attempt counts when the handler begins, so the process may be killed until then.
      if (found.bot && !isRemote) await handlerOf(found.bot).catch(() => {});
      return isAccepting() ? await deliver(found) : 'again';
    } finally {
      if (isRemote) limiter.release(found.botId);
    }
  }

  async function deliver({ eventId, conversationId, ...next }: DeliveryRow): Promise<Outcome> {
    const isClaimed = written.take(conversationId, eventId) && next.owner === claims.owner();
    const isBegun = isClaimed && next.attempts > 0;
    if (!isBegun && !(await claims.begin({ ...next, eventId, conversationId }))) {
      // In a server that is one process, the event was deleted, and the next one is delivered.
      if (!claims.isShared) return 'again';
      // Another process has claimed an event of the conversation.
      await giveUp(conversationId);
      return 'none';
    }
    // Read again, after the commit: a merge of users in between has changed the user, a deletion has removed the delivery.
    const found = await db.read((tx) => loadEvent(tx, eventId, { now: now(), knowledge }));
    return found ? handle(found.delivery, found.context) : 'over';
  }

  /** Records a message for which the knowledge bases have no passage. A failure does not keep the bot from answering. */
  async function noteQuestion({ event: { messageId = '' }, conversation, bot }: EventContext): Promise<void> {
    const message = { id: messageId, conversationId: conversation.id };
    await db
      .write((tx) => noteEmptySearch(tx, message, bot.id, now()))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'a question without a passage was not recorded'),
      );
  }

  /** `context`: undefined when the message, its author or the bot was deleted. */
  async function handle(
    delivery: DeliveryRow,
    context: EventContext | undefined,
    running?: RunningHandler,
  ): Promise<Outcome> {
    if (context && hasNoPassage(context.event)) await noteQuestion(context);
    // A person has taken the conversation over since the event was queued.
    if (context && asksForAnswer(delivery) && (await isTaken(context.conversation))) {
      await db.write((tx) => deleteDelivery(tx, delivery));
      return 'over';
    }
    const isRemote = context !== undefined && context.bot.webhookUrl !== null;
    const attempts = delivery.attempts - storageRetries.discounted(delivery.eventId);
    const agentHandler = context && !isRemote ? await agentHandlerOf(context, delivery) : undefined;
    const handler =
      context &&
      (isRemote
        ? webhookHandler(context, delivery.attempts)
        : (agentHandler ?? (await handlerOf(context.bot).catch(failingHandler))));
    const ofCode = agentHandler ? 'agent' : 'code';
    // `close` has already cancelled all running handlers and missed this one, or the lease was lost.
    if (!isAccepting() || delivery.owner !== claims.owner()) return 'again';
    // The message, its author or the bot was deleted, or the bot has no code.
    if (!context || !handler) await db.write((tx) => deleteDelivery(tx, delivery));
    // A delivery with a due time was sent to a webhook before; attempts at webhooks have their own limit.
    else if (!isRemote && delivery.dueAt === 0 && attempts > maxAttempts[ofCode])
      await failures.recordFailure(context, delivery, new ApiError('Runtime', 'Too many attempts.'));
    else {
      const kind = isRemote ? 'webhook' : ofCode;
      const timeLimit = agentHandler && agentTimeLimitMs;
      const isOver = await handlers.run(context, delivery, handler, { registered: running, timeLimit, kind });
      if (!isOver) return 'again';
    }
    return 'over';
  }

  /** Whether a person answers, or is waited for. Most conversations never had one. */
  const isTaken = async ({ id, hasHandling }: ConversationRow): Promise<boolean> => {
    if (hasHandling === 0) return false;
    const handling = await db.read((tx) => findHandling(tx, id));
    return handling !== undefined && handling.state !== 'bot';
  };

  return processQueue;
}

/** Whether the knowledge bases of the bot were searched for the text of a visitor, and have no passage. */
const hasNoPassage = ({ kb, payload }: EventContext['event']): boolean =>
  kb?.results?.length === 0 && 'text' in payload && String(payload.text).trim() !== '';
