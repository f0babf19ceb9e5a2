// SQL of messages.
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { bytesSql, firstWithin } from '../read-bytes.ts';
import { deleteTags } from '../runtime/tags.ts';
import { conversationBot, defineTable, integer, orNull, type RowOf, text, withDefault } from '../table.ts';

export const messages = defineTable(
  'messages',
  {
    id: text,
    conversationId: text,
    seq: integer,
    userId: text,
    isBot: integer,
    /** The person who wrote it (JSON: name, pictureUrl); null for visitors and bots. */
    author: orNull(text),
    /** JSON. */
    payload: text,
    /** JSON, or null. */
    metadata: orNull(text),
    /** JSON, or null. */
    feedback: orNull(text),
    /** JSON, or null. */
    parts: orNull(text),
    createdAt: integer,
    /** The time of the last change; null when it was never changed. */
    updatedAt: orNull(integer),
    /** 1 for a message that the bot marked as synthetic. */
    isSynthetic: withDefault(integer),
    /** The message whose place this one takes. */
    supersedes: orNull(text),
    supersededBy: orNull(text),
  },
  {
    /** A deduplication key; null for a message of a visitor or a person. */
    origin: orNull(text),
    botId: conversationBot,
  },
);

export type MessageRow = RowOf<typeof messages> & {
  /** The foreign id of the author; null when there is none, or the author was deleted. */
  userForeignId: string | null;
};

/** Reads messages `m` with their authors. */
export const selectMessages = `SELECT ${messages.columns('m.')}, u.foreign_id AS user_foreign_id
  FROM messages m LEFT JOIN users u ON u.id = m.user_id`;

export async function findMessage(tx: Tx, id: string): Promise<MessageRow | undefined> {
  return tx.get(`${selectMessages} WHERE m.id = ?`, id);
}

/** The existing messages with these ids, in any order. */
export async function findMessages(tx: Tx, ids: readonly string[]): Promise<MessageRow[]> {
  const condition = inList(tx, 'm.id', ids);
  return tx.all(`${selectMessages} WHERE ${condition.sql}`, ...condition.values);
}

/** The message that a bot already sent with this origin, if any. */
export async function findMessageByOrigin(tx: Tx, origin: string): Promise<MessageRow | undefined> {
  return tx.get(`${selectMessages} WHERE m.origin = ?`, origin);
}

/** The messages that a bot streamed for one event, with their origins. */
export async function streamedMessages(
  tx: Tx,
  eventId: string,
): Promise<(MessageRow & { origin: string })[]> {
  return tx.all(
    `${selectMessages.replace('m.id,', 'm.id, m.origin,')} WHERE m.origin > ? AND m.origin < ?`,
    `${eventId}:stream:`,
    `${eventId}:stream;`,
  );
}

/**
 * Marks a message, and all messages after it, as superseded by a later one, and deletes their events that bots have not
 * handled. Returns the ids of these events.
 */
export async function supersedeMessages(
  tx: WriteTx,
  first: Pick<MessageRow, 'conversationId' | 'seq'>,
  by: Pick<MessageRow, 'id' | 'seq'>,
): Promise<string[]> {
  const { conversationId } = first;
  await tx.run(
    `UPDATE messages SET superseded_by = ?
     WHERE conversation_id = ? AND seq >= ? AND seq < ? AND superseded_by IS NULL`,
    by.id,
    conversationId,
    first.seq,
    by.seq,
  );
  const events = await tx.all<{ id: string }>(
    `DELETE FROM deliveries WHERE conversation_id = ? AND kind IN ('message', 'resume') AND ref IN (
       SELECT id FROM messages WHERE conversation_id = ? AND seq >= ? AND seq < ?)
     RETURNING event_id AS id`,
    conversationId,
    conversationId,
    first.seq,
    by.seq,
  );
  return events.map(({ id }) => id);
}

/** Replaces the payload (JSON) of a message. */
export async function setPayload(tx: WriteTx, id: string, payload: string, now: number): Promise<void> {
  await tx.run('UPDATE messages SET payload = ?, updated_at = ? WHERE id = ?', payload, now, id);
}

/** Replaces the parts (JSON) of a message. */
export async function setParts(tx: WriteTx, id: string, parts: string, now: number): Promise<void> {
  await tx.run('UPDATE messages SET parts = ?, updated_at = ? WHERE id = ?', parts, now, id);
}

/** Stores the visitor's feedback on a message; null removes it. */
export async function setFeedback(tx: WriteTx, id: string, feedback: string | null): Promise<void> {
  await tx.run('UPDATE messages SET feedback = ? WHERE id = ?', feedback, id);
}

/** Returns false when it was deleted before. */
export async function deleteMessage(tx: WriteTx, id: string): Promise<boolean> {
  const changes = await tx.run('DELETE FROM messages WHERE id = ?', id);
  await deleteTags(tx, id);
  return changes > 0;
}

/** Deletes all messages whose origin begins with a text. */
export async function deleteMessagesByOrigin(tx: WriteTx, prefix: string): Promise<void> {
  // A range instead of LIKE, which would not use the index.
  const deleted = await tx.all<{ id: string }>(
    'DELETE FROM messages WHERE origin > ? AND origin < ? RETURNING conversation_id AS id',
    prefix,
    `${prefix}~`,
  );
  for (const { id } of deleted)
    await tx.run('UPDATE conversations SET message_count = message_count - 1 WHERE id = ?', id);
}

/** The newest message of a conversation whose place no other one has taken. */
export async function lastMessage(tx: Tx, conversationId: string): Promise<MessageRow | undefined> {
  return tx.get(
    `${selectMessages} WHERE m.conversation_id = ? AND m.superseded_by IS NULL ORDER BY m.seq DESC LIMIT 1`,
    conversationId,
  );
}

/** The ids of the newest messages after a sequence number, in their order. */
export async function messageIdsAfter(
  tx: Tx,
  conversationId: string,
  seq: number,
  limit: number,
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT id FROM messages WHERE conversation_id = ? AND seq > ? ORDER BY seq DESC LIMIT ?',
    conversationId,
    seq,
    limit,
  );
  return rows.map(({ id }) => id).reverse();
}

/**
 * Messages of a conversation before the sequence number `before`, newest first: at most `limit`, and none after that with which
 * they have more than `bytes` (../read-bytes.ts).
 */
export async function listMessages(
  tx: Tx,
  conversationId: string,
  before: number | undefined,
  limit: number,
  bytes: number,
): Promise<MessageRow[]> {
  const rows = `SELECT n.id, n.seq, ${bytesSql.messages('n')} AS bytes FROM messages n
    WHERE n.conversation_id = ? AND n.seq < ? ORDER BY n.seq DESC LIMIT ?`;
  return tx.all(
    `${selectMessages} WHERE m.id IN (${firstWithin(rows, 'w.seq DESC')}) ORDER BY m.seq DESC`,
    conversationId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
    bytes,
  );
}

/** The columns of a message that a mail needs. */
export type TranscriptRow = Pick<MessageRow, 'seq' | 'userId' | 'isBot' | 'payload' | 'author' | 'createdAt'>;

/**
 * The newest messages up to a sequence number that none has taken the place of, newest first: at most `limit`, and none after
 * that with which they have more than `bytes` (../read-bytes.ts).
 */
export async function messagesUpTo(
  tx: Tx,
  conversationId: string,
  seq: number,
  limit: number,
  bytes: number,
): Promise<TranscriptRow[]> {
  const rows = `SELECT n.id, n.seq, ${bytesSql.events('n')} AS bytes FROM messages n
    WHERE n.conversation_id = ? AND n.seq <= ? AND n.superseded_by IS NULL ORDER BY n.seq DESC LIMIT ?`;
  return tx.all(
    `SELECT m.seq, m.user_id, m.is_bot, m.payload, m.author, m.created_at
     FROM messages m WHERE m.id IN (${firstWithin(rows, 'w.seq DESC')}) ORDER BY m.seq DESC`,
    conversationId,
    seq,
    limit,
    bytes,
  );
}

/** The sequence number of the newest message; undefined if there is none. */
export async function newestMessage(tx: Tx, conversationId: string): Promise<number | undefined> {
  const row = await tx.get<{ seq: number | null }>(
    'SELECT MAX(seq) AS seq FROM messages WHERE conversation_id = ?',
    conversationId,
  );
  return row?.seq === null || row === undefined ? undefined : Number(row.seq);
}

/** The names of users, by id; those without a name are left out. */
export async function namesOf(tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const condition = inList(tx, 'id', userIds);
  const rows = await tx.all<{ id: string; name: string | null }>(
    `SELECT id, name FROM users WHERE ${condition.sql}`,
    ...condition.values,
  );
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
}
