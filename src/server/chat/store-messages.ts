// Stores messages: of visitors, bots and people, one or several in one transaction, with all that follows from them. All
// messages of a server are stored here; the callers have checked who may write (posts.ts, replies.ts, access.ts).
import { ApiError } from '../api/errors.ts';
import { messageCreatedSignal } from '../realtime/event-replay.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import type { DeliveryRow } from '../storage/bots/deliveries.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import { checkReplies, type ReplyConditions } from '../storage/chat/message-conditions.ts';
import { type MessageRow, supersedeMessages } from '../storage/chat/messages.ts';
import {
  type HeldConversation,
  holdConversation,
  insertNewMessages,
  type PostClaim,
  type PostDelivery,
  type StoredEvent,
} from '../storage/chat/new-messages.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';
import type { HandlingRow } from '../storage/inbox/handlings.ts';
import { type ConversationLog, maxOutgoing } from './conversation-log.ts';
import type { Handlings, Recipient } from './handling/handlings-interface.ts';
import type { Interrupts } from './interrupts/interrupts.ts';
import {
  type Author,
  clientData,
  type MessageContent,
  newMessage,
  type StoredContent,
  withMessage,
} from './new-message.ts';

/** A message that is about to be stored as the last one of a conversation. */
export interface Draft {
  /** As it is stored; its lock is held. */
  conversation: HeldConversation;
  author: Author;
  content: StoredContent;
  /** The handling of the conversation, if a person was ever asked for. */
  handling?: HandlingRow | undefined;
  /** The receiver of a message of a visitor. */
  to?: Recipient['to'] | undefined;
  /** The rows of the event, if this process may deliver it as it is written. */
  sender?: { bot: BotRow; user: UserRow } | undefined;
  /** Called before anything is stored. When it returns false, the message is left out, and takes no sequence number. */
  accept?(message: MessageRow): boolean;
  /** Called after the commit, before the message is published. */
  onStored?: ((message: MessageRow) => void) | undefined;
  /** Called after that. */
  onPublished?: ((conversation: HeldConversation) => void) | undefined;
}

/** The event of a message as it was written, with everything that the bot receives. */
export interface WrittenEvent extends StoredEvent {
  bot: BotRow;
  user: UserRow;
  conversation: HeldConversation;
  message: MessageRow;
}

export interface StoringOptions {
  now(): number;
  log: Pick<ConversationLog, 'publishMessage'>;
  handlings: Pick<Handlings, 'afterMessage' | 'beforeMessage' | 'find' | 'ofBot'>;
  interrupts: Pick<Interrupts, 'askInterrupts' | 'supersedeInterrupts'>;
  /** The process that delivers the event of a message to this bot. */
  claimFor(bot: BotRow): PostClaim;
  /** Called after the commit with an event that this process may deliver as it was written. */
  onPosted(written: WrittenEvent): void;
  /** Called after the commit when a conversation has another event for its bot. */
  onDelivery(conversationId: string): void;
  /** Called after the commit with the events that bots are not to handle any more. */
  onSuperseded(conversationId: string, eventIds: readonly string[]): void;
}

/**
 * Stores messages in their order, and returns the row of each; undefined for those that were left out. `beside`: further
 * statements, which are sent together with those of the messages.
 */
export type StoreMessages = (
  tx: WriteTx,
  drafts: readonly Draft[],
  beside?: readonly (() => Promise<unknown>)[],
) => Promise<(MessageRow | undefined)[]>;

interface Accepted {
  draft: Draft;
  /** With the message. */
  conversation: HeldConversation;
  message: MessageRow;
  /** The event of the message before it is stored, if it has one. */
  event: Omit<PostDelivery, 'claim'> | undefined;
}

export function createStoreMessages(options: StoringOptions): StoreMessages {
  const { now, log, handlings, interrupts, claimFor, onPosted, onDelivery, onSuperseded } = options;

  /** The drafts as rows, each after those before it. */
  function accept(drafts: readonly Draft[]): (Accepted | undefined)[] {
    const changed = new Map<string, HeldConversation>();
    return drafts.map((draft) => {
      const { author, content } = draft;
      const before = changed.get(draft.conversation.id) ?? draft.conversation;
      const received = receivedAs(draft, before);
      const outgoing = received?.outgoing ?? before.outgoing;
      const conversation = { ...withMessage(before, now()), outgoing };
      const place = { seq: conversation.seq, at: conversation.updatedAt };
      const message: MessageRow = {
        ...newMessage(conversation.id, place, author, content),
        isSynthetic: content.isSynthetic ? 1 : 0,
        supersedes: content.replaced?.id ?? null,
      };
      if (draft.accept?.(message) === false) return undefined;
      changed.set(conversation.id, conversation);
      const { id: ref, conversationId, seq, userId, createdAt } = message;
      const event = received && {
        ...{ eventId: createId('evt'), botId: conversation.botId, kind: received.kind, ref },
        ...{ conversationId, seq, userId, createdAt, data: clientData(content.client) },
        locale: author.locale && !author.isBot ? JSON.stringify(author.locale) : null,
      };
      return { draft, conversation, message, event };
    });
  }

  /** All that a stored message causes, except for its event. */
  async function publish(tx: WriteTx, { draft, conversation, message }: Accepted): Promise<void> {
    const { content, handling, onStored, onPublished } = draft;
    if (content.replaced) {
      const events = await supersedeMessages(tx, content.replaced, message);
      tx.afterCommit(() => onSuperseded(conversation.id, events));
    }
    if (content.interrupts) await interrupts.askInterrupts(tx, message, content.interrupts);
    if (onStored) tx.afterCommit(() => onStored(message));
    await log.publishMessage(tx, conversation, message.seq, messageCreatedSignal(message, conversation));
    if (onPublished) tx.afterCommit(() => onPublished(conversation));
    if (handling) await handlings.afterMessage(tx, handling, message);
  }

  return async (tx, drafts, beside = []) => {
    const accepted = accept(drafts);
    const stored = accepted.filter((one) => one !== undefined);
    if (stored.length === 0) return accepted.map(() => undefined);
    const changed = new Map(stored.map(({ conversation }) => [conversation.id, conversation]));
    const events = await insertNewMessages(
      tx,
      {
        conversations: [...changed.values()],
        messages: stored.map(({ draft: { author }, conversation: { botId }, message }) => ({
          ...message,
          botId,
          origin: author.origin ?? null,
        })),
        events: stored.flatMap(({ draft: { sender }, event }) =>
          event ? [{ ...event, claim: sender && claimFor(sender.bot) }] : [],
        ),
      },
      beside,
    );
    for (const one of stored) await publish(tx, one);
    const byMessage = new Map(events.map((event) => [event.delivery.ref, event]));
    tx.afterCommit(() => {
      for (const {
        draft: { sender },
        conversation,
        message,
      } of stored) {
        const event = byMessage.get(message.id);
        if (event && sender) onPosted({ ...sender, conversation, message, ...event });
        else if (event) onDelivery(conversation.id);
      }
    });
    return accepted.map((one) => one?.message);
  };
}

/** The kind of the event of a message, and the events about messages of the bot with it; undefined without an event. */
function receivedAs(
  { author, to }: Draft,
  { outgoing, outgoingEvents }: HeldConversation,
): { kind: DeliveryRow['kind']; outgoing: number } | undefined {
  if (to === 'bot') return { kind: 'message', outgoing: 0 };
  if (to === 'desk') return { kind: 'message_for_person', outgoing: 0 };
  const isReported = author.isBot && !author.isSilent && outgoingEvents === 1 && outgoing < maxOutgoing;
  return isReported ? { kind: 'message', outgoing: outgoing + 1 } : undefined;
}

/**
 * Returns the function that stores one message in a conversation that the caller has read, in any state of its handling: it cancels
 * questions that wait, opens a closed conversation again, and throws HandledByPerson for a bot that is to be silent.
 */
export function createAddMessage(
  storeMessages: StoreMessages,
  { handlings, interrupts }: Pick<StoringOptions, 'handlings' | 'interrupts'>,
) {
  return async (
    tx: WriteTx,
    conversation: ConversationRow,
    author: Author,
    content: StoredContent,
  ): Promise<MessageRow> => {
    const isVisitor = !author.isBot && !author.person;
    if (isVisitor) await interrupts.supersedeInterrupts(tx, conversation, author.locale);
    const recipient = isVisitor ? await handlings.beforeMessage(tx, conversation) : undefined;
    const held = await holdConversation(tx, conversation.id);
    if (!held) throw new ApiError('ResourceNotFound', 'The conversation no longer exists.');
    const isKnown = recipient !== undefined || held.hasHandling === 0;
    const handling = isKnown
      ? recipient?.handling
      : author.isBot
        ? await handlings.ofBot(tx, held, content.isEnd === true)
        : await handlings.find(tx, held);
    const [message] = await storeMessages(tx, [
      { conversation: held, author, content, handling, to: recipient?.to },
    ]);
    return message as MessageRow;
  };
}

/** A reply of a bot to an event that this process handles. */
export interface Reply extends ReplyConditions, Pick<Draft, 'onStored' | 'onPublished'> {
  /** The bot. */
  author: Author;
  content: MessageContent;
}

/**
 * Returns a function that stores replies, and returns for each its message. Undefined: it has to be stored alone, which finds
 * out why it cannot be, or tells the bot about it. One transaction stores all of them.
 */
export function createReplies(storeMessages: StoreMessages) {
  return async (tx: WriteTx, replies: readonly Reply[]): Promise<(MessageRow | undefined)[]> => {
    const conversations = await checkReplies(tx, replies);
    const origins = new Set<string>();
    const drafts = replies.map((reply, n): Draft | undefined => {
      const conversation = conversations[n];
      const { origin, content, onStored, onPublished } = reply;
      if (!conversation || conversation.hasHandling === 1 || origins.has(origin)) return undefined;
      origins.add(origin);
      const author = { ...reply.author, origin };
      return { conversation, author, content, onStored, onPublished };
    });
    const messages = await storeMessages(
      tx,
      drafts.filter((draft) => draft !== undefined),
    );
    return drafts.map((draft) => draft && messages.shift());
  };
}
