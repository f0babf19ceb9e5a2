// Stores the replies of bots to several events in one transaction, each as if it were alone (transcript.ts: addMessage).
import type { Metadata, Payload } from '../../protocol/message.ts';
import type { Part } from '../../protocol/parts.ts';
import { messageCreatedSignal } from '../realtime/event-replay.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import { insertReplies, lockAnswered, type ReplyCheck } from '../storage/chat/reply-groups.ts';
import type { WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';
import type { ConversationLog } from './conversation-log.ts';

/** A reply of a bot to an event that this process handles. */
export interface Reply extends ReplyCheck {
  /** The user of the bot. */
  userId: string;
  content: { payload: Payload; metadata?: Metadata; parts?: readonly Part[] };
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
      if (!found || origins.has(reply.origin)) return undefined;
      origins.add(reply.origin);
      const before = changed.get(found.id) ?? found;
      const at = now();
      const conversation: ConversationRow = {
        ...before,
        seq: before.seq + 1,
        messageCount: before.messageCount + 1,
        updatedAt: before.updatedAt >= at ? before.updatedAt + 1 : at,
      };
      changed.set(found.id, conversation);
      const message = replyOf(reply, conversation);
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

function replyOf(
  { userId, content: { payload, metadata, parts = [] } }: Reply,
  { id, seq, updatedAt }: ConversationRow,
): MessageRow {
  return {
    id: createId('msg'),
    conversationId: id,
    seq,
    userId,
    userForeignId: null,
    isBot: 1,
    payload: JSON.stringify(payload),
    metadata: metadata ? JSON.stringify(metadata) : null,
    feedback: null,
    parts: parts.length > 0 ? JSON.stringify(parts) : null,
    createdAt: updatedAt,
    updatedAt: null,
    isSynthetic: 0,
  };
}
