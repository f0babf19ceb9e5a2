// Stores the replies of bots to several events in one transaction, each as if it were alone (transcript.ts: addMessage).
import { messageCreatedSignal } from '../realtime/event-replay.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import { insertReplies, lockAnswered, type ReplyCheck } from '../storage/chat/reply-groups.ts';
import type { WriteTx } from '../storage/database.ts';
import type { ConversationLog } from './conversation-log.ts';
import { type MessageContent, newMessage, withMessage } from './new-message.ts';

/** A reply of a bot to an event that this process handles. */
export interface Reply extends ReplyCheck {
  /** The user of the bot. */
  userId: string;
  content: MessageContent;
  /** Called after the commit, before the message is published. */
  onStored(message: MessageRow): void;
  /** Called after that. */
  onPublished(): void;
}

/**
 * Returns a function that stores replies, and returns for each its message. Undefined: it has to be stored alone, which finds
 * out why it cannot be, or tells the bot about it.
 */
export function createGroupReplies({
  now,
  log,
}: {
  now(): number;
  log: Pick<ConversationLog, 'publishMessage'>;
}) {
  return async (tx: WriteTx, replies: readonly Reply[]): Promise<(MessageRow | undefined)[]> => {
    const locked = await lockAnswered(tx, replies);
    const changed = new Map<string, ConversationRow>();
    const origins = new Set<string>();
    const written: { reply: Reply; conversation: ConversationRow; message: MessageRow }[] = [];
    const messages = replies.map((reply, n) => {
      const found = locked[n];
      if (!found || found.hasHandling === 1 || origins.has(reply.origin)) return undefined;
      origins.add(reply.origin);
      const before = changed.get(found.id) ?? found;
      const conversation = withMessage(before, now());
      changed.set(found.id, conversation);
      const place = { seq: conversation.seq, at: conversation.updatedAt };
      const author = { id: reply.userId, foreignId: null, isBot: true };
      const message = newMessage(found.id, place, author, reply.content);
      written.push({ reply, conversation, message });
      return message;
    });
    if (written.length === 0) return messages;
    await insertReplies(
      tx,
      [...changed.values()],
      written.map(({ reply, message }) => ({ ...message, origin: reply.origin })),
    );
    for (const { reply, conversation, message } of written) {
      tx.afterCommit(() => reply.onStored(message));
      await log.publishMessage(tx, conversation, message.seq, messageCreatedSignal(message, conversation));
      tx.afterCommit(() => reply.onPublished());
    }
    return messages;
  };
}
