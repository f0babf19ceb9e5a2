// SQL of conversations: their rows, their sequence numbers, and the answers to the form before them.
import type { PreChatForm } from '../../../protocol/types/visitors.ts';
import type { Tx, WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { inList } from '../dialect.ts';
import { defineTable, insert, integer, orNull, type RowOf, text, withDefault } from '../table.ts';

export const conversations = defineTable(
  'conversations',
  {
    id: text,
    botId: text,
    foreignId: orNull(text),
    ownerId: text,
    /** The sequence number of the last change. */
    seq: withDefault(integer),
    createdAt: integer,
    updatedAt: integer,
    /** The channel that the bot named when it created the conversation. */
    channel: withDefault(text),
    messageCount: withDefault(integer),
    /** 1 if a person was ever asked for: then the row of `handlings` says who answers. */
    hasHandling: withDefault(integer),
  },
  {
    outgoing: withDefault(integer),
    preChatForm: orNull(text),
  },
);
export type ConversationRow = RowOf<typeof conversations>;

/** The columns of a ConversationRow; `table`: the alias of the table with a dot, if it has one. */
export const conversationColumns = conversations.columns;
const columns = conversationColumns();

/** Conversations of a deleted user are inaccessible before they are removed. */
const isVisible = `NOT ${isBeingDeleted('owner_id')}`;

/** A conversation of a bot by foreign id, otherwise by server id. */
export async function findConversation(
  tx: Tx,
  botId: string,
  id: string,
): Promise<ConversationRow | undefined> {
  const where = `SELECT ${columns} FROM conversations WHERE ${isVisible} AND`;
  return (
    (await tx.get(`${where} foreign_id = ? AND bot_id = ?`, id, botId)) ??
    (await tx.get(`${where} id = ? AND bot_id = ?`, id, botId))
  );
}

/** A conversation by server id. */
export async function conversationById(tx: Tx, id: string): Promise<ConversationRow | undefined> {
  return tx.get(`SELECT ${columns} FROM conversations WHERE id = ? AND ${isVisible}`, id);
}

/** The existing conversations with these ids, in any order. */
export async function conversationsById(tx: Tx, ids: readonly string[]): Promise<ConversationRow[]> {
  const condition = inList(tx, 'id', ids);
  return tx.all(
    `SELECT ${columns} FROM conversations WHERE ${condition.sql} AND ${isVisible}`,
    ...condition.values,
  );
}

/** A conversation of a deleted user that is queued for removal and still has this foreign id. */
export async function hiddenConversation(
  tx: Tx,
  botId: string,
  foreignId: string,
): Promise<ConversationRow | undefined> {
  return tx.get(
    `SELECT ${columns} FROM conversations WHERE foreign_id = ? AND bot_id = ? AND NOT ${isVisible}`,
    foreignId,
    botId,
  );
}

export async function insertConversation(tx: WriteTx, row: ConversationRow): Promise<void> {
  await insert(tx, conversations, row);
}

/** Changes the owner of a conversation if `previous` owns it. */
export async function setOwner(tx: WriteTx, id: string, previous: string, ownerId: string): Promise<void> {
  await tx.run('UPDATE conversations SET owner_id = ? WHERE id = ? AND owner_id = ?', ownerId, id, previous);
}

/**
 * Increments the sequence number of a conversation and returns it with a time that is later than all previous ones.
 * Clients sort by `createdAt`, so two entries of a conversation must not have the same millisecond. `messages`: how many
 * messages the change adds.
 */
export async function incrementSequence(
  tx: WriteTx,
  id: string,
  now: number,
  messages: -1 | 0 | 1 = 0,
): Promise<{ seq: number; at: number; hasHandling: number } | undefined> {
  return tx.get(
    `UPDATE conversations SET seq = seq + 1, message_count = message_count + ?,
       updated_at = CASE WHEN updated_at >= ? THEN updated_at + 1 ELSE ? END
     WHERE id = ? AND ${isVisible} RETURNING seq, updated_at AS at, has_handling`,
    messages,
    now,
    now,
    id,
  );
}

/** Sets the time of a change that is not in the sequence, such as of tags. It is later than all previous ones. */
export async function touchConversation(tx: WriteTx, id: string, now: number): Promise<void> {
  await tx.run(
    'UPDATE conversations SET updated_at = CASE WHEN updated_at >= ? THEN updated_at + 1 ELSE ? END WHERE id = ?',
    now,
    now,
    id,
  );
}

/**
 * Counts an event about something that the bot sent. Returns false if the bot does not want such events, or if there were
 * `most` of them since the last event of a visitor.
 */
export async function countOutgoing(tx: WriteTx, id: string, most: number): Promise<boolean> {
  const changes = await tx.run(
    `UPDATE conversations SET outgoing = outgoing + 1 WHERE id = ? AND outgoing < ?
       AND EXISTS (SELECT 1 FROM bots b WHERE b.id = conversations.bot_id AND b.outgoing_events = 1)`,
    id,
    most,
  );
  return changes > 0;
}

/** Begins to count again. */
export async function resetOutgoing(tx: WriteTx, id: string): Promise<void> {
  await tx.run('UPDATE conversations SET outgoing = 0 WHERE id = ? AND outgoing > 0', id);
}

/** Conversations owned by a user, also a deleted one, before the id `before`, newest first (ids are ULIDs). */
export async function listOwned(
  tx: Tx,
  ownerId: string,
  before: string | undefined,
  limit: number,
): Promise<ConversationRow[]> {
  return tx.all(
    `SELECT ${columns} FROM conversations WHERE owner_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    ownerId,
    // '~' sorts after every character of an id.
    before ?? '~',
    limit,
  );
}

/** The number of conversations of a bot, up to `limit`. */
export async function countConversations(tx: Tx, botId: string, limit: number): Promise<number> {
  const found = await tx.get<{ n: number }>(
    'SELECT COUNT(*) AS n FROM (SELECT 1 FROM conversations WHERE bot_id = ? ORDER BY bot_id, id LIMIT ?) AS counted',
    botId,
    limit,
  );
  return Number(found?.n ?? 0);
}

/** Conversations of a bot, in any order. */
export async function conversationsOfBot(tx: Tx, botId: string, limit: number): Promise<ConversationRow[]> {
  return tx.all(`SELECT ${columns} FROM conversations WHERE bot_id = ? LIMIT ?`, botId, limit);
}

/** The last sequence numbers of conversations by server id. Deleted conversations are left out. */
export async function sequencesOf(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const { sql, values } = inList(tx, 'id', ids);
  const rows = await tx.all<{ id: string; seq: number }>(
    `SELECT id, seq FROM conversations WHERE ${sql} AND NOT ${isBeingDeleted('owner_id')}`,
    ...values,
  );
  return new Map(rows.map(({ id, seq }) => [id, seq]));
}

/**
 * Stores the answers to the form before a conversation. They are a column of it, so that they are deleted, exported and moved
 * with it.
 */
export async function setPreChatForm(tx: WriteTx, conversationId: string, form: PreChatForm): Promise<void> {
  await tx.run(
    'UPDATE conversations SET pre_chat_form = ? WHERE id = ?',
    JSON.stringify(form),
    conversationId,
  );
}

/** undefined for a conversation that began without a form. */
export async function findPreChatForm(tx: Tx, conversationId: string): Promise<PreChatForm | undefined> {
  return (await preChatFormsOf(tx, [conversationId])).get(conversationId);
}

/** The forms of these conversations, by their ids; without those that began without a form. */
export async function preChatFormsOf(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<Map<string, PreChatForm>> {
  if (conversationIds.length === 0) return new Map();
  const condition = inList(tx, 'id', conversationIds);
  const rows = await tx.all<{ id: string; form: string }>(
    `SELECT id, pre_chat_form AS form FROM conversations WHERE ${condition.sql} AND pre_chat_form IS NOT NULL`,
    ...condition.values,
  );
  return new Map(rows.map(({ id, form }) => [id, JSON.parse(form) as PreChatForm]));
}
