// SQL of the last message that a human wrote, for rows of the inbox whose last message is of the bot, or of the team.
import type { MessageRow } from '../chat/messages.ts';
import type { Tx } from '../database.ts';
import { inList } from '../dialect.ts';

/** Bytes of a payload that is read: rows of longer ones show the last message instead. */
const largestBytes = 20_000;

export type HumanMessage = Pick<MessageRow, 'conversationId' | 'payload' | 'isBot' | 'author'>;

/** The last message of each of these conversations that the bot did not write, by the index of the order of messages. */
export async function lastHumanMessages(tx: Tx, conversationIds: readonly string[]): Promise<HumanMessage[]> {
  if (conversationIds.length === 0) return [];
  const condition = inList(tx, 'c.id', conversationIds);
  return tx.all(
    `SELECT c.id AS conversation_id, l.payload, l.is_bot, l.author FROM conversations c
       JOIN messages l ON l.id = (SELECT m.id FROM messages m
         WHERE m.conversation_id = c.id AND m.is_bot = 0 AND m.superseded_by IS NULL ORDER BY m.seq DESC LIMIT 1)
     WHERE ${condition.sql} AND octet_length(l.payload) <= ${largestBytes}`,
    ...condition.values,
  );
}
