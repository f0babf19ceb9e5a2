// The interface of the writes to a conversation, which transcript.ts implements. Types only.
import type { VisitorLocale } from '../../protocol/headers.ts';
import type { Signal } from '../../protocol/signal.ts';
import type { Outcome } from '../api/handler.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { EventRow } from '../storage/chat/events.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import type { Handlings } from './handling/handlings-interface.ts';
import type { Interrupts } from './interrupts/interrupts.ts';
import type { MessageChanges } from './message-changes.ts';
import type { Author, StoredContent } from './new-message.ts';
import type { Post } from './posts.ts';
import type { Reply } from './store-messages.ts';

export interface Transcript extends Interrupts, MessageChanges {
  /** The handling of a conversation: its bot, or a person. */
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
   * Stores one message, whatever the state of the conversation (store-messages.ts). Throws ResourceNotFound when it was deleted, and
   * HandledByPerson for a bot that is to be silent.
   */
  addMessage(
    tx: WriteTx,
    conversation: ConversationRow,
    author: Author,
    content: StoredContent,
  ): Promise<MessageRow>;
  /** Stores a message of a visitor in a transaction of its own, and returns the response; undefined if it cannot (posts.ts). */
  post(post: Post): Promise<Outcome | undefined>;
  /** Stores several replies of bots in one transaction, and returns for each its message, if it is stored. */
  storeReplies(tx: WriteTx, replies: readonly Reply[]): Promise<(MessageRow | undefined)[]>;
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
