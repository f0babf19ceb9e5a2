// Deletes the records of deleted bots in small steps, with one table that lists everything a bot owns.

import type { Transcript } from '../chat/index.ts';
import { sweepUserDeletions } from '../chat/index.ts';
import { deleteRevokedKeysOf, forgetDeletedUsersOf } from '../storage/auth/user-keys.ts';
import { deleteBotLogsOf } from '../storage/bots/bot-logs.ts';
import { deleteBotGrave, nextBotGrave } from '../storage/bots/bots.ts';
import { deleteDeliveriesOf } from '../storage/bots/deliveries.ts';
import { conversationsOfBot } from '../storage/chat/conversations.ts';
import { deleteInvitationsOf } from '../storage/chat/invitations.ts';
import { deleteUser, usersOfBot } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { markBotFilesDeleted } from '../storage/files/files.ts';
import { deleteKnowledgeBasesOf } from '../storage/files/knowledge-bases.ts';
import { blankRequests, deleteRequestsAt, deleteRequestsOf } from '../storage/idempotency.ts';
import { buryTablesOf, sweepTableGraves } from '../storage/tables/tables.ts';
import { deleteUsage } from '../storage/usage.ts';

/** Records that one step deletes. */
const step = 100;

/** Deletes up to `limit` records of one kind and returns their number. */
type Remove = (tx: WriteTx, botId: string, limit: number, transcript: Transcript) => Promise<number>;

/**
 * By database table, in this order. A test checks that each table with a column `bot_id` is listed, except for tokens,
 * which are deleted with the bot. Rows of other tables are deleted with one of these.
 */
export const botRemains: Record<string, Remove> = {
  // Their bytes, tags and passages are deleted by files/cleanup.ts.
  files: markBotFilesDeleted,
  knowledge_bases: deleteKnowledgeBasesOf,
  tables: buryTablesOf,
  // Includes rows of other deleted tables, which are no longer visible.
  table_rows: (tx, _, limit) => sweepTableGraves(tx, limit * 10),
  deliveries: deleteDeliveriesOf,
  bot_logs: deleteBotLogsOf,
  // Records of users who were deleted before the bot.
  user_deletions: (tx, botId, _, transcript) => sweepUserDeletions(tx, transcript, botId),
  invitations: deleteInvitationsOf,
  async conversations(tx, botId, limit, transcript) {
    const found = await conversationsOfBot(tx, botId, limit);
    for (const conversation of found) await transcript.removeConversation(tx, conversation);
    return found.length;
  },
  async users(tx, botId, limit) {
    const found = await usersOfBot(tx, botId, limit);
    for (const id of found) {
      await blankRequests(tx, id);
      await deleteRequestsOf(tx, id);
      await deleteUser(tx, id);
    }
    return found.length;
  },
  revoked_user_keys: deleteRevokedKeysOf,
  deleted_users: forgetDeletedUsersOf,
  // Idempotency entries of callers who were not users yet.
  requests: deleteRequestsAt,
};

/** Deletes some records of deleted bots and returns their number; 0 when none are left. */
export async function sweepBots(tx: WriteTx, transcript: Transcript): Promise<number> {
  const botId = await nextBotGrave(tx);
  if (botId === undefined) return 0;
  for (const remove of Object.values(botRemains)) {
    const removed = await remove(tx, botId, step, transcript);
    if (removed > 0) return removed;
  }
  await deleteUsage(tx, botId);
  await deleteBotGrave(tx, botId);
  return 1;
}
