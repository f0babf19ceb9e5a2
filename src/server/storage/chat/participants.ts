// SQL of participants: the users of each conversation, and the access of open streams.
import type { Tx, WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { forDialect, inList } from '../dialect.ts';
import { botOfConversation } from '../table.ts';
import type { UserRow } from './users.ts';

export async function isParticipant(tx: Tx, conversationId: string, userId: string): Promise<boolean> {
  const row = await tx.get(
    'SELECT 1 FROM participants WHERE conversation_id = ? AND user_id = ?',
    conversationId,
    userId,
  );
  return row !== undefined;
}

/** The id of the participant of a conversation that has exactly one. */
export async function onlyParticipant(tx: Tx, conversationId: string): Promise<string | undefined> {
  const rows = await tx.all<{ id: string }>(
    'SELECT user_id AS id FROM participants WHERE conversation_id = ? LIMIT 2',
    conversationId,
  );
  return rows.length === 1 ? rows[0]?.id : undefined;
}

/**
 * The participant of a conversation with this foreign id or server id. At most one user matches, because a foreign id
 * in the form of a server id is rejected. One statement, so that existing and unknown ids take the same time.
 */
export async function findParticipant(
  tx: Tx,
  conversation: { id: string; botId: string },
  userId: string,
): Promise<UserRow | undefined> {
  return tx.get(
    `SELECT u.id, u.bot_id, u.foreign_id, u.name, u.picture_url, u.profile,
       u.created_at, u.updated_at
     FROM users u
     WHERE ((u.bot_id = ? AND u.foreign_id = ?) OR (u.id = ? AND u.bot_id = ?)) AND u.is_bot = 0
       AND EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = ? AND p.user_id = u.id)
     LIMIT 1`,
    conversation.botId,
    userId,
    userId,
    conversation.botId,
    conversation.id,
  );
}

/** Returns false when the user was a participant already. */
export async function insertParticipant(
  tx: WriteTx,
  conversationId: string,
  userId: string,
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO participants (conversation_id, user_id, bot_id) VALUES (?, ?, ${botOfConversation}) ON CONFLICT DO NOTHING`,
    conversationId,
    userId,
    conversationId,
  );
  return changes > 0;
}

/** Removes a user from conversations that do not exist any more. */
export async function deleteParticipations(
  tx: WriteTx,
  userId: string,
  conversationIds: readonly string[],
): Promise<void> {
  const condition = inList(tx, 'conversation_id', conversationIds);
  await tx.run(
    `DELETE FROM participants WHERE user_id = ? AND ${condition.sql}`,
    userId,
    ...condition.values,
  );
}

/** Returns false when the user was not a participant. */
export async function deleteParticipant(
  tx: WriteTx,
  conversationId: string,
  userId: string,
): Promise<boolean> {
  const changes = await tx.run(
    'DELETE FROM participants WHERE conversation_id = ? AND user_id = ?',
    conversationId,
    userId,
  );
  return changes > 0;
}

/** The participants of a conversation before the user id `before`, newest user first. */
export async function listParticipants(
  tx: Tx,
  conversationId: string,
  before: string | undefined,
  limit: number,
): Promise<UserRow[]> {
  return tx.all(
    `SELECT u.id, u.bot_id, u.foreign_id, u.name, u.picture_url, u.profile,
       u.created_at, u.updated_at
     FROM participants p JOIN users u ON u.id = p.user_id
     WHERE p.conversation_id = ? AND p.user_id < ? ORDER BY p.user_id DESC LIMIT ?`,
    conversationId,
    before ?? '~',
    limit,
  );
}

/** The ids of up to `limit` conversations that a user participates in. */
export async function conversationsOf(tx: Tx, userId: string, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT conversation_id AS id FROM participants WHERE user_id = ? LIMIT ?',
    userId,
    limit,
  );
  return rows.map((row) => row.id);
}

/** A stream: the server ids, and the digest of its user key. */
export interface StreamRef {
  botId: string;
  conversationId: string;
  userId: string;
  keyHash: string;
}

/** The user and the conversation of a stream, on which its access depends. */
export interface StreamState {
  /** The owner of the conversation. */
  ownerId: string;
  /** The number of the secret of the bot (BotRow.ownKeys). */
  ownKeys: number;
  /** Only keys that were signed after this time are valid, in milliseconds since 1970; null: all are. */
  keysValidAfter: number | null;
  isRevoked: boolean;
}

/**
 * Returns the state of each stream, in the order of `streams`; undefined if its bot, conversation, user or participation does
 * not exist any more. One statement finds out whether the users of many open streams still have access.
 */
export async function streamStates(
  tx: Tx,
  streams: readonly StreamRef[],
): Promise<(StreamState | undefined)[]> {
  const list = JSON.stringify(
    streams.map(({ botId, conversationId, userId, keyHash }) => [botId, conversationId, userId, keyHash]),
  );
  const rows = await tx.all<Omit<StreamState, 'isRevoked'> & { n: number; isRevoked: number }>(
    `SELECT s.n, c.owner_id, b.own_keys, u.keys_valid_after,
       CASE WHEN EXISTS
         (SELECT 1 FROM revoked_user_keys r WHERE r.bot_id = s.bot_id AND r.key_hash = s.key_hash)
       THEN 1 ELSE 0 END AS is_revoked
     FROM (${forDialect(tx, { sqlite: listOfSqlite, postgres: listOfPostgres })}) s
     CROSS JOIN bots b ON b.id = s.bot_id AND b.deleted_at IS NULL
     CROSS JOIN conversations c ON c.id = s.conversation_id
     CROSS JOIN participants p ON p.conversation_id = s.conversation_id AND p.user_id = s.user_id
     CROSS JOIN users u ON u.id = s.user_id
     WHERE NOT ${isBeingDeleted('c.owner_id')}`,
    list,
  );
  const byNumber = new Map(
    rows.map(({ n, isRevoked, ...row }) => [n, { ...row, isRevoked: isRevoked === 1 }]),
  );
  return streams.map((_, n) => byNumber.get(n));
}

const listOfSqlite = `SELECT key AS n, value ->> 0 AS bot_id, value ->> 1 AS conversation_id, value ->> 2 AS user_id,
  value ->> 3 AS key_hash FROM json_each(?)`;
const listOfPostgres = `SELECT n - 1 AS n, value ->> 0 AS bot_id, value ->> 1 AS conversation_id,
  value ->> 2 AS user_id, value ->> 3 AS key_hash FROM json_array_elements(?::json) WITH ORDINALITY AS l(value, n)`;
