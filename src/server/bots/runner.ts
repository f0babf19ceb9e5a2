// Runs bots: one event at a time in a conversation, conversations in parallel, each event at least once, whether its bot
// is code of this server or at another address. A bot that throws, hangs or never comes back takes nobody down.
import type { Logger } from 'pino';
import type { BotHandler } from '../../protocol/bot.ts';
import { ApiError } from '../api/errors.ts';
import type { Author, Transcript } from '../chat/index.ts';
import type { Live } from '../realtime/presence.ts';
import { type BotRow, botById } from '../storage/bots/bots.ts';
import { beginDelivery, type DeliveryRow, deleteDelivery, nextDelivery } from '../storage/bots/deliveries.ts';
import type { Database } from '../storage/database.ts';
import { createBotTools } from './bot-api.ts';
import { createBotFailures, logEntry } from './delivery-failures.ts';
import { loadScene, type Scene } from './event-context.ts';
import { createBotLogs } from './log.ts';
import { isStop } from './stream.ts';
import { createAddressPolicy, type PrivateNetworks } from './webhooks/addresses.ts';
import { createLanes } from './webhooks/concurrency-limiter.ts';
import { createWebhookHandler, NotTaken } from './webhooks/handler.ts';
import { type RetryPlan, retryPlan } from './webhooks/retry.ts';
import { createAlarm } from './webhooks/scheduler.ts';

/** Milliseconds that bot code may take for one event. */
const defaultTimeLimit = 60_000;
/** Milliseconds that one attempt at a webhook may take. */
const webhookTimeLimit = 15_000;
/** Deliveries of one event to code before it is given up: only a killed server leads to a second one. */
const maxAttempts = 5;

export interface BotRunner {
  /** Works off the waiting events of a conversation, unless that is being done. */
  wake(conversationId: string): void;
  /** Takes up all events that wait since an earlier life of the server. */
  start(): Promise<void>;
  /** Stops what works for a conversation that is gone. */
  cancel(conversationId: string): void;
  /** Stops what works for the conversations of a user who is gone. */
  cancelOwner(ownerId: string): void;
  /** Stops all bots; what was not finished is delivered again at the next start. */
  close(): Promise<void>;
}

export interface WebhookSettings {
  /** Milliseconds of one attempt; 15,000 when left out. */
  timeLimit?: number;
  plan?: RetryPlan;
  /** Bots of which workspaces may be in private networks and on this machine; none when left out. */
  privateNetworks?: PrivateNetworks;
}

export interface BotRunnerOptions {
  db: Database;
  live: Live;
  transcript: Transcript;
  /** The code that runs a bot; undefined where it has none, and its events are let go. */
  handlerOf(bot: BotRow): Promise<BotHandler | undefined>;
  logger: Logger;
  now(): number;
  /** Milliseconds; 60,000 when left out. */
  timeLimit?: number;
  webhooks?: WebhookSettings;
  /** The first workspace. */
  workspaceId: string;
}

export function createBotRunner(options: BotRunnerOptions): BotRunner {
  const { db, live, transcript, handlerOf, logger, now, timeLimit = defaultTimeLimit } = options;
  const { plan = retryPlan, privateNetworks = 'refuse' } = options.webhooks ?? {};
  const addressesOf = createAddressPolicy(privateNetworks, options.workspaceId);
  const webhooks = {
    timeLimit: options.webhooks?.timeLimit ?? webhookTimeLimit,
    now,
  };
  const logs = createBotLogs(now);
  const failures = createBotFailures({ db, transcript, logger, logs, plan, now });
  const lanes = createLanes({ wake });
  const alarm = createAlarm({ db, logger, now, wake });
  const workers = new Map<string, Promise<void>>();
  const running = new Map<string, { controller: AbortController; ownerId: string }>();
  // Woken while working: the worker may already have found nothing more to do, so it has to look again.
  const again = new Set<string>();
  let closed = false;

  async function work(conversationId: string): Promise<void> {
    while (!closed) {
      const next = await db.read(async (tx) => {
        const delivery = await nextDelivery(tx, conversationId, now());
        return delivery && { ...delivery, bot: await botById(tx, delivery.botId) };
      });
      if (!next) break;
      const isAway = next.bot !== undefined && next.bot.webhookUrl !== null;
      // Not our turn: we are woken when it is.
      if (isAway && !lanes.take(next.botId, conversationId)) return;
      try {
        await deliver(next.eventId);
      } finally {
        if (isAway) lanes.release(next.botId);
      }
    }
    lanes.decline(conversationId);
  }

  async function deliver(eventId: string): Promise<void> {
    const delivery = await db.write((tx) => beginDelivery(tx, eventId));
    if (!delivery) return;
    const scene = await db.read((tx) => loadScene(tx, delivery));
    const isAway = scene !== undefined && scene.bot.webhookUrl !== null;
    const handler =
      scene &&
      (isAway
        ? createWebhookHandler(
            { ...webhooks, addresses: addressesOf(scene.bot.workspaceId) },
            scene.bot,
            delivery.attempts,
          )
        : await handlerOf(scene.bot).catch(broken));
    // What stops all that runs has been, and did not see this one.
    if (closed) return;
    // The message was deleted, or its author, or the bot: there is nothing left to answer. Or nobody who would.
    if (!scene || !handler) await db.write((tx) => deleteDelivery(tx, delivery.eventId));
    // One that has been due at a time was with a webhook, which counts in its own way.
    else if (!isAway && delivery.dueAt === 0 && delivery.attempts > maxAttempts)
      await failures.fail(scene, delivery, new ApiError('Runtime', 'Too many attempts.'));
    else await attempt(scene, delivery, handler);
  }

  async function attempt(scene: Scene, delivery: DeliveryRow, handler: BotHandler): Promise<void> {
    const { conversationId, eventId } = delivery;
    const controller = new AbortController();
    running.set(conversationId, { controller, ownerId: scene.conversation.ownerId });
    const timer = setTimeout(() => controller.abort(overdue(timeLimit)), timeLimit);
    const author: Author = { id: scene.bot.userId, foreignId: null, isBot: true };
    const tools = createBotTools({
      db,
      live,
      transcript,
      scene,
      author,
      timeLimit,
      signal: controller.signal,
    });
    try {
      const handled = Promise.resolve(handler(scene.event, tools.bot)).catch((error: unknown) => {
        // Its answer was stopped by the visitor: it did well to give up.
        if (!isStop(error)) throw error;
      });
      await Promise.race([aborted(controller.signal), handled]);
      await tools.finish();
      lanes.report(scene.bot.id, true);
      await db.write(async (tx) => {
        await deleteDelivery(tx, eventId);
        if (delivery.reason !== null) await logs.add(tx, logEntry('webhook_delivered', delivery));
      });
    } catch (error) {
      tools.stop();
      // Stopped by us, not failed: the event stays for the next start, or went with its conversation.
      if (controller.signal.reason === stopped) return;
      if (!(error instanceof NotTaken)) return await failures.fail(scene, delivery, error);
      lanes.report(scene.bot.id, false);
      const dueAt = await failures.postpone(scene, delivery, error);
      if (dueAt !== undefined) alarm.set(dueAt);
    } finally {
      clearTimeout(timer);
      running.delete(conversationId);
      // Whatever still runs learns that it is over.
      controller.abort(stopped);
    }
  }

  function wake(conversationId: string): void {
    if (closed) return;
    if (workers.has(conversationId)) {
      again.add(conversationId);
      return;
    }
    const worker = work(conversationId)
      .catch((error: unknown) => {
        lanes.decline(conversationId);
        if (!closed && !isGone(error)) logger.error({ conversationId, err: error }, 'bot events are stuck');
      })
      .finally(() => {
        workers.delete(conversationId);
        if (again.delete(conversationId)) wake(conversationId);
      });
    workers.set(conversationId, worker);
  }

  return {
    wake,
    start: () => alarm.start(),
    cancel: (conversationId) => running.get(conversationId)?.controller.abort(stopped),
    cancelOwner(ownerId) {
      for (const one of running.values()) if (one.ownerId === ownerId) one.controller.abort(stopped);
    },
    async close() {
      closed = true;
      for (const { controller } of running.values()) controller.abort(stopped);
      await Promise.all([alarm.close(), ...workers.values()]);
    },
  };
}

/** Code that cannot be loaded fails as code that throws. */
const broken = (error: unknown): BotHandler => {
  return () => {
    throw error;
  };
};

/** Why bot code is stopped that takes too long. */
const overdue = (timeLimit: number): ApiError =>
  new ApiError('OperationTimeout', `No end after ${timeLimit} ms.`);

/** Why bot code is stopped without being to blame. */
const stopped = new Error('The server stops, or the conversation is gone.');

/** Rejects when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** True when a write found that its conversation was deleted meanwhile. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.type === 'ResourceNotFound';
}
