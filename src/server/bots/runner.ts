// Delivers events to bots, code or webhook, at least once: one event at a time per conversation, conversations in
// parallel. A bot that throws or hangs does not affect other conversations.
import { setMaxListeners } from 'node:events';
import type { WrittenEvent } from '../chat/index.ts';
import { isOfDatabase } from '../storage/database.ts';
import { cancelled, isConversationMissing, leaseLost, within } from './attempts/cancellation.ts';
import { createSoleClaims } from './attempts/claims.ts';
import { createQueueProcessing } from './attempts/queue-processing.ts';
import type { BotRunner, BotRunnerOptions } from './attempts/runner-interface.ts';
import { createRunningHandlers } from './attempts/running-handlers.ts';
import { createStorageRetries } from './attempts/storage-retries.ts';
import { createWrittenEvents } from './attempts/written-events.ts';
import { createDeliveryFailures } from './delivery-failures.ts';
import { createBotLogs } from './log.ts';
import { createConcurrencyLimiter } from './webhooks/concurrency-limiter.ts';
import { retryPlan } from './webhooks/retry.ts';

export function createBotRunner(options: BotRunnerOptions): BotRunner {
  const { settings, db, processes, logger, now } = options;
  const { everywhere } = processes.broadcasts;
  const { plan = retryPlan } = options.webhookTimes ?? {};
  const workers = new Map<string, Promise<void>>();
  /** Conversations woken while their worker runs, which may have read an empty queue, and whether others know of it. */
  const wokenWhileWorking = new Map<string, boolean>();
  const written = createWrittenEvents();
  const closing = new AbortController();
  // Each conversation that waits for a handler listens.
  setMaxListeners(0, closing.signal);
  let isAccepting = true;

  const wakeKnown = (conversationId: string): void => wake(conversationId, { isNew: false });
  const limiter = createConcurrencyLimiter({
    total: settings.WEBHOOK_REQUESTS,
    perBot: settings.WEBHOOK_REQUESTS_PER_BOT,
    wake: wakeKnown,
  });
  const { createClaims = createSoleClaims } = options;
  const claims = createClaims({
    ...{ db, logger, now, wake: wakeKnown },
    wakeForSlot: (id, botId) => void (limiter.hasFreeSlot(botId) && wakeKnown(id)),
    isKnown: (id) => workers.has(id) || limiter.isQueued(id),
    onLost() {
      written.clear();
      handlers.cancelAll(leaseLost);
    },
  });
  const { scheduler } = claims;
  const logs = createBotLogs(now, processes.count);
  const failures = createDeliveryFailures({ ...options, now: claims.now, logs, plan });
  const storageRetries = createStorageRetries(wakeKnown);
  const parts = { logs, failures, limiter, scheduler, storageRetries, written, wake: wakeKnown };
  const handlers = createRunningHandlers({ ...options, ...parts });
  const processQueue = createQueueProcessing({
    ...options,
    ...parts,
    claims,
    handlers,
    isAccepting: () => isAccepting,
    closing: closing.signal,
    isWoken: (conversationId) => wokenWhileWorking.has(conversationId),
  });

  function wake(
    conversationId: string,
    { event, isNew = true }: { event?: WrittenEvent | undefined; isNew?: boolean },
  ): void {
    if (!isAccepting) {
      if (isNew) claims.notifyOtherProcesses(conversationId);
      return;
    }
    const isBusy = workers.has(conversationId);
    if (event && (isBusy || !event.isFirst)) written.add(event);
    if (isBusy) {
      if (!event)
        wokenWhileWorking.set(conversationId, isNew || wokenWhileWorking.get(conversationId) === true);
      return;
    }
    let hasFailed = false;
    const worker = processQueue(conversationId, event?.isFirst ? event : undefined, isNew)
      .catch((error: unknown) => {
        hasFailed = true;
        limiter.cancel(conversationId);
        if (isOfDatabase(error)) storageRetries.retry(conversationId);
        else if (!closing.signal.aborted && !isConversationMissing(error)) {
          logger.error({ conversationId, err: error }, 'delivering bot events failed');
          // This process owns the event, so that no other one delivers it.
          if (claims.isShared) storageRetries.retry(conversationId);
        }
      })
      .finally(() => {
        workers.delete(conversationId);
        const isNewSince = wokenWhileWorking.get(conversationId);
        wokenWhileWorking.delete(conversationId);
        const isWaiting =
          !hasFailed && written.count(conversationId) > 0 && !limiter.isQueued(conversationId);
        if (isNewSince !== undefined || isWaiting) wake(conversationId, { isNew: isNewSince ?? false });
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
      const isClaimed = event.delivery.attempts > 0 || event.delivery.owner !== null;
      wake(event.conversation.id, { event: isClaimed ? event : undefined });
    },
    start: () => claims.start(),
    cancel: everywhere('cancelBotHandler', handlers.cancel),
    cancelEvent: everywhere('cancelBotHandlerOfEvent', handlers.cancelEvent),
    takeOver: everywhere('takeOverFromBot', handlers.takeOver),
    cancelOwner: everywhere('cancelBotHandlersOfUser', handlers.cancelOwner),
    changeOwner: everywhere('moveBotHandlersOfUser', handlers.changeOwner),
    async drain(timeLimit) {
      isAccepting = false;
      await within(timeLimit, Promise.all([scheduler.close(), ...workers.values()]));
    },
    async close() {
      isAccepting = false;
      closing.abort(cancelled);
      storageRetries.close();
      handlers.cancelAll();
      await Promise.all([scheduler.close(), ...workers.values()]);
      await claims.close();
    },
  };
}
