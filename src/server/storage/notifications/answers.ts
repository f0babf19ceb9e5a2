// SQL of notifications: answers that are reported to visitors by mail or by push.
import { type MessageRow, selectMessages } from '../chat/messages.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { botOfConversation } from '../table.ts';

/** How visitors are notified of answers, and how a conversation is sent to them. */
export type Channel = 'mail' | 'push' | 'transcript';

/** A notification that a visitor is to get about one answer, or about several that follow each other. */
export interface NotificationRow {
  conversationId: string;
  /** The user. */
  target: string;
  channel: Channel;
  /** The sequence number of the first message; of a transcript the last one. */
  fromSeq: number;
  dueAt: number;
  /** The number of attempts that have begun: only the process of the last one may change the row. */
  attempts: number;
  /** The first attempt, in milliseconds since 1970. */
  firstAt: number | null;
}

const columns = `conversation_id, target, channel, from_seq, due_at, attempts,
  first_at`;
const key = `conversation_id = ? AND target = ? AND channel = ? AND from_seq = ?`;
const keyOf = ({ conversationId, target, channel, fromSeq }: NotificationRow) =>
  [conversationId, target, channel, fromSeq] as const;

/**
 * Stores that a user is to be notified of an answer, under the lock of the conversation. Returns false if a notification of an
 * earlier answer is waiting. `evenIfAttempted`: store it although an earlier one waits, if an attempt to send that one has begun.
 */
export async function insertNotification(
  tx: WriteTx,
  { conversationId, target, channel, fromSeq, dueAt }: Omit<NotificationRow, 'attempts' | 'firstAt'>,
  { evenIfAttempted = false } = {},
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO notifications (conversation_id, target, channel, from_seq, due_at, state, bot_id)
     SELECT ?, ?, ?, ?, ?, 'waiting', ${botOfConversation} WHERE NOT EXISTS
       (SELECT 1 FROM notifications WHERE conversation_id = ? AND target = ? AND channel = ? AND state = 'waiting'
        ${evenIfAttempted ? 'AND attempts = 0' : ''})
     ON CONFLICT DO NOTHING`,
    conversationId,
    target,
    channel,
    fromSeq,
    dueAt,
    conversationId,
    conversationId,
    target,
    channel,
  );
  return changes > 0;
}

/**
 * Makes a waiting notification due earlier whose attempts have failed for some of the browsers: a new answer does not wait for the
 * next attempt. Returns whether there is one.
 */
export async function hastenNotification(
  tx: WriteTx,
  {
    conversationId,
    target,
    channel,
    dueAt,
  }: Pick<NotificationRow, 'conversationId' | 'target' | 'channel' | 'dueAt'>,
): Promise<boolean> {
  const changes = await tx.run(
    `UPDATE notifications SET due_at = ? WHERE conversation_id = ? AND target = ? AND channel = ? AND state = 'waiting'
     AND attempts > 0 AND due_at > ?`,
    dueAt,
    conversationId,
    target,
    channel,
    dueAt,
  );
  return changes > 0;
}

export async function dueNotifications(
  tx: Tx,
  channels: readonly Channel[],
  now: number,
  limit: number,
): Promise<NotificationRow[]> {
  const condition = inList(tx, 'channel', channels);
  return tx.all(
    `SELECT ${columns} FROM notifications WHERE due_at <= ? AND ${condition.sql} ORDER BY due_at LIMIT ?`,
    now,
    ...condition.values,
    limit,
  );
}

/** When the next one is due, in milliseconds since 1970. */
export async function nextNotification(tx: Tx, channels: readonly Channel[]): Promise<number | undefined> {
  const condition = inList(tx, 'channel', channels);
  const row = await tx.get<{ at: number }>(
    `SELECT due_at AS at FROM notifications WHERE due_at IS NOT NULL AND ${condition.sql} ORDER BY due_at LIMIT 1`,
    ...condition.values,
  );
  return row?.at;
}

/** The row as it is now, if it waits. */
export async function waitingNotification(
  tx: Tx,
  row: NotificationRow,
): Promise<NotificationRow | undefined> {
  return tx.get(`SELECT ${columns} FROM notifications WHERE ${key} AND state = 'waiting'`, ...keyOf(row));
}

/** Whether a later one of the same kind waits: a transcript up to a later message. */
export async function hasLaterNotification(tx: Tx, row: NotificationRow): Promise<boolean> {
  const later = await tx.get(
    `SELECT 1 FROM notifications WHERE conversation_id = ? AND target = ? AND channel = ? AND from_seq > ? AND state = 'waiting'`,
    ...keyOf(row),
  );
  return later !== undefined;
}

/** When the last mail or push about a conversation was sent to a user. */
export async function lastSentAt(
  tx: Tx,
  { conversationId, target, channel }: NotificationRow,
): Promise<number> {
  const row = await tx.get<{ at: number | null }>(
    'SELECT MAX(sent_at) AS at FROM notifications WHERE conversation_id = ? AND target = ? AND channel = ?',
    conversationId,
    target,
    channel,
  );
  return Number(row?.at ?? 0);
}

/** Changes when a row is due, without an attempt. */
export async function postpone(tx: WriteTx, row: NotificationRow, dueAt: number): Promise<void> {
  await tx.run(
    `UPDATE notifications SET due_at = ? WHERE ${key} AND attempts = ?`,
    dueAt,
    ...keyOf(row),
    row.attempts,
  );
}

/** Begins an attempt. Until `dueAt` no other one begins. Returns the number of the attempt. */
export async function beginAttempt(
  tx: WriteTx,
  row: NotificationRow,
  now: number,
  dueAt: number,
): Promise<number> {
  await tx.run(
    `UPDATE notifications SET due_at = ?, attempts = attempts + 1, first_at = COALESCE(first_at, ?) WHERE ${key}`,
    dueAt,
    now,
    ...keyOf(row),
  );
  return row.attempts + 1;
}

/**
 * Stores that the mail or push of the last attempt was sent. Earlier rows of the conversation are not needed any more. A transcript
 * contains the messages of an earlier one that waits for its next attempt.
 */
export async function setSent(tx: WriteTx, row: NotificationRow, now: number): Promise<void> {
  const changes = await tx.run(
    `UPDATE notifications SET state = 'sent', due_at = NULL, sent_at = ? WHERE ${key} AND attempts = ?`,
    now,
    ...keyOf(row),
    row.attempts,
  );
  if (changes === 0) return;
  await tx.run(
    `DELETE FROM notifications WHERE conversation_id = ? AND target = ? AND channel = ?
     AND (state = 'sent' OR channel = 'transcript') AND from_seq < ?`,
    ...keyOf(row),
  );
}

/**
 * Stores that answers after `seq` are reported, if there are any: `insertNotification` stored nothing for those that came while a
 * mail or push was being sent. Under the lock of the conversation, after `setSent`.
 */
export async function insertNextNotification(
  tx: WriteTx,
  row: NotificationRow,
  { seq, delay }: { seq: number; delay: number },
): Promise<void> {
  const next = { ...row, fromSeq: seq + 1 };
  const [answer] = await unseenAnswers(tx, next, 1);
  if (answer) await insertNotification(tx, { ...next, dueAt: answer.createdAt + delay });
}

export async function deleteNotification(tx: WriteTx, row: NotificationRow): Promise<void> {
  await tx.run(`DELETE FROM notifications WHERE ${key}`, ...keyOf(row));
}

/** The sequence number up to which a user has read, or written, in a conversation. */
async function seenUpTo(tx: Tx, conversationId: string, userId: string): Promise<number> {
  const row = await tx.get<{ read: number | null; written: number | null }>(
    `SELECT (SELECT last_seq FROM reads WHERE conversation_id = ? AND reader = ?) AS read,
       (SELECT MAX(seq) FROM messages WHERE conversation_id = ? AND user_id = ? AND is_bot = 0) AS written`,
    conversationId,
    userId,
    conversationId,
    userId,
  );
  return Math.max(Number(row?.read ?? 0), Number(row?.written ?? 0));
}

/** The newest messages of persons that a notification is about and its user has not seen, oldest first. */
export async function unseenAnswers(
  tx: Tx,
  { conversationId, target, fromSeq }: NotificationRow,
  limit: number,
): Promise<MessageRow[]> {
  const seen = await seenUpTo(tx, conversationId, target);
  const rows = await tx.all<MessageRow>(
    `${selectMessages} WHERE m.conversation_id = ? AND m.seq >= ? AND m.author IS NOT NULL ORDER BY m.seq DESC LIMIT ?`,
    conversationId,
    Math.max(fromSeq, seen + 1),
    limit,
  );
  return rows.reverse();
}
