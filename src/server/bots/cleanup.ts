// Removes the data of a deleted bot, table by table, on behalf of the deletion queue.
import type { Transcript } from '../chat/index.ts';
import { conversationsOfBot } from '../storage/chat/conversations.ts';
import { deleteUsers, usersOfBot } from '../storage/chat/users.ts';
import { deleteStreamsOfBot } from '../storage/cluster/bot-streams.ts';
import type { WriteTx } from '../storage/database.ts';
import { deleteRowsOfBot } from '../storage/delete-rows.ts';
import { deleteFilesOfBot } from '../storage/files/deletions.ts';
import { deleteRequestsAt, deleteRequestsOf, redactResponsesOf } from '../storage/idempotency.ts';
import { deleteTablesOfBot } from '../storage/tables/tables.ts';
import { deleteUsage } from '../storage/usage.ts';

/** Removes up to `limit` rows of one table; returns how many. */
type RemoveRows = (tx: WriteTx, botId: string, limit: number, transcript: Transcript) => Promise<number>;

/**
 * The removal of each table, in this order. A test requires an entry for each table with a column `bot_id`, except for
 * tokens, which are deleted with the bot. Rows of other tables are removed together with one of these.
 */
export const botTables: Record<string, RemoveRows> = {
  // The removal of their bytes and passages is queued.
  files: deleteFilesOfBot,
  knowledge_bases: (tx, botId, limit) => deleteRowsOfBot(tx, 'knowledge_bases', botId, limit),
  // The removal of their rows is queued.
  tables: deleteTablesOfBot,
  computed_tables: (tx, botId, limit) => deleteRowsOfBot(tx, 'computed_tables', botId, limit),
  computed_usage: (tx, botId, limit) => deleteRowsOfBot(tx, 'computed_usage', botId, limit),
  deliveries: (tx, botId, limit) => deleteRowsOfBot(tx, 'deliveries', botId, limit),
  handlings: (tx, botId, limit) => deleteRowsOfBot(tx, 'handlings', botId, limit),
  handoffs: (tx, botId, limit) => deleteRowsOfBot(tx, 'handoffs', botId, limit),
  assignments: (tx, botId, limit) => deleteRowsOfBot(tx, 'assignments', botId, limit),
  ratings: (tx, botId, limit) => deleteRowsOfBot(tx, 'ratings', botId, limit),
  person_replies: (tx, botId, limit) => deleteRowsOfBot(tx, 'person_replies', botId, limit),
  unanswered_messages: (tx, botId, limit) => deleteRowsOfBot(tx, 'unanswered_messages', botId, limit),
  contacts: (tx, botId, limit) => deleteRowsOfBot(tx, 'contacts', botId, limit),
  mailed_addresses: (tx, botId, limit) => deleteRowsOfBot(tx, 'mailed_addresses', botId, limit),
  push_subscriptions: (tx, botId, limit) => deleteRowsOfBot(tx, 'push_subscriptions', botId, limit),
  webchat_versions: (tx, botId, limit) => deleteRowsOfBot(tx, 'webchat_versions', botId, limit),
  bot_streams: deleteStreamsOfBot,
  bot_logs: (tx, botId, limit) => deleteRowsOfBot(tx, 'bot_logs', botId, limit),
  invitations: (tx, botId, limit) => deleteRowsOfBot(tx, 'invitations', botId, limit),
  states: (tx, botId, limit) => deleteRowsOfBot(tx, 'states', botId, limit),
  tags: (tx, botId, limit) => deleteRowsOfBot(tx, 'tags', botId, limit),
  async conversations(tx, botId, limit, transcript) {
    const conversations = await conversationsOfBot(tx, botId, limit);
    if (conversations.length > 0) await transcript.removeConversations(tx, conversations);
    return conversations.length;
  },
  async users(tx, botId, limit) {
    const ids = await usersOfBot(tx, botId, limit);
    if (ids.length > 0) {
      await redactResponsesOf(tx, ids);
      await deleteRequestsOf(tx, ids);
      await deleteUsers(tx, ids);
    }
    return ids.length;
  },
  revoked_user_keys: (tx, botId, limit) => deleteRowsOfBot(tx, 'revoked_user_keys', botId, limit),
  deleted_users: (tx, botId, limit) => deleteRowsOfBot(tx, 'deleted_users', botId, limit),
  // Requests of callers that had no user yet.
  requests: deleteRequestsAt,
};

/**
 * Removes up to about `limit` rows of a deleted bot and returns their number; fewer than `limit` when nothing remains.
 */
export async function removeBotData(
  tx: WriteTx,
  botId: string,
  limit: number,
  transcript: Transcript,
): Promise<number> {
  let removed = 0;
  for (const remove of Object.values(botTables)) {
    if (removed < limit) removed += await remove(tx, botId, limit - removed, transcript);
  }
  if (removed < limit) await deleteUsage(tx, botId);
  return removed;
}
