// SQL of the export of a user's data. Every list is in the order of ids or sequence numbers, so that pages are stable.
import type { Tx } from '../database.ts';
import { type FileRow, fileColumns } from '../files/files.ts';
import { chatFileOwnersSql } from '../files/owners.ts';
import { bytesSql, firstWithin } from '../read-bytes.ts';
import { isValidState, type StateRow, stateColumns } from '../runtime/states.ts';
import { type ConversationRow, conversationColumns } from './conversations.ts';
import { type EventRow, events } from './events.ts';
import { type MessageRow, messages } from './messages.ts';
import type { UserRow } from './users.ts';

/** Conversations that a user owns or participates in, after the id `after`. */
export async function conversationsToExport(
  tx: Tx,
  userId: string,
  after: string,
  limit: number,
): Promise<ConversationRow[]> {
  return tx.all(
    `SELECT ${conversationColumns('c.')} FROM participants p CROSS JOIN conversations c ON c.id = p.conversation_id
     WHERE p.user_id = ? AND p.conversation_id > ? ORDER BY p.conversation_id LIMIT ?`,
    userId,
    after,
    limit,
  );
}

/** A message or an event, and the id of its conversation. */
type InConversation<Row> = Row & { conversationForeignId: string | null };

const tables = { messages, events };

const select = (table: keyof typeof tables): string =>
  `SELECT ${tables[table].columns('t.')}, u.foreign_id AS user_foreign_id, c.foreign_id AS conversation_foreign_id`;

/**
 * All messages or events of the conversations that a user owns, after the id of a conversation and a sequence number in
 * it: at most `limit`, and none after that with which they have more than `bytes` (../read-bytes.ts).
 */
export async function ownedToExport<T extends 'messages' | 'events'>(
  tx: Tx,
  table: T,
  userId: string,
  [conversationId, seq]: readonly [string, number],
  limit: number,
  bytes: number,
): Promise<InConversation<T extends 'messages' ? MessageRow : EventRow>[]> {
  const rows = `SELECT n.id, n.conversation_id, n.seq, ${bytesSql[table]('n')} AS bytes
    FROM conversations o CROSS JOIN ${table} n ON n.conversation_id = o.id
    WHERE o.owner_id = ? AND o.id >= ? AND (o.id > ? OR n.seq > ?) ORDER BY o.id, n.seq LIMIT ?`;
  return tx.all(
    `${select(table)} FROM ${table} t JOIN conversations c ON c.id = t.conversation_id
     LEFT JOIN users u ON u.id = t.user_id
     WHERE t.id IN (${firstWithin(rows, 'w.conversation_id, w.seq')}) ORDER BY t.conversation_id, t.seq`,
    userId,
    conversationId,
    conversationId,
    seq,
    limit,
    bytes,
  );
}

/**
 * Messages or events that a user sent to conversations of other users, after an id: at most `limit`, and none after that with
 * which they have more than `bytes` (../read-bytes.ts).
 */
export async function sentToExport<T extends 'messages' | 'events'>(
  tx: Tx,
  table: T,
  userId: string,
  after: string,
  limit: number,
  bytes: number,
): Promise<InConversation<T extends 'messages' ? MessageRow : EventRow>[]> {
  const rows = `SELECT n.id, ${bytesSql[table]('n')} AS bytes
    FROM ${table} n CROSS JOIN conversations o ON o.id = n.conversation_id
    WHERE n.user_id = ? AND n.is_bot = 0 AND n.id > ? AND o.owner_id <> ? ORDER BY n.id LIMIT ?`;
  return tx.all(
    `${select(table)} FROM ${table} t JOIN conversations c ON c.id = t.conversation_id
     LEFT JOIN users u ON u.id = t.user_id
     WHERE t.id IN (${firstWithin(rows, 'w.id')}) ORDER BY t.id`,
    userId,
    after,
    userId,
    limit,
    bytes,
  );
}

/** States of a user after a name. */
export async function statesToExport(
  tx: Tx,
  userId: string,
  after: string,
  limit: number,
  now: number,
): Promise<StateRow[]> {
  return tx.all(
    `SELECT ${stateColumns} FROM states WHERE owner_id = ? AND name > ? AND ${isValidState} ORDER BY name LIMIT ?`,
    userId,
    after,
    now,
    limit,
  );
}

/** States of the conversations that a user owns, after the id of a conversation and a name. */
export async function conversationStatesToExport(
  tx: Tx,
  userId: string,
  after: { id: string; name: string },
  limit: number,
  now: number,
): Promise<StateRow[]> {
  return tx.all(
    `SELECT s.id, s.owner_id, s.bot_id, s.name, s.payload, s.expiry,
       s.expires_at, s.created_at, s.updated_at
     FROM conversations c CROSS JOIN states s ON s.owner_id = c.id
     WHERE c.owner_id = ? AND c.id >= ? AND (c.id > ? OR s.name > ?) AND (s.expires_at IS NULL OR s.expires_at > ?)
     ORDER BY c.id, s.name LIMIT ?`,
    userId,
    after.id,
    after.id,
    after.name,
    now,
    limit,
  );
}

/** Files that a visitor sent or announced, and those that members sent in the visitor's conversations, after an id. */
export async function filesToExport(
  tx: Tx,
  userId: string,
  after: string,
  limit: number,
): Promise<FileRow[]> {
  return tx.all(
    `SELECT ${fileColumns}
     FROM (SELECT CAST(? AS TEXT) AS id UNION ALL SELECT id FROM conversations WHERE owner_id = ?) o
     CROSS JOIN files f ON f.owner_id = o.id
     WHERE f.owner_type IN (${chatFileOwnersSql}) AND f.id > ?
     ORDER BY f.id LIMIT ?`,
    userId,
    userId,
    after,
    limit,
  );
}

/** A user in a list: without the picture and the profile, which can be large. */
export type ListedUser = Pick<UserRow, 'id' | 'foreignId' | 'name' | 'createdAt'>;

/** Users of a bot before the id `before`, newest first. */
export async function listUsers(
  tx: Tx,
  botId: string,
  before: string | undefined,
  limit: number,
): Promise<ListedUser[]> {
  return tx.all(
    `SELECT id, foreign_id, name, created_at FROM users
     WHERE bot_id = ? AND is_bot = 0 AND id < ? ORDER BY id DESC LIMIT ?`,
    botId,
    // '~' sorts after every character of an id.
    before ?? '~',
    limit,
  );
}
