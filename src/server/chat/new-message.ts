// A message that is about to be stored, as the last one of its conversation.
import type { Person } from '../../protocol/handling/handling.ts';
import type { Metadata, Payload } from '../../protocol/message.ts';
import type { Part } from '../../protocol/parts.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import { createId } from '../storage/ids.ts';
import type { AskedInterrupts } from './interrupts/interrupts.ts';

export interface MessageContent {
  payload: Payload;
  metadata?: Metadata;
  parts?: readonly Part[];
  /** The open interrupts among the parts. */
  interrupts?: AskedInterrupts;
}

/** The row of a message. `place`: its sequence number in the conversation, and its time. */
export const newMessage = (
  conversationId: string,
  { seq, at }: { seq: number; at: number },
  author: { id: string; foreignId: string | null; isBot: boolean; person?: Person | undefined },
  { payload, metadata, parts = [] }: MessageContent,
): MessageRow => ({
  id: createId('msg'),
  conversationId,
  seq,
  userId: author.id,
  userForeignId: author.foreignId,
  isBot: author.isBot ? 1 : 0,
  author: author.person ? JSON.stringify(author.person) : null,
  payload: JSON.stringify(payload),
  metadata: metadata ? JSON.stringify(metadata) : null,
  feedback: null,
  parts: parts.length > 0 ? JSON.stringify(parts) : null,
  createdAt: at,
  updatedAt: null,
  isSynthetic: 0,
  supersedes: null,
  supersededBy: null,
});

/** The conversation, whose row is locked, with one more message. `at`: the time, which never stands still in a conversation. */
export const withMessage = (conversation: ConversationRow, at: number): ConversationRow => ({
  ...conversation,
  seq: conversation.seq + 1,
  messageCount: conversation.messageCount + 1,
  updatedAt: conversation.updatedAt >= at ? conversation.updatedAt + 1 : at,
});
