// Delivers events to bots, code or webhook, at least once: one event at a time per conversation, conversations in
// parallel. A bot that throws or hangs does not affect other conversations.
import { ApiError } from '../api/errors.ts';
import type { WrittenEvent } from '../chat/index.ts';
import { type DeliveryRow, deleteDelivery } from '../storage/bots/deliveries.ts';
import { isOfDatabase } from '../storage/database.ts';
import { failingHandler, leaseLost, within } from './attempts/cancellation.ts';
import { isConversationMissing } from './attempts/conversation-missing.ts';
import type { BotRunner, BotRunnerOptions } from './attempts/runner-interface.ts';
import { createRunningHandlers, type RunningHandler } from './attempts/running-handlers.ts';
import { createStorageRetries } from './attempts/storage-retries.ts';
import { createRereading, createWrittenEvents } from './attempts/written-events.ts';
import { createSoleClaims } from './claims/claims.ts';
import { createSharedClaims } from './claims/shared-claims.ts';
import { createDeliveryFailures } from './delivery-failures.ts';
import { contextOfWritten, type EventContext, loadEvent } from './event-context.ts';
import { createBotLogs } from './log.ts';
import { createConcurrencyLimiter } from './webhooks/concurrency-limiter.ts';
import { createWebhookHandlers } from './webhooks/handlers.ts';
import { retryPlan } from './webhooks/retry.ts';

/** Deliveries of one event to bot code before it fails. Only a killed process causes a second delivery. */
const maxAttempts = 5;

export function createBotRunner(options: BotRunnerOptions): BotRunner {
  const { db, knowledge, broadcasts, shared, handlerOf, logger, now } = options;
  const { plan = retryPlan } = options.webhooks ?? {};
  const webhookHandler = createWebhookHandlers(options);
  const workers = new Map<string, Promise<void>>();
  /** Conversations woken while their worker runs, which may have read an empty queue, and whether others know of it. */
  const wokenWhileWorking = new Map<string, boolean>();
  const written = createWrittenEvents();
  const reread = createRereading(db);
  let isAccepting = true;
  let closed = false;

  const wakeKnown = (conversationId: string): void => wake(conversationId, { isNews: false });
  const limiter = createConcurrencyLimiter({ wake: wakeKnown, processes: shared?.processes });
  const claims = shared
    ? createSharedClaims({
        db,
        logger,
        broadcasts,
        shared,
        wake: wakeKnown,
        wakeForSlot: (id, botId) => limiter.hasFreeSlot(botId) && wakeKnown(id),
        isKnown: (id) => workers.has(id) || limiter.isQueued(id),
        onLost() {
          written.clear();
          handlers.cancelAll(leaseLost);
        },
        onChange: options.onClaimChange,
      })
    : createSoleClaims({ db, logger, now, wake: wakeKnown });
  const { scheduler } = claims;
  const logs = createBotLogs(now, shared?.processes);
  const failures = createDeliveryFailures({ ...options, now: claims.now, logs, plan });
  const storageRetries = createStorageRetries(wakeKnown);
  const parts = { logs, failures, limiter, scheduler, storageRetries, wake: wakeKnown };
  const handlers = createRunningHandlers({ ...options, ...parts });

  /**
   * Delivers an event as it was written; `isNew`: just now. Resolves with true when it is over, with false when the events of
   * the conversation have to be read, and with undefined when the conversation has to wait for a slot.
   */
  async function deliverWritten(event: WrittenEvent, isNew: boolean): Promise<boolean | undefined> {
    const { bot, conversation, delivery } = event;
    const isRemote = bot.webhookUrl !== null;
    if (isRemote && !limiter.acquire(bot.id, conversation.id)) {
      if (!claims.isShared) written.putBack(event);
      else await claims.release(delivery);
      claims.leaveToOthers(conversation.id, bot.id);
      return undefined;
    }
    const running = handlers.register(conversation, delivery.userId);
    try {
      // The effects of other writes of the same commit come first: one may have deleted the conversation.
      await Promise.resolve();
      const current = isNew ? event : await reread(event);
      if (!current || running.isMerged) {
        written.putBack(event);
        return false;
      }
      const context = await contextOfWritten(db, current, { now: now(), knowledge });
      return await handle(delivery, context, running);
    } finally {
      handlers.forget(conversation.id);
      if (isRemote) limiter.release(bot.id);
    }
  }

  /** `isNews`: other processes may not know of the events. */
  async function processQueue(
    conversationId: string,
    first: WrittenEvent | undefined,
    isNews: boolean,
  ): Promise<void> {
    const isOwn = ({ delivery }: WrittenEvent) => delivery.owner === claims.owner();
    let next = first;
    // After a lost lease, the event is read and claimed like all others.
    while (next && isOwn(next) && isAccepting) {
      const isOver = await deliverWritten(next, next === first);
      if (isOver === undefined) return;
      // Those that this process has claimed since follow it. Nothing else comes before them.
      next = isOver ? written.takeFirst(conversationId) : undefined;
      // Nothing else is pending, except what has woken this worker since.
      if (isOver && !next && !wokenWhileWorking.has(conversationId)) return limiter.cancel(conversationId);
    }
    if (next) written.putBack(next);
    while (isAccepting) {
      const claimed = written.count(conversationId);
      const found = await claims.next(conversationId, isNews);
      if (!found) {
        // They were deleted, or taken over.
        written.drop(conversationId, claimed);
        break;
      }
      const isRemote = found.bot !== undefined && found.bot.webhookUrl !== null;
      // Queued by the limiter, which wakes this conversation when it gets a slot. Others may have one now.
      if (isRemote && !limiter.acquire(found.botId, conversationId)) {
        if (isNews) claims.leaveToOthers(conversationId, found.botId);
        return;
      }
      try {
        if (!(await deliver(found))) {
          written.drop(conversationId);
          break;
        }
      } finally {
        if (isRemote) limiter.release(found.botId);
      }
    }
    if (!isAccepting) {
      for (const { delivery } of written.drop(conversationId)) await claims.release(delivery);
      claims.leaveToOthers(conversationId);
    }
    limiter.cancel(conversationId);
  }

  /** Returns false when another process has claimed an event of the conversation. */
  async function deliver(next: DeliveryRow): Promise<boolean> {
    const { eventId, conversationId } = next;
    const isBegun = written.take(conversationId, eventId) && next.owner === claims.owner();
    // In a server that is one process, the event was deleted, and the next one is delivered.
    if (!isBegun && !(await claims.begin(next))) return !claims.isShared;
    // Read again, after the commit: a merge of users in between has changed the user, a deletion has removed the delivery.
    const found = await db.read((tx) => loadEvent(tx, eventId, { now: now(), knowledge }));
    if (found) await handle(found.delivery, found.context);
    return true;
  }

  /** `context`: undefined when the message, its author or the bot was deleted. Returns whether the event is over. */
  async function handle(
    delivery: DeliveryRow,
    context: EventContext | undefined,
    running?: RunningHandler,
  ): Promise<boolean> {
    const isRemote = context !== undefined && context.bot.webhookUrl !== null;
    const attempts = delivery.attempts - storageRetries.discounted(delivery.eventId);
    const handler =
      context &&
      (isRemote
        ? webhookHandler(context, delivery.attempts)
        : await handlerOf(context.bot).catch(failingHandler));
    // `close` has already cancelled all running handlers and missed this one, or the lease was lost.
    if (!isAccepting || delivery.owner !== claims.owner()) return false;
    // The message, its author or the bot was deleted, or the bot has no code.
    if (!context || !handler) await db.write((tx) => deleteDelivery(tx, delivery));
    // A delivery with a due time was sent to a webhook before; attempts at webhooks have their own limit.
    else if (!isRemote && delivery.dueAt === 0 && attempts > maxAttempts)
      await failures.recordFailure(context, delivery, new ApiError('Runtime', 'Too many attempts.'));
    else return handlers.run(context, delivery, handler, running);
    return true;
  }

  function wake(
    conversationId: string,
    { event, isNews = true }: { event?: WrittenEvent | undefined; isNews?: boolean },
  ): void {
    if (!isAccepting) {
      if (isNews) claims.leaveToOthers(conversationId);
      return;
    }
    const isBusy = workers.has(conversationId);
    if (event && (isBusy || !event.isFirst)) written.add(event);
    if (isBusy) {
      if (!event)
        wokenWhileWorking.set(conversationId, isNews || wokenWhileWorking.get(conversationId) === true);
      return;
    }
    let hasFailed = false;
    const worker = processQueue(conversationId, event?.isFirst ? event : undefined, isNews)
      .catch((error: unknown) => {
        hasFailed = true;
        limiter.cancel(conversationId);
        if (isOfDatabase(error)) storageRetries.retry(conversationId);
        else if (!closed && !isConversationMissing(error)) {
          logger.error({ conversationId, err: error }, 'delivering bot events failed');
          // This process owns the event, so that no other one delivers it.
          if (claims.isShared) storageRetries.retry(conversationId);
        }
      })
      .finally(() => {
        workers.delete(conversationId);
        const isNewsSince = wokenWhileWorking.get(conversationId);
        wokenWhileWorking.delete(conversationId);
        const isWaiting =
          !hasFailed && written.count(conversationId) > 0 && !limiter.isQueued(conversationId);
        if (isNewsSince !== undefined || isWaiting) wake(conversationId, { isNews: isNewsSince ?? false });
      });
    workers.set(conversationId, worker);
  }

  return {
    wake: (conversationId) => wake(conversationId, {}),
    claimFor(bot) {
      const owner = claims.owner();
      if (owner === null) return { owner };
      const isRemote = bot.webhookUrl !== null;
      const hasFreeSlot = isAccepting && (!isRemote || limiter.hasFreeSlot(bot.id));
      // A webhook may be tried again later, and hold back what follows.
      return owner === undefined || !hasFreeSlot ? undefined : { owner, canFollow: !isRemote };
    },
    deliver(event) {
      wake(event.conversation.id, { event: event.delivery.attempts > 0 ? event : undefined });
    },
    start: () => claims.start(),
    cancel: broadcasts.everywhere('cancelBotHandler', handlers.cancel),
    cancelOwner: broadcasts.everywhere('cancelBotHandlersOfUser', handlers.cancelOwner),
    changeOwner: broadcasts.everywhere('moveBotHandlersOfUser', handlers.changeOwner),
    async drain(timeLimit) {
      isAccepting = false;
      await within(timeLimit, Promise.all([scheduler.close(), ...workers.values()]));
    },
    async close() {
      closed = true;
      isAccepting = false;
      storageRetries.close();
      handlers.cancelAll();
      await Promise.all([scheduler.close(), ...workers.values()]);
      await claims.close();
    },
  };
}
