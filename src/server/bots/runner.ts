// Delivers events to bots, code or webhook, at least once: one event at a time per conversation, conversations in
// parallel. A bot that throws or hangs does not affect other conversations.
import type { Logger } from 'pino';
import { ApiError } from '../api/errors.ts';
import { isDatabaseFull } from '../api/storage-full.ts';
import type { Transcript } from '../chat/index.ts';
import type { Presence } from '../realtime/presence.ts';
import { type BotRow, botById } from '../storage/bots/bots.ts';
import {
  beginDelivery,
  type DeliveryRow,
  deleteDelivery,
  findDelivery,
  nextDelivery,
} from '../storage/bots/deliveries.ts';
import type { Database } from '../storage/database.ts';
import { cancelled, failingHandler, rejectOnAbort, timeoutError, within } from './attempts/cancellation.ts';
import { isConversationMissing } from './attempts/conversation-missing.ts';
import { createFullDiskRetries } from './attempts/full-disk-retries.ts';
import { createBotApi } from './bot-api.ts';
import { contextOf } from './current-event.ts';
import { createDeliveryFailures, logEntry } from './delivery-failures.ts';
import { type EventContext, loadEventContext } from './event-context.ts';
import type { KnowledgeIndexes } from './knowledge.ts';
import { createBotLogs } from './log.ts';
import { isVisitorStop } from './stream.ts';
import { type EventHandler, inProcess } from './threads/load-bot.ts';
import { ThreadEnded } from './threads/thread.ts';
import { createAddressPolicy, type PrivateNetworks } from './webhooks/addresses.ts';
import { createConcurrencyLimiter } from './webhooks/concurrency-limiter.ts';
import { createWebhookHandler, DeliveryRejected } from './webhooks/handler.ts';
import { type RetryPlan, retryPlan } from './webhooks/retry.ts';
import { createDeliveryScheduler } from './webhooks/scheduler.ts';

/** Milliseconds that bot code may take for one event. */
const defaultTimeLimit = 60_000;
/** Milliseconds that one webhook request may take. */
const webhookTimeLimit = 15_000;
/** Deliveries of one event to bot code before it fails. Only a killed server causes a second delivery. */
const maxAttempts = 5;
/** Threads of a bot that may end during one event before it fails. */
const maxThreads = 2;

export interface BotRunner {
  /** Delivers the pending events of a conversation, unless a worker is doing so. */
  wake(conversationId: string): void;
  /** Delivers the events that are pending since the previous run of the server. */
  start(): Promise<void>;
  /** Cancels the running handler of a deleted conversation. */
  cancel(conversationId: string): void;
  /** Cancels the running handlers of a deleted user's conversations. */
  cancelOwner(ownerId: string): void;
  /** Another user owns the conversations of this one now. Running handlers go on. */
  changeOwner(ownerId: string, toOwnerId: string): void;
  /** Takes no further events; resolves when the running handlers have finished, after `timeLimit` ms at the latest. */
  drain(timeLimit: number): Promise<void>;
  /** Cancels all handlers; unfinished events are delivered again at the next start. */
  close(): Promise<void>;
}

export interface WebhookSettings {
  /** Milliseconds of one attempt; the default is 15,000. */
  timeLimit?: number;
  plan?: RetryPlan;
  /** The workspaces whose bots may use private networks and this machine; the default is none. */
  privateNetworks?: PrivateNetworks;
}

export interface BotRunnerOptions {
  db: Database;
  presence: Presence;
  transcript: Transcript;
  knowledge: KnowledgeIndexes;
  /** The code of a bot; undefined when it has none, and its events are dropped. */
  handlerOf(bot: BotRow): Promise<EventHandler | undefined>;
  logger: Logger;
  now(): number;
  /** Milliseconds; the default is 60,000. */
  timeLimit?: number;
  webhooks?: WebhookSettings;
  /** Called when an event was handled, or failed, with its milliseconds. */
  onHandled?: ((kind: 'code' | 'webhook', ms: number) => void) | undefined;
  /** The first workspace. */
  workspaceId: string;
  /** Whether the visitor sees the error of a bot; the default is false. */
  isDevelopment?: boolean;
  /** The address of this server for links, without a slash at the end. Called for each event: the port is known late. */
  publicUrl(): string;
}

export function createBotRunner(options: BotRunnerOptions): BotRunner {
  const { db, presence, transcript, knowledge, handlerOf, logger, now } = options;
  const { timeLimit = defaultTimeLimit } = options;
  const { plan = retryPlan, privateNetworks = 'refuse' } = options.webhooks ?? {};
  const addressesOf = createAddressPolicy(privateNetworks, options.workspaceId);
  const webhooks = { timeLimit: options.webhooks?.timeLimit ?? webhookTimeLimit, now };
  const logs = createBotLogs(now);
  const failures = createDeliveryFailures({ ...options, logs, plan });
  const limiter = createConcurrencyLimiter({ wake });
  const fullDiskRetries = createFullDiskRetries(wake);
  const scheduler = createDeliveryScheduler({ db, logger, now, wake });
  const workers = new Map<string, Promise<void>>();
  const running = new Map<string, { controller: AbortController; ownerId: string }>();
  // Conversations woken while their worker runs: it may already have read an empty queue, so it has to run again.
  const wokenWhileWorking = new Set<string>();
  let isAccepting = true;
  let closed = false;

  async function processQueue(conversationId: string): Promise<void> {
    while (isAccepting) {
      const next = await db.read(async (tx) => {
        const delivery = await nextDelivery(tx, conversationId, now());
        return delivery && { ...delivery, bot: await botById(tx, delivery.botId) };
      });
      if (!next) break;
      const isRemote = next.bot !== undefined && next.bot.webhookUrl !== null;
      // Queued by the limiter, which wakes this conversation when it gets a slot.
      if (isRemote && !limiter.acquire(next.botId, conversationId)) return;
      try {
        await deliver(next.eventId);
      } finally {
        if (isRemote) limiter.release(next.botId);
      }
    }
    limiter.cancel(conversationId);
  }

  async function deliver(eventId: string): Promise<void> {
    const begun = await db.write((tx) => beginDelivery(tx, eventId));
    if (!begun) return;
    // Read again, after the commit: a merge of users in between has changed the user, a deletion has removed the delivery.
    const { delivery, context } = await db.read(async (tx) => {
      const delivery = (await findDelivery(tx, eventId)) ?? begun;
      return { delivery, context: await loadEventContext(tx, delivery, { now: now(), knowledge }) };
    });
    const isRemote = context !== undefined && context.bot.webhookUrl !== null;
    const handler =
      context &&
      (isRemote
        ? webhookHandler(context, delivery.attempts)
        : await handlerOf(context.bot).catch(failingHandler));
    // `close` has already cancelled all running handlers and missed this one.
    if (!isAccepting) return;
    // The message, its author or the bot was deleted, or the bot has no code.
    if (!context || !handler) await db.write((tx) => deleteDelivery(tx, delivery.eventId));
    // A delivery with a due time was sent to a webhook before; attempts at webhooks have their own limit.
    else if (!isRemote && delivery.dueAt === 0 && countedAttempts(delivery) > maxAttempts)
      await failures.recordFailure(context, delivery, new ApiError('Runtime', 'Too many attempts.'));
    else await attempt(context, delivery, handler);
  }

  const webhookHandler = (context: EventContext, attempts: number) => {
    const addresses = addressesOf(context.bot.workspaceId);
    return inProcess(createWebhookHandler({ ...webhooks, addresses }, context, attempts)).handle;
  };

  const countedAttempts = ({ eventId, attempts }: DeliveryRow): number =>
    attempts - fullDiskRetries.discounted(eventId);

  async function attempt(context: EventContext, delivery: DeliveryRow, handler: EventHandler): Promise<void> {
    const { conversationId, eventId } = delivery;
    const controller = new AbortController();
    const begun = performance.now();
    running.set(conversationId, { controller, ownerId: context.conversation.ownerId });
    const timer = setTimeout(() => controller.abort(timeoutError(timeLimit)), timeLimit);
    const api = createBotApi({
      db,
      presence,
      transcript,
      context,
      publicUrl: options.publicUrl(),
      timeLimit,
      now,
      signal: controller.signal,
    });
    try {
      const handled = handler(context.event, api, contextOf(context)).catch((error: unknown) => {
        // The visitor stopped the stream, so the handler ended as expected.
        if (!isVisitorStop(error)) throw error;
      });
      await Promise.race([rejectOnAbort(controller.signal), handled]);
      await api.finish();
      limiter.recordResult(context.bot.id, true);
      await db.write(async (tx) => {
        await deleteDelivery(tx, eventId);
        if (delivery.reason !== null) await logs.add(tx, logEntry('webhook_delivered', delivery));
      });
      fullDiskRetries.forget(eventId);
    } catch (error) {
      api.stop();
      // Cancelled, not failed: the event stays for the next start, or was deleted with its conversation.
      if (controller.signal.reason === cancelled) return;
      if (isDatabaseFull(error)) throw fullDiskRetries.discount(eventId, error);
      // Perhaps because of another event. The next attempt begins at once.
      if (error instanceof ThreadEnded && delivery.attempts < maxThreads) return;
      if (!(error instanceof DeliveryRejected)) return await failures.recordFailure(context, delivery, error);
      limiter.recordResult(context.bot.id, false);
      const dueAt = await failures.scheduleRetry(context, delivery, error);
      if (dueAt !== undefined) scheduler.schedule(dueAt);
    } finally {
      clearTimeout(timer);
      options.onHandled?.(context.bot.webhookUrl === null ? 'code' : 'webhook', performance.now() - begun);
      running.delete(conversationId);
      // Stops code of the handler that is still running.
      controller.abort(cancelled);
    }
  }

  function wake(conversationId: string): void {
    if (!isAccepting) return;
    if (workers.has(conversationId)) {
      wokenWhileWorking.add(conversationId);
      return;
    }
    const worker = processQueue(conversationId)
      .catch((error: unknown) => {
        limiter.cancel(conversationId);
        if (isDatabaseFull(error)) fullDiskRetries.retry(conversationId);
        else if (!closed && !isConversationMissing(error))
          logger.error({ conversationId, err: error }, 'delivering bot events failed');
      })
      .finally(() => {
        workers.delete(conversationId);
        if (wokenWhileWorking.delete(conversationId)) wake(conversationId);
      });
    workers.set(conversationId, worker);
  }

  return {
    wake,
    start: () => scheduler.start(),
    cancel: (conversationId) => running.get(conversationId)?.controller.abort(cancelled),
    cancelOwner(ownerId) {
      for (const one of running.values()) if (one.ownerId === ownerId) one.controller.abort(cancelled);
    },
    changeOwner(ownerId, toOwnerId) {
      for (const one of running.values()) if (one.ownerId === ownerId) one.ownerId = toOwnerId;
    },
    async drain(timeLimit) {
      isAccepting = false;
      await within(timeLimit, Promise.all([scheduler.close(), ...workers.values()]));
    },
    async close() {
      closed = true;
      isAccepting = false;
      fullDiskRetries.close();
      for (const { controller } of running.values()) controller.abort(cancelled);
      await Promise.all([scheduler.close(), ...workers.values()]);
    },
  };
}
