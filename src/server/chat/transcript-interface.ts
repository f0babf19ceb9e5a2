// The interface of the writes to a conversation, which transcript.ts implements. Types only.

import type { Person } from '../../protocol/handling/handling.ts';
import type { VisitorLocale } from '../../protocol/headers/locale.ts';
import type { PageClient } from '../../protocol/interrupts/client-tools.ts';
import type { Signal } from '../../protocol/signal.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { EventRow } from '../storage/chat/events.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import type { Handlings } from './handling/handlings-interface.ts';
import type { Interrupts } from './interrupts/interrupts.ts';
import type { MessageChanges } from './message-changes.ts';
import type { MessageContent } from './new-message.ts';
import type { Post } from './post.ts';
import type { GroupedPost } from './post-group.ts';
import type { Reply } from './reply-group.ts';

/**
 * The author of a message or event: a user, the bot, or a person (`person`) as one of its users. `origin` deduplicates a bot's writes; `locale`: for the bot;
 * `isSilent`: causes no event about it, also for a bot that receives events about its own messages.
 */
export interface Author {
  id: string;
  foreignId: string | null;
  isBot: boolean;
  person?: Person | undefined;
  origin?: string;
  isSilent?: boolean;
  locale?: VisitorLocale | undefined;
}

export interface Transcript extends Interrupts, MessageChanges {
  /** Who answers a conversation. */
  handlings: Handlings;
  /**
   * Creates a conversation with `owner` as its owner and first participant, and queues `conversation_started`.
   * `isByBot`: the owner is the bot, which neither participates nor receives the event.
   */
  createConversation(
    tx: WriteTx,
    owner: Pick<UserRow, 'id' | 'botId'>,
    foreignId: string | null,
    locale?: VisitorLocale,
    options?: { isByBot?: boolean; channel?: string },
  ): Promise<ConversationRow>;
  /**
   * `replaced`: the message whose place the new one takes, and that of all messages after it; `client`: what the page of its
   * author offers to the bot.
   */
  addMessage(
    tx: WriteTx,
    conversation: ConversationRow,
    author: Author,
    content: MessageContent & {
      isSynthetic?: boolean;
      /** It ends an answer of the bot that somebody stopped: it may be stored although a person answers now. */
      isEnd?: boolean;
      replaced?: MessageRow | undefined;
      client?: PageClient | undefined;
    },
  ): Promise<MessageRow>;
  /**
   * Stores a message of a visitor, with conditions instead of reads. Throws ConditionsUnmet, also when the caller may not
   * send it; then the transaction must be rolled back.
   */
  post(tx: WriteTx, post: Post): Promise<{ message: MessageRow; conversation: ConversationRow }>;
  /** Stores several posts in one transaction, and returns for each whether it is stored (post-group.ts). */
  postTogether(tx: WriteTx, posts: readonly GroupedPost[]): Promise<boolean[]>;
  /** Stores several replies of bots in one transaction, and returns for each its message, if it is stored (reply-group.ts). */
  replyTogether(tx: WriteTx, replies: readonly Reply[]): Promise<(MessageRow | undefined)[]>;
  /** Sends a signal to the widget. `origin` deduplicates it. */
  sendWidgetSignal(
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
    options?: { type?: string | null; messageId?: string | null },
  ): Promise<EventRow>;
  /** Adds a user without an invitation and deletes pending ones. Does nothing for an existing participant. */
  addParticipant(tx: WriteTx, conversation: ConversationRow, user: UserRow): Promise<void>;
  /** Closes the user's streams of this conversation and publishes the removal. Returns false for a non-participant. */
  removeParticipant(
    tx: WriteTx,
    conversation: ConversationRow,
    user: Pick<UserRow, 'id' | 'foreignId'>,
  ): Promise<boolean>;
  /** Replaces a participant, also as the owner. `isReported`: the bot receives `user_merged`. */
  replaceParticipant(
    tx: WriteTx,
    conversation: ConversationRow,
    previous: UserRow,
    user: UserRow,
    isReported: boolean,
    locale: VisitorLocale | undefined,
  ): Promise<void>;
  /** Deletes conversations with their content, closes their streams and cancels their bots. */
  removeConversations(tx: WriteTx, conversations: readonly { id: string }[]): Promise<void>;
}
