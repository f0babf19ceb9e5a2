// SQL of several replies of bots that one transaction of PostgreSQL stores. For one reply, see messages.ts.
import type { DeliveryRow } from '../bots/deliveries.ts';
import type { WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { arrayOf } from '../dialect.ts';
import { type ConversationRow, conversationColumns } from './conversations.ts';
import {
  changedConversations,
  conversationArrays,
  messageArrays,
  messageColumns,
  messageTypes,
} from './message-groups.ts';
import type { MessageRow } from './messages.ts';

/** A reply: the event that it answers, with its conversation and the process that handles it, and its deduplication key. */
export interface ReplyCheck {
  event: Pick<DeliveryRow, 'eventId' | 'conversationId' | 'owner'>;
  origin: string;
}

/**
 * Locks the conversations of replies in the order of their ids, and returns for each reply its conversation, if the owner of
 * the event still handles it, and no message has the deduplication key. Also none if the bot receives events about its own
 * messages. The conditions are a statement of their own, which is sent with the first one: they must not be checked as of
 * before the wait for a row.
 */
export async function lockAnswered(
  tx: WriteTx,
  replies: readonly ReplyCheck[],
): Promise<(ConversationRow | undefined)[]> {
  const locked = tx.all<ConversationRow>(
    `SELECT ${conversationColumns()} FROM conversations WHERE id = ANY (CAST(? AS text[])) ORDER BY id FOR UPDATE`,
    arrayOf([...new Set(replies.map(({ event }) => event.conversationId))]),
  );
  const passed = tx.all<{ n: number; conversationId: string }>(
    `SELECT r.n, d.conversation_id AS "conversationId"
     FROM unnest(CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]))
       AS r (n, event_id, owner, origin)
     JOIN deliveries d ON d.event_id = r.event_id AND d.owner = r.owner
     JOIN conversations c ON c.id = d.conversation_id
     JOIN bots b ON b.id = c.bot_id AND b.outgoing_events = 0
     WHERE NOT ${isBeingDeleted('c.owner_id')} AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.origin = r.origin)`,
    arrayOf(replies.map((_, n) => n)),
    arrayOf(replies.map(({ event }) => event.eventId)),
    arrayOf(replies.map(({ event }) => event.owner)),
    arrayOf(replies.map(({ origin }) => origin)),
  );
  // Its error is that of the first one.
  passed.catch(() => {});
  const byId = new Map((await locked).map((row) => [row.id, row]));
  const found = new Map((await passed).map(({ n, conversationId }) => [n, byId.get(conversationId)]));
  return replies.map((_, n) => found.get(n));
}

/** Inserts messages of bots, and stores how they change their conversations, whose rows are locked. */
export async function insertReplies(
  tx: WriteTx,
  conversations: readonly ConversationRow[],
  messages: readonly (MessageRow & { origin: string })[],
): Promise<void> {
  await tx.run(
    `WITH ${changedConversations()}
     INSERT INTO messages (${messageColumns}, parts, origin, is_bot)
     SELECT ${messageColumns}, parts, origin, 1
     FROM unnest(${messageTypes}, CAST(? AS text[]), CAST(? AS text[])) AS m (${messageColumns}, parts, origin)`,
    ...conversationArrays(conversations),
    ...messageArrays(messages),
    arrayOf(messages.map(({ parts }) => parts)),
    arrayOf(messages.map(({ origin }) => origin)),
  );
}
