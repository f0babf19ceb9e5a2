// Everything that changes a conversation: each change takes the next place in its one order, is logged for replay,
// told to listeners once it is on disk, and handed to the bot when a visitor caused it. It does not ask who may.
import type { Feedback, Metadata, Payload } from '../../protocol/message.ts';
import type { Signal } from '../../protocol/signal.ts';
import { ApiError } from '../api/errors.ts';
import { changeSignal, eventSignal, messageSignal, storedData } from '../realtime/event-replay.ts';
import type { Bus } from '../realtime/pub-sub.ts';
import { signalFrame } from '../realtime/sse-frames.ts';
import { type DeliveryRow, deleteDeliveriesAbout, insertDelivery } from '../storage/bots/deliveries.ts';
import {
  type ConversationRow,
  deleteConversation,
  hiddenConversation,
  insertConversation,
  takePlace,
} from '../storage/chat/conversations.ts';
import { type EventRow, insertEvent } from '../storage/chat/events.ts';
import { deleteInvitationsTo } from '../storage/chat/invitations.ts';
import { deleteMessage, insertMessage, type MessageRow, setFeedback } from '../storage/chat/messages.ts';
import { deleteParticipant, insertParticipant } from '../storage/chat/participants.ts';
import { insertSignal, signalSent } from '../storage/chat/signals.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { blankRequests } from '../storage/idempotency.ts';
import { createId, publicId } from '../storage/ids.ts';
import { releaseMessage } from '../storage/usage.ts';

/** Who says something: a user, or the bot. `origin` names a bot's reply, so that it is not stored twice. */
export interface Author {
  id: string;
  foreignId: string | null;
  isBot: boolean;
  origin?: string;
}

export interface Transcript {
  /** Makes a conversation of which `owner` is owner and participant; the bot learns that it started. */
  open(tx: WriteTx, owner: UserRow, foreignId: string | null): Promise<ConversationRow>;
  addMessage(
    tx: WriteTx,
    conversation: ConversationRow,
    author: Author,
    content: { payload: Payload; metadata?: Metadata },
  ): Promise<MessageRow>;
  /**
   * Stores what `user` thinks of a bot's message, undefined for nothing any more; listeners and bot learn of it,
   * unless it is what was stored already. Gives the message as it is now.
   */
  setFeedback(
    tx: WriteTx,
    conversation: ConversationRow,
    message: MessageRow,
    user: UserRow,
    feedback: Feedback | undefined,
  ): Promise<MessageRow>;
  /** Tells the widget to do something. `origin` names the bot's act, so that it is not told twice. */
  tellWidget(
    tx: WriteTx,
    conversation: ConversationRow,
    origin: string,
    signal: Extract<Signal, { type: 'webchat_visibility' | 'webchat_config' }>,
  ): Promise<void>;
  removeMessage(tx: WriteTx, conversation: ConversationRow, message: MessageRow): Promise<void>;
  addEvent(
    tx: WriteTx,
    conversation: ConversationRow,
    author: Author,
    payload: Record<string, unknown>,
  ): Promise<EventRow>;
  /** Adds a user at once and ends their invitations. Adding one who already takes part changes and signals nothing. */
  addParticipant(tx: WriteTx, conversation: ConversationRow, user: UserRow): Promise<void>;
  /** Closes the user's streams of this conversation, then tells the others. Gives false when they did not take part. */
  removeParticipant(
    tx: WriteTx,
    conversation: ConversationRow,
    user: Pick<UserRow, 'id' | 'foreignId'>,
  ): Promise<boolean>;
  /** Deletes a conversation with all it holds; its streams close and its bot is told to stop. */
  remove(tx: WriteTx, conversation: ConversationRow): Promise<void>;
}

export interface TranscriptOptions {
  bus: Bus;
  now(): number;
  /** Called when a conversation has a new event for its bot. */
  onDelivery(conversationId: string): void;
  /** Called when a conversation is gone. */
  onRemoved(conversationId: string): void;
}

export function createTranscript({ bus, now, onDelivery, onRemoved }: TranscriptOptions): Transcript {
  async function place(tx: WriteTx, conversation: ConversationRow): Promise<{ seq: number; at: number }> {
    const taken = await takePlace(tx, conversation.id, now());
    if (!taken) throw new ApiError('ResourceNotFound', 'The conversation does not exist any more.');
    return taken;
  }

  /** Logs a signal, and publishes it after the commit. `ref`: the row that it is about; `userId`: the user it names. */
  async function tell(
    tx: WriteTx,
    conversation: ConversationRow,
    seq: number,
    signal: Signal,
    ref: string | null,
    { origin, userId }: { origin?: string; userId?: string } = {},
  ): Promise<void> {
    const data = ref === null ? JSON.stringify(storedData(signal, userId)) : null;
    await insertSignal(tx, conversation.id, { seq, type: signal.type, ref, data }, origin ?? null);
    const frame = signalFrame(signal, seq);
    tx.afterCommit(() => bus.publish(conversation.id, frame));
  }

  /** Queues an event for the bot. `ref`: the message or event that caused it, or that it is about. */
  async function deliver(
    tx: WriteTx,
    cause: Pick<DeliveryRow, 'conversationId' | 'seq' | 'userId' | 'createdAt'>,
    {
      eventId = createId('evt'),
      data = null,
      ...what
    }: Pick<DeliveryRow, 'kind' | 'ref'> & Partial<DeliveryRow>,
  ): Promise<void> {
    const { conversationId, seq, userId, createdAt } = cause;
    await insertDelivery(tx, { eventId, conversationId, seq, userId, createdAt, data, ...what });
    tx.afterCommit(() => onDelivery(conversationId));
  }

  async function remove(tx: WriteTx, { id }: ConversationRow): Promise<void> {
    await deleteConversation(tx, id);
    await blankRequests(tx, id);
    tx.afterCommit(() => {
      bus.closeConversation(id);
      onRemoved(id);
    });
  }

  return {
    async open(tx, owner, foreignId) {
      // Foreign ids are unique: what the sweeper would remove soon has to give way now.
      const hidden = foreignId === null ? undefined : await hiddenConversation(tx, owner.botId, foreignId);
      if (hidden) await remove(tx, hidden);
      const at = now();
      const id = createId('conv');
      const row = {
        id,
        botId: owner.botId,
        foreignId,
        ownerId: owner.id,
        seq: 0,
        createdAt: at,
        updatedAt: at,
      };
      await insertConversation(tx, row);
      await insertParticipant(tx, id, owner.id);
      const start = { conversationId: id, seq: 0, userId: owner.id, createdAt: at };
      await deliver(tx, start, { kind: 'conversation_started', ref: null });
      return row;
    },

    async addMessage(tx, conversation, author, { payload, metadata }) {
      const { seq, at } = await place(tx, conversation);
      const row: MessageRow = {
        id: createId('msg'),
        conversationId: conversation.id,
        seq,
        userId: author.id,
        userForeignId: author.foreignId,
        isBot: author.isBot ? 1 : 0,
        payload: JSON.stringify(payload),
        metadata: metadata ? JSON.stringify(metadata) : null,
        feedback: null,
        createdAt: at,
      };
      await insertMessage(tx, row, author.origin ?? null);
      await tell(tx, conversation, seq, messageSignal(row, conversation), row.id);
      if (!author.isBot) await deliver(tx, row, { kind: 'message', ref: row.id });
      return row;
    },

    async setFeedback(tx, conversation, message, user, feedback) {
      const text = feedback ? JSON.stringify(feedback) : null;
      if (text === message.feedback) return message;
      const row: MessageRow = { ...message, feedback: text };
      await setFeedback(tx, message.id, text);
      const { seq, at } = await place(tx, conversation);
      await tell(tx, conversation, seq, changeSignal(row, conversation), row.id);
      const said = { conversationId: conversation.id, seq, userId: user.id, createdAt: at };
      const data = JSON.stringify(feedback ?? { value: 'none' });
      await deliver(tx, said, { kind: 'feedback', ref: row.id, data });
      return row;
    },

    async tellWidget(tx, conversation, origin, signal) {
      if (await signalSent(tx, origin)) return;
      const { seq } = await place(tx, conversation);
      await tell(tx, conversation, seq, signal, null, { origin });
    },

    async removeMessage(tx, conversation, message) {
      await deleteMessage(tx, message.id);
      await deleteDeliveriesAbout(tx, conversation.id, message.id);
      await releaseMessage(tx, conversation, message);
      await blankRequests(tx, message.id);
      const { seq } = await place(tx, conversation);
      const data = {
        id: message.id,
        conversationId: publicId(conversation),
        userId: message.userForeignId ?? message.userId,
      };
      await tell(tx, conversation, seq, { type: 'message_deleted', data }, null, { userId: message.userId });
    },

    async addEvent(tx, conversation, author, payload) {
      const { seq, at } = await place(tx, conversation);
      const row: EventRow = {
        id: createId('evt'),
        conversationId: conversation.id,
        seq,
        userId: author.id,
        userForeignId: author.foreignId,
        isBot: author.isBot ? 1 : 0,
        payload: JSON.stringify(payload),
        createdAt: at,
      };
      await insertEvent(tx, row, author.origin ?? null);
      await tell(tx, conversation, seq, eventSignal(row, conversation), row.id);
      if (!author.isBot) await deliver(tx, row, { eventId: row.id, kind: 'custom', ref: row.id });
      return row;
    },

    async addParticipant(tx, conversation, user) {
      if (!(await insertParticipant(tx, conversation.id, user.id))) return;
      await deleteInvitationsTo(tx, conversation.id, user);
      const { seq } = await place(tx, conversation);
      const data = { conversationId: publicId(conversation), participantId: publicId(user) };
      await tell(tx, conversation, seq, { type: 'participant_added', data }, null, { userId: user.id });
    },

    async removeParticipant(tx, conversation, user) {
      if (!(await deleteParticipant(tx, conversation.id, user.id))) return false;
      tx.afterCommit(() => bus.closeParticipant(conversation.id, user.id));
      const { seq } = await place(tx, conversation);
      const data = { conversationId: publicId(conversation), participantId: publicId(user) };
      await tell(tx, conversation, seq, { type: 'participant_removed', data }, null, { userId: user.id });
      return true;
    },

    remove,
  };
}
