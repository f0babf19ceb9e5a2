// Runs the handler of a bot for one event, within its time, and stores how it ended. A handler can be cancelled.
import { type DeliveryRow, deleteDelivery } from '../../storage/bots/deliveries.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { isOfDatabase } from '../../storage/database.ts';
import { isVisitorStop } from '../answers/stream.ts';
import { createBotApi } from '../bot-api.ts';
import { contextOf } from '../current-event.ts';
import { type DeliveryFailures, logEntry } from '../delivery-failures.ts';
import type { EventContext } from '../event-context.ts';
import type { BotLogs } from '../log.ts';
import type { EventHandler } from '../threads/load-bot.ts';
import { ThreadEnded } from '../threads/thread.ts';
import type { ConcurrencyLimiter } from '../webhooks/concurrency-limiter.ts';
import { DeliveryRejected } from '../webhooks/handler.ts';
import type { DeliveryScheduler } from '../webhooks/scheduler.ts';
import {
  cancelled,
  handledByPerson,
  isInterrupted,
  leaseLost,
  timeoutError,
  unlessAborted,
} from './cancellation.ts';
import { createFence } from './claims.ts';
import type { BotRunnerOptions, HandlerKind } from './runner-interface.ts';
import type { StorageRetries } from './storage-retries.ts';
import { createReplyGroups } from './writes.ts';
import { createEventEnds, type WrittenEvents } from './written-events.ts';

/** Milliseconds that bot code may take for one event. */
const defaultTimeLimitMs = 60_000;
/** Threads of a bot that may end during one event before it fails. */
const maxThreads = 2;

/** The handler of a conversation. */
export interface RunningHandler {
  controller: AbortController;
  ownerId: string;
  eventId: string;
  /** The user who caused the event. */
  userId: string;
  /** True when that user was merged into another one since. */
  isMerged: boolean;
  /** True when the handler itself has asked for a person: it may finish. */
  hasHandedOff: boolean;
}

export interface RunOptions {
  /** The result of `register`. */
  registered?: RunningHandler | undefined;
  /** Milliseconds, instead of those of bot code. */
  timeLimit?: number | undefined;
  kind: HandlerKind;
}

export interface RunningHandlers {
  /** Makes it possible to cancel a handler before it runs; until `run` has ended, or `forget` is called. */
  register(
    conversation: Pick<ConversationRow, 'id' | 'ownerId'>,
    event: Pick<DeliveryRow, 'eventId' | 'userId'>,
  ): RunningHandler;
  forget(conversationId: string): void;
  /**
   * Runs a handler for an event. Resolves with true when the event is over, and with false when it was cancelled, or is to
   * be handled again.
   */
  run(
    context: EventContext,
    delivery: DeliveryRow,
    handler: EventHandler,
    options: RunOptions,
  ): Promise<boolean>;
  cancel(conversationId: string): void;
  /** Does nothing unless this event of the conversation is handled now. */
  cancelEvent(conversationId: string, eventId: string): void;
  /** Ends what the bot writes in a conversation that a person has taken over, and cancels its handler. */
  takeOver(conversationId: string): void;
  cancelOwner(ownerId: string): void;
  changeOwner(ownerId: string, toOwnerId: string): void;
  /** `reason`: that of their signal. */
  cancelAll(reason?: Error): void;
}

type Options = Pick<
  BotRunnerOptions,
  'db' | 'presence' | 'transcript' | 'publicUrl' | 'now' | 'timeLimit' | 'onHandled' | 'logger'
> & {
  logs: BotLogs;
  failures: DeliveryFailures;
  limiter: ConcurrencyLimiter;
  scheduler: DeliveryScheduler;
  storageRetries: StorageRetries;
  written: WrittenEvents;
  /** Delivers the events of a conversation that are pending after this one. */
  wake(conversationId: string): void;
};

export function createRunningHandlers(options: Options): RunningHandlers {
  const { db, presence, transcript, logger, now, timeLimit: handlerTimeLimit = defaultTimeLimitMs } = options;
  const { logs, failures, limiter, scheduler, storageRetries, wake } = options;
  const running = new Map<string, RunningHandler>();
  const end = createEventEnds(db, options.written);
  const addReply = createReplyGroups(db, transcript);

  function register(
    { id, ownerId }: Pick<ConversationRow, 'id' | 'ownerId'>,
    { eventId, userId }: Pick<DeliveryRow, 'eventId' | 'userId'>,
  ): RunningHandler {
    const one = {
      controller: new AbortController(),
      ownerId,
      eventId,
      userId,
      isMerged: false,
      hasHandedOff: false,
    };
    running.set(id, one);
    return one;
  }

  async function run(
    context: EventContext,
    delivery: DeliveryRow,
    handler: EventHandler,
    { registered = register(context.conversation, delivery), ...given }: RunOptions,
  ): Promise<boolean> {
    const { conversationId, eventId } = delivery;
    const { kind, timeLimit = handlerTimeLimit } = given;
    const { controller } = registered;
    if (controller.signal.aborted) return false;
    const begun = performance.now();
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
      fence: createFence(delivery),
      addReply,
      onLost: () => controller.abort(leaseLost),
      onHandoff() {
        registered.hasHandedOff = true;
      },
    });
    try {
      const handled = handler(context.event, api, contextOf(context)).catch((error: unknown) => {
        // The visitor stopped the stream, so the handler ended as expected.
        if (!isVisitorStop(error)) throw error;
      });
      await unlessAborted(handled, controller.signal);
      await api.finish();
      limiter.recordResult(context.bot.id, true);
      if (delivery.reason === null) await end(delivery);
      else
        await db.write(async (tx) => {
          const deleted = await deleteDelivery(tx, delivery);
          if (deleted > 0) await logs.add(tx, logEntry('webhook_delivered', delivery));
        });
      storageRetries.forget(eventId);
      return true;
    } catch (error) {
      api.stop();
      // Nothing has failed: a person answers.
      if (controller.signal.reason === handledByPerson || api.wasRefused()) {
        await end(delivery);
        return true;
      }
      // Not failed: the event stays for others or for the next start, or was deleted with its conversation.
      if (isInterrupted(controller.signal)) return false;
      if (isOfDatabase(error)) throw storageRetries.discount(eventId, error);
      // Perhaps because of another event. The next attempt begins at once.
      if (error instanceof ThreadEnded && delivery.attempts < maxThreads) {
        wake(conversationId);
        return false;
      }
      if (!(error instanceof DeliveryRejected)) {
        await failures.recordFailure(context, delivery, error);
        return true;
      }
      limiter.recordResult(context.bot.id, false);
      const dueAt = await failures.scheduleRetry(context, delivery, error);
      if (dueAt !== undefined) scheduler.schedule(dueAt);
      return dueAt === undefined;
    } finally {
      clearTimeout(timer);
      options.onHandled?.(kind, performance.now() - begun);
      running.delete(conversationId);
      // Stops code of the handler that is still running.
      controller.abort(cancelled);
    }
  }

  return {
    register,
    forget: (conversationId) => void running.delete(conversationId),
    run,
    cancel: (conversationId) => running.get(conversationId)?.controller.abort(cancelled),
    cancelEvent(conversationId, eventId) {
      const one = running.get(conversationId);
      if (one?.eventId === eventId) one.controller.abort(cancelled);
    },
    takeOver(conversationId) {
      const one = running.get(conversationId);
      // Open streams end with the text they have, before the handler ends.
      presence
        .stopStreams(conversationId)
        .catch((error: unknown) => logger.error({ conversationId, err: error }, 'an answer was not ended'))
        .finally(() => {
          if (one && !one.hasHandedOff) one.controller.abort(handledByPerson);
        });
    },
    cancelOwner(ownerId) {
      for (const one of running.values()) if (one.ownerId === ownerId) one.controller.abort(cancelled);
    },
    changeOwner(ownerId, toOwnerId) {
      for (const one of running.values()) {
        if (one.ownerId === ownerId) one.ownerId = toOwnerId;
        if (one.userId === ownerId) one.isMerged = true;
      }
    },
    cancelAll(reason = cancelled) {
      for (const { controller } of running.values()) controller.abort(reason);
    },
  };
}
