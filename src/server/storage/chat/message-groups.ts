// The parts of statements that insert several messages and change their conversations, with arrays of PostgreSQL.
import { arrayOf } from '../dialect.ts';
import type { ConversationRow } from './conversations.ts';
import type { MessageRow } from './messages.ts';

/**
 * A common table expression that stores how messages change their conversations, whose rows are locked; for
 * `conversationArrays`. `assignments`: further ones.
 */
export const changedConversations = (...assignments: string[]): string =>
  `changed AS (
     UPDATE conversations c SET ${[...assignments, 'seq = n.seq', 'message_count = n.message_count'].join(', ')},
       updated_at = n.updated_at
     FROM unnest(CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]))
       AS n (id, seq, message_count, updated_at)
     WHERE c.id = n.id)`;

export const conversationArrays = (conversations: readonly ConversationRow[]): string[] => [
  arrayOf(conversations.map(({ id }) => id)),
  arrayOf(conversations.map(({ seq }) => seq)),
  arrayOf(conversations.map(({ messageCount }) => messageCount)),
  arrayOf(conversations.map(({ updatedAt }) => updatedAt)),
];

/** The columns of `messageArrays`, their types, and the arrays. */
export const messageColumns = 'id, conversation_id, seq, user_id, payload, metadata, created_at';
export const messageTypes = `CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS text[]),
  CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[])`;
export const messageArrays = (messages: readonly MessageRow[]): string[] => [
  arrayOf(messages.map(({ id }) => id)),
  arrayOf(messages.map(({ conversationId }) => conversationId)),
  arrayOf(messages.map(({ seq }) => seq)),
  arrayOf(messages.map(({ userId }) => userId)),
  arrayOf(messages.map(({ payload }) => payload)),
  arrayOf(messages.map(({ metadata }) => metadata)),
  arrayOf(messages.map(({ createdAt }) => createdAt)),
];
