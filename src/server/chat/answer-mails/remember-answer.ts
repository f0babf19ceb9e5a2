// Remembers, when a person answers, that the visitor is to be told by mail unless they read it.
import { conversationById } from '../../storage/chat/conversations.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { WriteTx } from '../../storage/database.ts';
import { findContact } from '../../storage/inbox/contacts.ts';
import { insertNotification } from '../../storage/inbox/notifications.ts';

export interface AnswerNotices {
  /** Milliseconds after an answer until it is mailed. */
  answerDelay: number;
  /** Called after the commit. */
  onNotice(): void;
}

/** Under the lock of the conversation. Costs a visitor without an address one statement more, and no row. */
export async function rememberAnswer(
  tx: WriteTx,
  { conversationId, seq, createdAt }: MessageRow,
  { answerDelay, onNotice }: AnswerNotices,
): Promise<void> {
  const conversation = await conversationById(tx, conversationId);
  const contact = conversation && (await findContact(tx, conversation.ownerId));
  if (!contact || contact.undeliverableAt !== null || contact.unsubscribedAt !== null) return;
  const target = contact.userId;
  const dueAt = createdAt + answerDelay;
  if (await insertNotification(tx, { conversationId, target, fromSeq: seq, dueAt })) tx.afterCommit(onNotice);
}
