// Stores a message of a visitor in few statements, and passes its event to the runner of bots as it was written.

import type { VisitorLocale } from '../../protocol/headers/locale.ts';
import type { PageClient } from '../../protocol/interrupts/client-tools.ts';
import type { Metadata, Payload } from '../../protocol/message.ts';
import type { Caller } from '../api/caller.ts';
import type { ChatEndpoint } from '../api/chat-endpoint-interface.ts';
import { ConditionsUnmet } from '../api/handler.ts';
import { messageCreatedSignal } from '../realtime/event-replay.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import type { NewDelivery } from '../storage/bots/deliveries.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import {
  insertPost,
  insertPostDelivery,
  type PostClaim,
  type PostConditions,
  type StoredEvent,
  takeSequenceForPost,
} from '../storage/chat/posts.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';
import { clientData } from './client-data.ts';
import type { ConversationLog } from './conversation-log.ts';
import { newMessage } from './new-message.ts';

/** A message of a visitor whose key and bot were read before the transaction. */
export interface Post {
  chat: ChatEndpoint;
  caller: Caller;
  /** The foreign id or server id. */
  conversationId: string;
  content: { payload: Payload; metadata?: Metadata };
  /** What the page offers to the bot. */
  client?: PageClient | undefined;
  locale: VisitorLocale | undefined;
  request: PostConditions['request'];
}

/** The event of a message as it was written, with everything that the bot receives. */
export interface WrittenEvent extends StoredEvent {
  bot: BotRow;
  user: UserRow;
  conversation: ConversationRow;
  message: MessageRow;
}

export interface PostOptions {
  now(): number;
  log: Pick<ConversationLog, 'publishMessage'>;
  /** Who delivers the event of a message to this bot. */
  claimFor(bot: BotRow): PostClaim;
  /** Called after the commit. */
  onPosted(written: WrittenEvent): void;
}

/**
 * Returns a function that stores a post. It throws ConditionsUnmet if the caller may not send it, or has sent it before:
 * the conditions of the statements do not tell which.
 */
export function createPosting({ now, log, claimFor, onPosted }: PostOptions) {
  return async (tx: WriteTx, post: Post): Promise<{ message: MessageRow; conversation: ConversationRow }> => {
    const { bot } = post.chat;
    const { user } = post.caller;
    await tx.lock(`owner:${user.id}`);
    const conversation = await takeSequenceForPost(tx, bot.id, post.conversationId, now());
    // Where a person was asked for, what the message causes depends on who answers.
    if (!conversation || conversation.hasHandling === 1) throw new ConditionsUnmet();
    const message = messageOf(post, conversation);
    if (!(await insertPost(tx, message, conditionsOf(post)))) throw new ConditionsUnmet();
    await log.publishMessage(tx, conversation, message.seq, messageCreatedSignal(message, conversation));
    const stored = await insertPostDelivery(tx, deliveryOf(post, message), bot.id, claimFor(bot));
    tx.afterCommit(() => onPosted({ bot, user, conversation, message, ...stored }));
    return { message, conversation };
  };
}

/** The message of a post, as the last one of a conversation. */
export const messageOf = (
  { caller: { user }, content }: Post,
  { id, seq, updatedAt }: ConversationRow,
): MessageRow => newMessage(id, { seq, at: updatedAt }, { ...user, isBot: false }, content);

/** What must hold when the message of a post is stored. */
export function conditionsOf({ chat: { bot }, caller: { user, key }, request }: Post): PostConditions {
  return {
    botId: bot.id,
    ownKeys: bot.ownKeys,
    userId: user.id,
    keyHash: key.hash,
    keysValidAfter: user.keysValidAfter,
    request,
  };
}

/** The event of the message of a post. */
export function deliveryOf({ locale, client }: Post, message: MessageRow): NewDelivery {
  const { id, conversationId, seq, userId, createdAt } = message;
  return {
    eventId: createId('evt'),
    conversationId,
    seq,
    userId,
    kind: 'message',
    ref: id,
    data: clientData(client),
    locale: locale ? JSON.stringify(locale) : null,
    createdAt,
  };
}
