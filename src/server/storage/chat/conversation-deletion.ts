// SQL that deletes conversations, many in each statement: on PostgreSQL a statement is a round trip.
import type { WriteTx } from '../database.ts';
import { enqueueDeletions } from '../deletions.ts';
import { forDialect, inList } from '../dialect.ts';
import { deleteFilesOfConversations } from '../files/deletions.ts';
import { redactResponsesOf } from '../idempotency.ts';
import { deleteStatesOf } from '../runtime/states.ts';
import { deleteTagsOf } from '../runtime/tags.ts';
import { releaseConversations, releaseUsages } from '../usage.ts';

/**
 * Deletes conversations and redacts the cached responses about them. Returns the ids of those that existed. The removal of
 * their rows in other tables is queued. Their rows are deleted first, so that of two deletions at once one subtracts the usage,
 * and no message is added meanwhile.
 */
export async function deleteConversations(tx: WriteTx, ids: readonly string[]): Promise<string[]> {
  const condition = inList(tx, 'id', ids);
  // In the order in which all others lock them.
  const locked = forDialect(tx, {
    sqlite: condition.sql,
    postgres: `id IN (SELECT id FROM conversations WHERE ${condition.sql} ORDER BY id FOR UPDATE)`,
  });
  const deleted = await tx.all<{ id: string; botId: string }>(
    `DELETE FROM conversations WHERE ${locked} RETURNING id, bot_id`,
    ...condition.values,
  );
  if (deleted.length === 0) return [];
  const found = deleted.map(({ id }) => id);
  await releaseConversations(tx, deleted);
  await deleteTagsOf(tx, found);
  await deleteStatesOf(tx, found);
  await enqueueDeletions(tx, 'conversation', found);
  await redactResponsesOf(tx, found);
  return found;
}

/**
 * Deletes up to `limit` rows of deleted conversations, and redacts the cached responses that contain them. Returns the
 * number of rows; fewer than `limit` when nothing of any of them remains.
 */
export async function deleteConversationRows(
  tx: WriteTx,
  conversationIds: readonly string[],
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const table of ['messages', 'events'] as const) {
    if (deleted < limit) deleted += await deleteContents(tx, table, conversationIds, limit - deleted);
  }
  if (deleted < limit) deleted += await deleteNotes(tx, conversationIds, limit - deleted);
  for (const [table, key] of Object.entries(keys)) {
    if (deleted === limit) break;
    const condition = inList(tx, 'conversation_id', conversationIds);
    deleted += await tx.run(
      `DELETE FROM ${table} WHERE (conversation_id, ${key}) IN
         (SELECT conversation_id, ${key} FROM ${table} WHERE ${condition.sql} LIMIT ?)`,
      ...condition.values,
      limit - deleted,
    );
  }
  if (deleted < limit) deleted += await deleteFilesOfConversations(tx, conversationIds, limit - deleted);
  return deleted;
}

/**
 * The tables with other rows of a conversation, and the columns that identify each row: if several rows had the same values,
 * a statement would delete more than its limit.
 */
const keys = {
  signals: 'seq',
  participants: 'user_id',
  invitations: 'invited_hash',
  deliveries: 'event_id',
  interrupts: 'id',
  handoffs: 'id',
  assignments: 'id',
  note_mentions: 'note_id, member_id',
  note_files: 'file_id',
  activities: 'seq',
  ratings: 'handoff_id',
  reads: 'reader',
  inbox_tags: 'tag',
  notifications: 'target, channel, from_seq',
  return_links: 'hash',
  inbox_words: 'word',
  person_replies: 'seq',
  unanswered_messages: 'cause_id',
  alerts: 'channel, target',
};

/** Deletes notes, and the cached responses with their texts. */
async function deleteNotes(tx: WriteTx, conversationIds: readonly string[], limit: number): Promise<number> {
  const condition = inList(tx, 'conversation_id', conversationIds);
  const deleted = await tx.all<{ id: string }>(
    `DELETE FROM notes WHERE id IN (SELECT id FROM notes WHERE ${condition.sql} LIMIT ?) RETURNING id`,
    ...condition.values,
    limit,
  );
  if (deleted.length > 0)
    await redactResponsesOf(
      tx,
      deleted.map(({ id }) => id),
    );
  return deleted.length;
}

/** SQL of the bytes that a row counts for. */
const storedBytes = {
  messages: 'octet_length(payload) + COALESCE(octet_length(metadata), 0)',
  events: 'octet_length(payload)',
};

/** Deletes messages or events, and subtracts them from the storage of their authors. */
async function deleteContents(
  tx: WriteTx,
  table: keyof typeof storedBytes,
  conversationIds: readonly string[],
  limit: number,
): Promise<number> {
  const ofConversations = inList(tx, 'conversation_id', conversationIds);
  const found = await tx.all<{ id: string }>(
    `SELECT id FROM ${table} WHERE ${ofConversations.sql} LIMIT ?`,
    ...ofConversations.values,
    limit,
  );
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  await redactResponsesOf(tx, ids);
  if (table === 'messages') await deleteTagsOf(tx, ids);
  const condition = inList(tx, 'id', ids);
  // The same for events, which only visitors and bots send.
  const isCounted = table === 'messages' ? 'is_bot = 0 AND author IS NULL' : 'is_bot = 0';
  const deleted = await tx.all<{ userId: string; isCounted: number; bytes: number }>(
    `DELETE FROM ${table} WHERE ${condition.sql}
     RETURNING user_id, CASE WHEN ${isCounted} THEN 1 ELSE 0 END AS is_counted, ${storedBytes[table]} AS bytes`,
    ...condition.values,
  );
  await releaseUsages(
    tx,
    deleted
      .filter(({ isCounted }) => isCounted === 1)
      .map(({ userId, bytes }) => ({ id: userId, messages: 1, bytes, files: 0 })),
  );
  return deleted.length;
}
