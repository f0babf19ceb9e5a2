// SQL of the answers to the form before a conversation. They are a column of it, so that they are deleted, exported and moved with it.
import type { PreChatForm } from '../../../protocol/visitors.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';

export async function setPreChatForm(tx: WriteTx, conversationId: string, form: PreChatForm): Promise<void> {
  await tx.run(
    'UPDATE conversations SET pre_chat_form = ? WHERE id = ?',
    JSON.stringify(form),
    conversationId,
  );
}

/** undefined for a conversation that began without a form. */
export async function findPreChatForm(tx: Tx, conversationId: string): Promise<PreChatForm | undefined> {
  return (await preChatFormsOf(tx, [conversationId])).get(conversationId);
}

/** The forms of these conversations, by their ids; without those that began without a form. */
export async function preChatFormsOf(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<Map<string, PreChatForm>> {
  if (conversationIds.length === 0) return new Map();
  const condition = inList(tx, 'id', conversationIds);
  const rows = await tx.all<{ id: string; form: string }>(
    `SELECT id, pre_chat_form AS form FROM conversations WHERE ${condition.sql} AND pre_chat_form IS NOT NULL`,
    ...condition.values,
  );
  return new Map(rows.map(({ id, form }) => [id, JSON.parse(form) as PreChatForm]));
}
