// SQL of the words and the tags by which conversations of the inbox are found.
import { searchedWords } from '../../../protocol/inbox.ts';
import type { Tx, Value, WriteTx } from '../database.ts';
import { arrayText, forDialect, inList } from '../dialect.ts';
import { botOfConversation } from '../table.ts';

/** Above every other character of a word. */
const lastCharacter = '\u{10ffff}';

/** Stores the words of the row of a conversation, whose lock is held, after something of the row has changed. */
export async function indexWords(tx: WriteTx, conversationId: string): Promise<void> {
  const row = await tx.get<{
    workspaceId: string;
    name: string | null;
    preview: string;
    reason: string | null;
  }>(
    `SELECT h.workspace_id, u.name, h.last_preview AS preview, o.reason
     FROM handlings h JOIN conversations c ON c.id = h.conversation_id JOIN handoffs o ON o.id = h.handoff_id
     LEFT JOIN users u ON u.id = c.owner_id WHERE h.conversation_id = ?`,
    conversationId,
  );
  if (!row) return;
  const tags = (await inboxTagsOf(tx, [conversationId])).get(conversationId) ?? [];
  const { name, preview, reason } = row;
  const words = searchedWords({ name: name ?? undefined, tags, preview, reason: reason ?? undefined });
  const isCurrent = inList(tx, 'word', words);
  await tx.run(
    `DELETE FROM inbox_words WHERE conversation_id = ? AND NOT (${isCurrent.sql})`,
    conversationId,
    ...isCurrent.values,
  );
  const { source, list } = forDialect(tx, {
    sqlite: () => ({ source: 'json_each(?) AS w', list: JSON.stringify(words) }),
    postgres: () => ({ source: 'unnest(CAST(? AS TEXT[])) AS w (value)', list: arrayText(words) }),
  })();
  await tx.run(
    // Without WHERE, SQLite reads ON as a part of a join.
    `INSERT INTO inbox_words (workspace_id, word, conversation_id)
     SELECT ?, w.value, ? FROM ${source} WHERE true ON CONFLICT DO NOTHING`,
    row.workspaceId,
    conversationId,
    list,
  );
}

/** The condition that a row `h` of a workspace has a word that begins with each of these. */
export function wordConditions(
  workspaceId: string,
  terms: readonly string[],
): { sql: string; values: Value[] }[] {
  if (terms.length === 0) return [{ sql: '1 = 0', values: [] }];
  return terms.map((term) => ({
    sql: `h.conversation_id IN (SELECT w.conversation_id FROM inbox_words w
            WHERE w.workspace_id = ? AND w.word >= ? AND w.word < ?)`,
    values: [workspaceId, term, term + lastCharacter],
  }));
}

/** Conversations whose words are those of an earlier rule. */
export async function withEarlierWords(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT conversation_id AS id FROM handlings WHERE words_version = 0 AND conversation_id > ''
     ORDER BY conversation_id LIMIT ?`,
    limit,
  );
  return rows.map(({ id }) => id);
}

/** Stores the words of conversations again, by the present rule. */
export async function indexWordsAgain(tx: WriteTx, conversationIds: readonly string[]): Promise<void> {
  await tx.lock(...conversationIds.map((id) => `conversation:${id}` as const));
  for (const id of conversationIds) {
    await indexWords(tx, id);
    await tx.run('UPDATE handlings SET words_version = 1 WHERE conversation_id = ?', id);
  }
}

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
