// SQL of conversations and of their one order.
import type { Tx, WriteTx } from './database.ts';

export interface ConversationRow {
  id: string;
  botId: string;
  foreignId: string | null;
  ownerId: string;
  /** The place of the last thing that happened here. */
  seq: number;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, bot_id AS "botId", foreign_id AS "foreignId", owner_id AS "ownerId", seq,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A conversation of a bot by foreign id, else by server id. */
export async function findConversation(
  tx: Tx,
  botId: string,
  id: string,
): Promise<ConversationRow | undefined> {
  return (
    (await tx.get(`SELECT ${columns} FROM conversations WHERE foreign_id = ? AND bot_id = ?`, id, botId)) ??
    (await tx.get(`SELECT ${columns} FROM conversations WHERE id = ? AND bot_id = ?`, id, botId))
  );
}

/** A conversation by server id. */
export async function conversationById(tx: Tx, id: string): Promise<ConversationRow | undefined> {
  return tx.get(`SELECT ${columns} FROM conversations WHERE id = ?`, id);
}

export async function insertConversation(tx: WriteTx, row: ConversationRow): Promise<void> {
  await tx.run(
    `INSERT INTO conversations (id, bot_id, foreign_id, owner_id, seq, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.botId,
    row.foreignId,
    row.ownerId,
    row.seq,
    row.createdAt,
    row.updatedAt,
  );
}

/**
 * Takes the next place in the order of a conversation, with a time that is later than every earlier one of it:
 * clients sort by `createdAt`, so two things of one conversation never share a millisecond.
 */
export async function takePlace(
  tx: WriteTx,
  id: string,
  now: number,
): Promise<{ seq: number; at: number } | undefined> {
  return tx.get(
    `UPDATE conversations SET seq = seq + 1,
       updated_at = CASE WHEN updated_at >= ? THEN updated_at + 1 ELSE ? END
     WHERE id = ? RETURNING seq, updated_at AS "at"`,
    now,
    now,
    id,
  );
}

/** Conversations owned by a user, newest first (ids are ULIDs), below the id `before`. */
export async function listOwned(
  tx: Tx,
  ownerId: string,
  before: string | undefined,
  limit: number,
): Promise<ConversationRow[]> {
  return tx.all(
    `SELECT ${columns} FROM conversations WHERE owner_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    ownerId,
    // '~' is above every character of an id.
    before ?? '~',
    limit,
  );
}

/** Conversations of a bot, in whatever order. */
export async function conversationsOfBot(tx: Tx, botId: string, limit: number): Promise<ConversationRow[]> {
  return tx.all(`SELECT ${columns} FROM conversations WHERE bot_id = ? LIMIT ?`, botId, limit);
}

/** Removes the conversation from sight; its rows elsewhere are swept out by `sweepGraves`. */
export async function deleteConversation(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM conversations WHERE id = ?', id);
  await tx.run('DELETE FROM participants WHERE conversation_id = ?', id);
  await tx.run('DELETE FROM invitations WHERE conversation_id = ?', id);
  await tx.run('DELETE FROM deliveries WHERE conversation_id = ?', id);
  await tx.run('INSERT INTO graves (conversation_id) VALUES (?)', id);
}

/** Deletes up to `limit` rows of deleted conversations from each table; gives how many there were. */
export async function sweepGraves(tx: WriteTx, limit: number): Promise<number> {
  const grave = await tx.get<{ id: string }>('SELECT conversation_id AS "id" FROM graves LIMIT 1');
  if (!grave) return 0;
  let swept = 0;
  for (const table of ['messages', 'events', 'signals']) {
    swept += await tx.run(
      `DELETE FROM ${table} WHERE conversation_id = ? AND seq IN
         (SELECT seq FROM ${table} WHERE conversation_id = ? LIMIT ?)`,
      grave.id,
      grave.id,
      limit,
    );
  }
  if (swept === 0) await tx.run('DELETE FROM graves WHERE conversation_id = ?', grave.id);
  return swept + 1;
}
