// The append-only part of a conversation: sequence numbers, the replay log of signals, and the queue of events for the bot.
import type { VisitorLocale } from '../../protocol/headers.ts';
import type { Signal } from '../../protocol/signal.ts';
import { ApiError } from '../api/errors.ts';
import { loggedData } from '../realtime/event-replay.ts';
import type { FanOut } from '../realtime/pub-sub.ts';
import { signalFrame } from '../realtime/sse-frames.ts';
import { type DeliveryRow, insertDelivery } from '../storage/bots/deliveries.ts';
import {
  type ConversationRow,
  countOutgoing,
  incrementSequence,
  resetOutgoing,
} from '../storage/chat/conversations.ts';
import { insertSignal, trimSignals } from '../storage/chat/signals.ts';
import type { WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

export interface ConversationLog {
  /** Takes the next sequence number of the conversation. `messages`: how many the change adds. Throws ResourceNotFound when it was deleted. */
  incrementSequence(
    tx: WriteTx,
    conversation: ConversationRow,
    messages?: -1 | 0 | 1,
  ): Promise<{ seq: number; at: number; hasHandling: number }>;
  /**
   * Appends a signal to the replay log and publishes it after the commit. `ref`: the message or event that it is about,
   * null to log the data itself; `userId`: the user that the data names; `origin`: deduplicates signals of a bot.
   */
  appendSignal(
    tx: WriteTx,
    conversation: ConversationRow,
    seq: number,
    signal: Signal,
    ref: string | null,
    options?: { origin?: string; userId?: string },
  ): Promise<void>;
  /**
   * Publishes the signal of a new message after the commit. The log contains it as the message itself, so that a message
   * is one row.
   */
  publishMessage(tx: WriteTx, conversation: ConversationRow, seq: number, signal: Signal): Promise<void>;
  /**
   * Queues an event for the bot and wakes its runner after the commit. `ref`: the message or event that it is about;
   * `locale`: of the user who caused it.
   */
  enqueueDelivery(
    tx: WriteTx,
    cause: DeliveryCause,
    event: NewEvent,
    locale: VisitorLocale | undefined,
  ): Promise<void>;
  /** Queues an event about something that the bot sent, if the bot wants such events. */
  enqueueOutgoing(tx: WriteTx, cause: DeliveryCause, event: NewEvent): Promise<void>;
}

type DeliveryCause = Pick<DeliveryRow, 'conversationId' | 'seq' | 'userId' | 'createdAt'>;
type NewEvent = Pick<DeliveryRow, 'kind' | 'ref'> & Partial<Pick<DeliveryRow, 'eventId' | 'data'>>;

/**
 * Events about messages of the bot after one event of a visitor. A bot that answers each of them through the Runtime API
 * would otherwise do so forever.
 */
export const maxOutgoing = 20;

export function createConversationLog({
  fanOut,
  now,
  onDelivery,
}: {
  fanOut: Pick<FanOut, 'publish'>;
  now(): number;
  onDelivery(conversationId: string): void;
}): ConversationLog {
  async function enqueue(tx: WriteTx, cause: DeliveryCause, event: NewEvent, locale: string | null) {
    const { conversationId, seq, userId, createdAt } = cause;
    const { eventId = createId('evt'), data = null, kind, ref } = event;
    await insertDelivery(tx, { eventId, conversationId, seq, userId, createdAt, data, locale, kind, ref });
    tx.afterCommit(() => onDelivery(conversationId));
  }

  return {
    async incrementSequence(tx, conversation, messages = 0) {
      const next = await incrementSequence(tx, conversation.id, now(), messages);
      if (!next) throw new ApiError('ResourceNotFound', 'The conversation no longer exists.');
      return next;
    },

    async appendSignal(tx, conversation, seq, signal, ref, { origin, userId } = {}) {
      const data = ref === null ? JSON.stringify(loggedData(signal, userId)) : null;
      await insertSignal(tx, conversation.id, { seq, type: signal.type, ref, data }, origin ?? null);
      const frame = signalFrame(signal, seq);
      tx.afterCommit(() => fanOut.publish(conversation.id, frame));
    },

    async publishMessage(tx, { id }, seq, signal) {
      await trimSignals(tx, id, seq);
      const frame = signalFrame(signal, seq);
      tx.afterCommit(() => fanOut.publish(id, frame));
    },

    async enqueueDelivery(tx, cause, event, visitor) {
      await resetOutgoing(tx, cause.conversationId);
      await enqueue(tx, cause, event, visitor ? JSON.stringify(visitor) : null);
    },

    async enqueueOutgoing(tx, cause, event) {
      if (await countOutgoing(tx, cause.conversationId, maxOutgoing)) await enqueue(tx, cause, event, null);
    },
  };
}
