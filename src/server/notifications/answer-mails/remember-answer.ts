// Remembers, when a person answers, that the visitor is to be told by mail or push unless they read it.
import { conversationById } from '../../storage/chat/conversations.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { type Channel, hastenNotification, insertNotification } from '../../storage/notifications/answers.ts';

/** A way in which visitors are notified of answers. */
export interface AnswerNotice {
  channel: Channel;
  /** Milliseconds after an answer until the visitor is told of it. */
  delay: number;
  /** Whether the user can be told in this way. */
  isReachable(tx: Tx, userId: string): Promise<boolean>;
  /** Called after the commit. */
  onNotice(): void;
}

/** Under the lock of the conversation. Costs a visitor who cannot be told one statement more for each way, and no row. */
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
