// SQL of the tags that the team gives to conversations.
import { botOfConversation } from '../columns/table.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';

/** The tags of conversations, by their ids. */
export async function inboxTagsOf(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<Map<string, string[]>> {
  const condition = inList(tx, 'conversation_id', conversationIds);
  const rows = await tx.all<{ id: string; tag: string }>(
    `SELECT conversation_id AS id, tag FROM inbox_tags WHERE ${condition.sql} ORDER BY tag`,
    ...condition.values,
  );
  const tags = new Map<string, string[]>();
  for (const { id, tag } of rows) tags.set(id, [...(tags.get(id) ?? []), tag]);
  return tags;
}

/** Replaces the tags of a conversation. */
export async function setInboxTags(
  tx: WriteTx,
  conversationId: string,
  tags: readonly string[],
): Promise<void> {
  await tx.run('DELETE FROM inbox_tags WHERE conversation_id = ?', conversationId);
  for (const tag of new Set(tags))
    await tx.run(
      `INSERT INTO inbox_tags (conversation_id, tag, bot_id) VALUES (?, ?, ${botOfConversation})`,
      conversationId,
      tag,
      conversationId,
    );
}
