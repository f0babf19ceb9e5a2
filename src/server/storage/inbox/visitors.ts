// SQL of the conversations in which the inbox shows a visitor.
import type { Tx } from '../database.ts';
import { inList } from '../dialect.ts';

interface HandledConversation {
  conversationId: string;
  workspaceId: string;
}

const columns = 'h.conversation_id, h.workspace_id';

/** The conversations of a visitor for which a person was ever asked, those with the last changes first. */
export async function handledConversationsOf(
  tx: Tx,
  userId: string,
  limit: number,
): Promise<HandledConversation[]> {
  return tx.all(
    `SELECT ${columns} FROM conversations c JOIN handlings h ON h.conversation_id = c.id
     WHERE c.owner_id = ? AND c.has_handling = 1 ORDER BY h.sort_at DESC LIMIT ?`,
    userId,
    limit,
  );
}

/** The conversations of a list for which a person was ever asked. */
export async function handledAmong(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<HandledConversation[]> {
  const condition = inList(tx, 'h.conversation_id', conversationIds);
  return tx.all(`SELECT ${columns} FROM handlings h WHERE ${condition.sql}`, ...condition.values);
}
