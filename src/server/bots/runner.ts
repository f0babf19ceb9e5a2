// Delivers events to bots, code or webhook, at least once: one event at a time per conversation, conversations in
// parallel. A bot that throws or hangs does not affect other conversations.
import type { Logger } from 'pino';
import { ApiError } from '../api/errors.ts';
import { isDatabaseFull } from '../api/storage-full.ts';
import type { Transcript, WrittenEvent } from '../chat/index.ts';
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
import { failingHandler, within } from './attempts/cancellation.ts';
import { isConversationMissing } from './attempts/conversation-missing.ts';
import { createFullDiskRetries } from './attempts/full-disk-retries.ts';
import { createRunningHandlers, type RunningHandler } from './attempts/running-handlers.ts';
import { createDeliveryFailures } from './delivery-failures.ts';
import { contextOfWritten, type EventContext, loadEventContext } from './event-context.ts';
import type { KnowledgeIndexes } from './knowledge.ts';
import { createBotLogs } from './log.ts';
import { type EventHandler, inProcess } from './threads/load-bot.ts';
import { createAddressPolicy, type PrivateNetworks } from './webhooks/addresses.ts';
import { createConcurrencyLimiter } from './webhooks/concurrency-limiter.ts';
import { createWebhookHandler } from './webhooks/handler.ts';
import { type RetryPlan, retryPlan } from './webhooks/retry.ts';
import { createDeliveryScheduler } from './webhooks/scheduler.ts';

/** Milliseconds that one webhook request may take. */
const webhookTimeLimit = 15_000;
/** Deliveries of one event to bot code before it fails. Only a killed server causes a second delivery. */
const maxAttempts = 5;

export interface BotRunner {
  /** Delivers the pending events of a conversation, unless a worker is doing so. */
  wake(conversationId: string): void;
  /** Delivers an event that was just written, without reading it, unless others of its conversation come first. */
  deliver(written: WrittenEvent): void;
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
  const { db, knowledge, handlerOf, logger, now } = options;
  const { plan = retryPlan, privateNetworks = 'refuse' } = options.webhooks ?? {};
  const addressesOf = createAddressPolicy(privateNetworks, options.workspaceId);
  const webhooks = { timeLimit: options.webhooks?.timeLimit ?? webhookTimeLimit, now };
  const logs = createBotLogs(now);
  const failures = createDeliveryFailures({ ...options, logs, plan });
  const limiter = createConcurrencyLimiter({ wake });
  const fullDiskRetries = createFullDiskRetries(wake);
  const scheduler = createDeliveryScheduler({ db, logger, now, wake });
  const handlers = createRunningHandlers({
    ...options,
    logs,
    failures,
    limiter,
    scheduler,
    fullDiskRetries,
    wake,
  });
  const workers = new Map<string, Promise<void>>();
  // Conversations woken while their worker runs: it may already have read an empty queue, so it has to run again.
  const wokenWhileWorking = new Set<string>();
  let isAccepting = true;
  /** Conversation -> its first event, if it waits here and its attempt was counted when it was written. */
  const begun = new Map<string, string>();
  let closed = false;

  /** Delivers an event that is pending alone. Returns false when the conversation has to wait for a slot. */
  async function deliverWritten(written: WrittenEvent): Promise<boolean> {
    const { bot, conversation, delivery } = written;
    const isRemote = bot.webhookUrl !== null;
    if (isRemote && !limiter.acquire(bot.id, conversation.id)) {
      begun.set(conversation.id, delivery.eventId);
      return false;
    }
    const running = handlers.register(conversation, delivery.userId);
    try {
      // The effects of other writes of the same commit come first: one may have deleted the conversation.
      await Promise.resolve();
      if (running.isMerged) {
        begun.set(conversation.id, delivery.eventId);
        await deliver(delivery.eventId, conversation.id);
      } else await handle(delivery, await contextOfWritten(db, written, { now: now(), knowledge }), running);
    } finally {
      handlers.forget(conversation.id);
      if (isRemote) limiter.release(bot.id);
    }
    return true;
  }

  async function processQueue(conversationId: string, written?: WrittenEvent): Promise<void> {
    if (written) {
      if (!(await deliverWritten(written))) return;
      // Nothing else is pending, except what has woken this worker since.
      if (!wokenWhileWorking.has(conversationId)) return limiter.cancel(conversationId);
    }
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
        await deliver(next.eventId, conversationId);
      } finally {
        if (isRemote) limiter.release(next.botId);
      }
    }
    begun.delete(conversationId);
    limiter.cancel(conversationId);
  }

  async function deliver(eventId: string, conversationId: string): Promise<void> {
    const isBegun = begun.get(conversationId) === eventId;
    begun.delete(conversationId);
    if (!isBegun && !(await db.write((tx) => beginDelivery(tx, eventId)))) return;
    // Read again, after the commit: a merge of users in between has changed the user, a deletion has removed the delivery.
    const found = await db.read(async (tx) => {
      const delivery = await findDelivery(tx, eventId);
      return (
        delivery && { delivery, context: await loadEventContext(tx, delivery, { now: now(), knowledge }) }
      );
    });
    if (found) await handle(found.delivery, found.context);
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
    // `close` has already cancelled all running handlers and missed this one.
    if (!isAccepting) return;
    // The message, its author or the bot was deleted, or the bot has no code.
    if (!context || !handler) await db.write((tx) => deleteDelivery(tx, delivery.eventId));
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
    attempts - fullDiskRetries.discounted(eventId);

  function wake(conversationId: string, written?: WrittenEvent): void {
    if (!isAccepting) return;
    if (workers.has(conversationId)) {
      if (written) begun.set(conversationId, written.delivery.eventId);
      wokenWhileWorking.add(conversationId);
      return;
    }
    const worker = processQueue(conversationId, written)
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
    wake: (conversationId) => wake(conversationId),
    deliver: (written) => wake(written.conversation.id, written.delivery.attempts > 0 ? written : undefined),
    start: () => scheduler.start(),
    cancel: handlers.cancel,
    cancelOwner: handlers.cancelOwner,
    changeOwner: handlers.changeOwner,
    async drain(timeLimit) {
      isAccepting = false;
      await within(timeLimit, Promise.all([scheduler.close(), ...workers.values()]));
    },
    async close() {
      closed = true;
      isAccepting = false;
      fullDiskRetries.close();
      handlers.cancelAll();
      await Promise.all([scheduler.close(), ...workers.values()]);
    },
  };
}
