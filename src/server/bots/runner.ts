// Delivers events to bots, code or webhook, at least once: one event at a time per conversation, conversations in
// parallel. A bot that throws or hangs does not affect other conversations.
import { ApiError } from '../api/errors.ts';
import type { WrittenEvent } from '../chat/index.ts';
import { type DeliveryRow, deleteDelivery, findDelivery } from '../storage/bots/deliveries.ts';
import { isOfDatabase } from '../storage/database.ts';
import { failingHandler, isConversationMissing, leaseLost, within } from './attempts/cancellation.ts';
import type { BotRunner, BotRunnerOptions } from './attempts/runner-interface.ts';
import { createRunningHandlers, type RunningHandler } from './attempts/running-handlers.ts';
import { createStorageRetries } from './attempts/storage-retries.ts';
import { createSoleClaims } from './claims/claims.ts';
import { createSharedClaims } from './claims/shared-claims.ts';
import { createDeliveryFailures } from './delivery-failures.ts';
import { contextOfWritten, type EventContext, loadEventContext } from './event-context.ts';
import { createBotLogs } from './log.ts';
import { inProcess } from './threads/load-bot.ts';
import { createAddressPolicy } from './webhooks/addresses.ts';
import { createConcurrencyLimiter } from './webhooks/concurrency-limiter.ts';
import { createWebhookHandler } from './webhooks/handler.ts';
import { retryPlan } from './webhooks/retry.ts';

/** Milliseconds that one webhook request may take. */
const webhookTimeLimit = 15_000;
/** Deliveries of one event to bot code before it fails. Only a killed process causes a second delivery. */
const maxAttempts = 5;

export function createBotRunner(options: BotRunnerOptions): BotRunner {
  const { db, knowledge, broadcasts, shared, handlerOf, logger, now } = options;
  const { plan = retryPlan, privateNetworks = 'refuse' } = options.webhooks ?? {};
  const addressesOf = createAddressPolicy(privateNetworks, options.workspaceId);
  const webhooks = { timeLimit: options.webhooks?.timeLimit ?? webhookTimeLimit, now };
  const workers = new Map<string, Promise<void>>();
  /** Conversations woken while their worker runs, which may have read an empty queue, and whether others know of it. */
  const wokenWhileWorking = new Map<string, boolean>();
  /** Conversation -> its first event, if it waits here and its attempt was counted when it was written. */
  const begun = new Map<string, string>();
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
          begun.clear();
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

  /** Delivers an event that is pending alone. Returns false when the conversation has to wait for a slot. */
  async function deliverWritten(written: WrittenEvent): Promise<boolean> {
    const { bot, conversation, delivery } = written;
    const isRemote = bot.webhookUrl !== null;
    if (isRemote && !limiter.acquire(bot.id, conversation.id)) {
      if (!claims.isShared) begun.set(conversation.id, delivery.eventId);
      else await claims.release(delivery);
      claims.leaveToOthers(conversation.id, bot.id);
      return false;
    }
    const running = handlers.register(conversation, delivery.userId);
    try {
      // The effects of other writes of the same commit come first: one may have deleted the conversation.
      await Promise.resolve();
      if (running.isMerged) {
        begun.set(conversation.id, delivery.eventId);
        await deliver(delivery);
      } else await handle(delivery, await contextOfWritten(db, written, { now: now(), knowledge }), running);
    } finally {
      handlers.forget(conversation.id);
      if (isRemote) limiter.release(bot.id);
    }
    return true;
  }

  /** `isNews`: other processes may not know of the events. */
  async function processQueue(
    conversationId: string,
    written: WrittenEvent | undefined,
    isNews: boolean,
  ): Promise<void> {
    // After a lost lease, the event is read and claimed like all others.
    if (written && written.delivery.owner === claims.owner()) {
      if (!(await deliverWritten(written))) return;
      // Nothing else is pending, except what has woken this worker since.
      if (!wokenWhileWorking.has(conversationId)) return limiter.cancel(conversationId);
    }
    while (isAccepting) {
      const next = await claims.next(conversationId, isNews);
      if (!next) break;
      const isRemote = next.bot !== undefined && next.bot.webhookUrl !== null;
      // Queued by the limiter, which wakes this conversation when it gets a slot. Others may have one now.
      if (isRemote && !limiter.acquire(next.botId, conversationId)) {
        if (isNews) claims.leaveToOthers(conversationId, next.botId);
        return;
      }
      try {
        if (!(await deliver(next))) break;
      } finally {
        if (isRemote) limiter.release(next.botId);
      }
    }
    if (!isAccepting) claims.leaveToOthers(conversationId);
    begun.delete(conversationId);
    limiter.cancel(conversationId);
  }

  /** Returns false when another process has claimed an event of the conversation. */
  async function deliver(next: DeliveryRow): Promise<boolean> {
    const { eventId, conversationId } = next;
    const isBegun = begun.get(conversationId) === eventId && next.owner === claims.owner();
    begun.delete(conversationId);
    // In a server that is one process, the event was deleted, and the next one is delivered.
    if (!isBegun && !(await claims.begin(next))) return !claims.isShared;
    // Read again, after the commit: a merge of users in between has changed the user, a deletion has removed the delivery.
    const found = await db.read(async (tx) => {
      const delivery = await findDelivery(tx, eventId);
      return (
        delivery && { delivery, context: await loadEventContext(tx, delivery, { now: now(), knowledge }) }
      );
    });
    if (found) await handle(found.delivery, found.context);
    return true;
  }

  /** `context`: undefined when the message, its author or the bot was deleted. */
  async function handle(
    delivery: DeliveryRow,
    context: EventContext | undefined,
    running?: RunningHandler,
  ): Promise<void> {
    const isRemote = context !== undefined && context.bot.webhookUrl !== null;
    const handler =
      context &&
      (isRemote
        ? webhookHandler(context, delivery.attempts)
        : await handlerOf(context.bot).catch(failingHandler));
    // `close` has already cancelled all running handlers and missed this one, or the lease was lost.
    if (!isAccepting || delivery.owner !== claims.owner()) return;
    // The message, its author or the bot was deleted, or the bot has no code.
    if (!context || !handler) await db.write((tx) => deleteDelivery(tx, delivery));
    // A delivery with a due time was sent to a webhook before; attempts at webhooks have their own limit.
    else if (!isRemote && delivery.dueAt === 0 && countedAttempts(delivery) > maxAttempts)
      await failures.recordFailure(context, delivery, new ApiError('Runtime', 'Too many attempts.'));
    else await handlers.run(context, delivery, handler, running);
  }

  const webhookHandler = (context: EventContext, attempts: number) => {
    const addresses = addressesOf(context.bot.workspaceId);
    return inProcess(createWebhookHandler({ ...webhooks, addresses }, context, attempts)).handle;
  };

  const countedAttempts = ({ eventId, attempts }: DeliveryRow): number =>
    attempts - storageRetries.discounted(eventId);

  function wake(
    conversationId: string,
    { written, isNews = true }: { written?: WrittenEvent | undefined; isNews?: boolean },
  ): void {
    if (!isAccepting) {
      if (isNews) claims.leaveToOthers(conversationId);
      return;
    }
    if (workers.has(conversationId)) {
      if (written) begun.set(conversationId, written.delivery.eventId);
      wokenWhileWorking.set(conversationId, isNews || wokenWhileWorking.get(conversationId) === true);
      return;
    }
    const worker = processQueue(conversationId, written, isNews)
      .catch((error: unknown) => {
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
        if (isNewsSince !== undefined) wake(conversationId, { isNews: isNewsSince });
      });
    workers.set(conversationId, worker);
  }

  return {
    wake: (conversationId) => wake(conversationId, {}),
    claimFor(bot) {
      const owner = claims.owner();
      if (owner === null) return { owner };
      const hasFreeSlot = isAccepting && (bot.webhookUrl === null || limiter.hasFreeSlot(bot.id));
      return owner === undefined || !hasFreeSlot ? undefined : { owner };
    },
    deliver(written) {
      const { conversation, delivery } = written;
      wake(conversation.id, { written: delivery.attempts > 0 ? written : undefined });
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
