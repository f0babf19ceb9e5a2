// SQL of messages.
import type { Tx, WriteTx } from '../database.ts';

export interface MessageRow {
  id: string;
  conversationId: string;
  seq: number;
  userId: string;
  /** The foreign id of the author; null when there is none, or the author was deleted. */
  userForeignId: string | null;
  isBot: number;
  /** JSON. */
  payload: string;
  /** JSON, or null. */
  metadata: string | null;
  /** JSON, or null. */
  feedback: string | null;
  createdAt: number;
}

const select = `SELECT m.id, m.conversation_id AS "conversationId", m.seq, m.user_id AS "userId",
  u.foreign_id AS "userForeignId", m.is_bot AS "isBot", m.payload, m.metadata, m.feedback,
  m.created_at AS "createdAt"
  FROM messages m LEFT JOIN users u ON u.id = m.user_id`;

export async function findMessage(tx: Tx, id: string): Promise<MessageRow | undefined> {
  return tx.get(`${select} WHERE m.id = ?`, id);
}

/** The message that a bot already sent with this origin, if any. */
export async function findMessageByOrigin(tx: Tx, origin: string): Promise<MessageRow | undefined> {
  return tx.get(`${select} WHERE m.origin = ?`, origin);
}

/** The messages that a bot streamed for one event, with their origins. */
export async function streamedMessages(
  tx: Tx,
  eventId: string,
): Promise<(MessageRow & { origin: string })[]> {
  return tx.all(
    `${select.replace('m.id,', 'm.id, m.origin,')} WHERE m.origin > ? AND m.origin < ?`,
    `${eventId}:stream:`,
    `${eventId}:stream;`,
  );
}

export async function insertMessage(tx: WriteTx, row: MessageRow, origin: string | null): Promise<void> {
  await tx.run(
    `INSERT INTO messages (id, conversation_id, seq, user_id, is_bot, payload, metadata, origin, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.conversationId,
    row.seq,
    row.userId,
    row.isBot,
    row.payload,
    row.metadata,
    origin,
    row.createdAt,
  );
}

/** Stores the visitor's feedback on a message; null removes it. */
export async function setFeedback(tx: WriteTx, id: string, feedback: string | null): Promise<void> {
  await tx.run('UPDATE messages SET feedback = ? WHERE id = ?', feedback, id);
}

export async function deleteMessage(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM messages WHERE id = ?', id);
}

/** Deletes all messages whose origin begins with a text. */
export async function deleteMessagesByOrigin(tx: WriteTx, prefix: string): Promise<void> {
  // A range instead of LIKE, which would not use the index.
  await tx.run('DELETE FROM messages WHERE origin > ? AND origin < ?', prefix, `${prefix}~`);
}

/** Messages of a conversation before the sequence number `before`, newest first. */
export async function listMessages(
  tx: Tx,
  conversationId: string,
  before: number | undefined,
  limit: number,
): Promise<MessageRow[]> {
  return tx.all(
    `${select} WHERE m.conversation_id = ? AND m.seq < ? ORDER BY m.seq DESC LIMIT ?`,
    conversationId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}
