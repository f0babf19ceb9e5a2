// The beginning of each attempt to tell a visitor about an answer, by mail or by push.
import { type BotRow, botById } from '../../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { type NotificationRow, waitingNotification } from '../../storage/notifications/answers.ts';

interface DueNotification {
  row: NotificationRow;
  /** undefined if it was deleted. */
  conversation: ConversationRow | undefined;
  bot: BotRow | undefined;
}

/** Locks the conversation of a notification, and reads it again. undefined if it was sent, deleted or postponed meanwhile. */
export async function lockDue(
  tx: WriteTx,
  due: NotificationRow,
  now: number,
): Promise<DueNotification | undefined> {
  await tx.lock(`conversation:${due.conversationId}`);
  const row = await waitingNotification(tx, due);
  if (!row || row.dueAt > now) return undefined;
  const conversation = await conversationById(tx, row.conversationId);
  return { row, conversation, bot: conversation && (await botById(tx, conversation.botId)) };
}
