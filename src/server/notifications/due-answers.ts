// Answers of persons that are reported to visitors by mail or push unless they read them.
import { type BotRow, botById } from '../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../storage/chat/conversations.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import {
  type Channel,
  hastenNotification,
  insertNotification,
  type NotificationRow,
  waitingNotification,
} from '../storage/notifications/answers.ts';

/** A way in which visitors are notified of answers. */
export interface AnswerNotice {
  channel: Channel;
  /** Milliseconds after an answer until the visitor is notified. */
  delay: number;
  /** Whether the user can be notified in this way. */
  isReachable(tx: Tx, userId: string): Promise<boolean>;
  /** Called after the commit. */
  onNotice(): void;
}

/** Under the lock of the conversation. For a visitor who cannot be notified, it costs one statement for each way, and no row. */
export async function rememberAnswer(
  tx: WriteTx,
  { conversationId, seq, createdAt }: MessageRow,
  notices: readonly AnswerNotice[],
): Promise<void> {
  const target = (await conversationById(tx, conversationId))?.ownerId;
  if (target === undefined) return;
  for (const { channel, delay, isReachable, onNotice } of notices) {
    if (!(await isReachable(tx, target))) continue;
    const notification = { conversationId, target, channel, fromSeq: seq, dueAt: createdAt + delay };
    const isNew = await insertNotification(tx, notification);
    // A mail has all answers; a push has one, and some browsers may have got the earlier one.
    if (isNew || (channel === 'push' && (await hastenNotification(tx, notification))))
      tx.afterCommit(onNotice);
  }
}

interface DueNotification {
  row: NotificationRow;
  /** undefined if it was deleted. */
  conversation: ConversationRow | undefined;
  bot: BotRow | undefined;
}

/**
 * Begins an attempt to notify a visitor of an answer, by mail or by push. Locks the conversation of a notification, and reads
 * it again. undefined if it was sent, deleted or postponed meanwhile.
 */
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
