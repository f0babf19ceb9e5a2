// Runs bot code: one event at a time in a conversation, conversations in parallel, each event at least once. Bot
// code that throws, hangs or never comes back is told off here and takes nobody down.
import type { Logger } from 'pino';
import type { BotHandler } from '../protocol/bot.ts';
import { loadScene, type Scene } from './bot-scene.ts';
import { isStop } from './bot-stream.ts';
import { createBotTools } from './bot-tools.ts';
import type { BotRow } from './db/bots.ts';
import type { Database } from './db/database.ts';
import { beginDelivery, conversationsWaiting, type DeliveryRow, deleteDelivery } from './db/deliveries.ts';
import { ApiError } from './errors.ts';
import type { Live } from './live.ts';
import type { Author, Transcript } from './transcript.ts';

/** Milliseconds that bot code may take for one event. */
const defaultTimeLimit = 60_000;
/** Deliveries of one event before it is given up: only a killed server leads to a second one. */
const maxAttempts = 5;

/** What the visitor reads when their bot failed. */
const apology = { type: 'text', text: 'Sorry, no answer came. Please try again.' } as const;

export interface BotRunner {
  /** Works off the waiting events of a conversation, unless that is being done. */
  wake(conversationId: string): void;
  /** Takes up all events that wait since an earlier life of the server. */
  start(): Promise<void>;
  /** Stops bot code that works for a conversation that is gone. */
  cancel(conversationId: string): void;
  /** Stops all bot code; what was not finished is delivered again at the next start. */
  close(): Promise<void>;
}

export interface BotRunnerOptions {
  db: Database;
  live: Live;
  transcript: Transcript;
  /** What runs a bot; undefined where it has nothing to run, and its events are let go. */
  handlerOf(bot: BotRow): Promise<BotHandler | undefined>;
  logger: Logger;
  /** Milliseconds; 60,000 when left out. */
  timeLimit?: number;
}

export function createBotRunner(options: BotRunnerOptions): BotRunner {
  const { db, live, transcript, handlerOf, logger, timeLimit = defaultTimeLimit } = options;
  const workers = new Map<string, Promise<void>>();
  const running = new Map<string, AbortController>();
  // Woken while working: the worker may already have found nothing more to do, so it has to look again.
  const again = new Set<string>();
  let closed = false;

  async function work(conversationId: string): Promise<void> {
    while (!closed) {
      const delivery = await db.write((tx) => beginDelivery(tx, conversationId));
      if (!delivery) return;
      const scene = await db.read((tx) => loadScene(tx, delivery));
      const handler = scene && (await handlerOf(scene.bot).catch(broken));
      // The message was deleted, or its author: there is nothing left to answer. Or nobody who would.
      if (!scene || !handler) await db.write((tx) => deleteDelivery(tx, delivery.eventId));
      else if (delivery.attempts > maxAttempts)
        await fail(scene, delivery, new ApiError('Runtime', 'Too many attempts.'));
      else await attempt(scene, delivery, handler);
    }
  }

  async function attempt(scene: Scene, delivery: DeliveryRow, handler: BotHandler): Promise<void> {
    const controller = new AbortController();
    running.set(delivery.conversationId, controller);
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
      await db.write((tx) => deleteDelivery(tx, delivery.eventId));
    } catch (error) {
      tools.stop();
      // Stopped by us, not failed: the event stays for the next start, or went with its conversation.
      if (controller.signal.reason === stopped) return;
      await fail(scene, delivery, error);
    } finally {
      clearTimeout(timer);
      running.delete(delivery.conversationId);
      // Whatever still runs learns that it is over.
      controller.abort(stopped);
    }
  }

  /** Logs the failure, tells the visitor, and lets the next event have its turn. */
  async function fail(scene: Scene, { eventId }: DeliveryRow, error: unknown): Promise<void> {
    logger.error({ eventId, conversationId: scene.conversation.id, err: error }, 'bot failed');
    await db.write(async (tx) => {
      const author = { id: scene.bot.userId, foreignId: null, isBot: true, origin: `${eventId}:failed` };
      await transcript.addMessage(tx, scene.conversation, author, {
        payload: apology,
        metadata: { error: 'bot_failed' },
      });
      await deleteDelivery(tx, eventId);
    });
  }

  function wake(conversationId: string): void {
    if (closed) return;
    if (workers.has(conversationId)) {
      again.add(conversationId);
      return;
    }
    const worker = work(conversationId)
      .catch((error: unknown) => {
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
    async start() {
      for (const conversationId of await db.read(conversationsWaiting)) wake(conversationId);
    },
    cancel: (conversationId) => running.get(conversationId)?.abort(stopped),
    async close() {
      closed = true;
      for (const controller of running.values()) controller.abort(stopped);
      await Promise.all(workers.values());
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
