// SQL of the answers to the form before a conversation. They are a column of it, so that they are deleted, exported and moved with it.
import type { PreChatForm } from '../../../protocol/pre-chat-form/answers.ts';
import type { Tx, WriteTx } from '../database.ts';

export async function setPreChatForm(tx: WriteTx, conversationId: string, form: PreChatForm): Promise<void> {
  await tx.run(
    'UPDATE conversations SET pre_chat_form = ? WHERE id = ?',
    JSON.stringify(form),
    conversationId,
  );
}

/** undefined for a conversation that began without a form. */
export async function findPreChatForm(tx: Tx, conversationId: string): Promise<PreChatForm | undefined> {
  const found = await tx.get<{ form: string | null }>(
    'SELECT pre_chat_form AS "form" FROM conversations WHERE id = ?',
    conversationId,
  );
  return found?.form ? (JSON.parse(found.form) as PreChatForm) : undefined;
}
