// SQL of participants: the users of each conversation.

import { botOfConversation } from '../columns/table.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
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
