// Replies of bots to several events, which one transaction stores.
import { checkReplies, type ReplyConditions } from '../storage/chat/message-conditions.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import type { WriteTx } from '../storage/database.ts';
import type { Author, MessageContent } from './new-message.ts';
import type { Draft, StoreMessages } from './store-messages.ts';

/** A reply of a bot to an event that this process handles. */
export interface Reply extends ReplyConditions, Pick<Draft, 'onStored' | 'onPublished'> {
  /** The bot. */
  author: Author;
  content: MessageContent;
}

/**
 * Returns a function that stores replies, and returns for each its message. Undefined: it has to be stored alone, which finds
 * out why it cannot be, or tells the bot about it.
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
