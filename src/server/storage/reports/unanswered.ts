// SQL of messages of visitors that the bot did not answer well.
import type { WriteTx } from '../database.ts';

/** Records that a visitor rated an answer of the bot as bad: the message before the answer is unanswered. */
export async function noteBadAnswer(
  tx: WriteTx,
  answer: { id: string; conversationId: string; seq: number },
  botId: string,
  at: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO unanswered_messages (conversation_id, cause_id, bot_id, message_id, noted_at)
     SELECT m.conversation_id, ?, ?, m.id, ? FROM messages m
     WHERE m.conversation_id = ? AND m.seq < ? AND m.is_bot = 0 ORDER BY m.seq DESC LIMIT 1
     ON CONFLICT DO NOTHING`,
    ...[answer.id, botId, at, answer.conversationId, answer.seq],
  );
}

/** Removes what `noteBadAnswer` has recorded, because the visitor has changed their mind. */
export async function forgetBadAnswer(
  tx: WriteTx,
  answer: { id: string; conversationId: string },
): Promise<void> {
  await tx.run(
    'DELETE FROM unanswered_messages WHERE conversation_id = ? AND cause_id = ?',
    answer.conversationId,
    answer.id,
  );
}

/** Records that the knowledge of the agent has no passage for a message, if it still exists. */
export async function noteEmptySearch(
  tx: WriteTx,
  message: { id: string; conversationId: string },
  botId: string,
  at: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO unanswered_messages (conversation_id, cause_id, bot_id, message_id, noted_at)
     SELECT m.conversation_id, m.id, ?, m.id, ? FROM messages m WHERE m.id = ? AND m.conversation_id = ?
     ON CONFLICT DO NOTHING`,
    ...[botId, at, message.id, message.conversationId],
  );
}
