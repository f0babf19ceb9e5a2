// What a deleted bot leaves, swept out in small steps: one table of all that is a bot's. It deletes no bot.

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

/** Things in one step. */
const step = 100;

/** Removes up to `limit` things of one kind; gives how many there were. */
type Remove = (tx: WriteTx, botId: string, limit: number, transcript: Transcript) => Promise<number>;

/**
 * By the table that the things are in, in this order: each table with a column `bot_id` stands here (its test), except
 * for tokens, which go with the bot. Rows of other tables go with one of these.
 */
export const botRemains: Record<string, Remove> = {
  // Their bytes, tags and passages are swept out with them (files/cleanup.ts).
  files: markBotFilesDeleted,
  knowledge_bases: deleteKnowledgeBasesOf,
  tables: buryTablesOf,
  // Also of other tables that are gone: nobody sees those rows any more.
  table_rows: (tx, _, limit) => sweepTableGraves(tx, limit * 10),
  deliveries: deleteDeliveriesOf,
  bot_logs: deleteBotLogsOf,
  // What users left who were deleted before the bot.
  user_deletions: (tx, botId, _, transcript) => sweepUserDeletions(tx, transcript, botId),
  invitations: deleteInvitationsOf,
  async conversations(tx, botId, limit, transcript) {
    const found = await conversationsOfBot(tx, botId, limit);
    for (const conversation of found) await transcript.remove(tx, conversation);
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
  // Those of who was no user yet when they asked.
  requests: deleteRequestsAt,
};

/** Removes a part of what deleted bots left; gives how much that was, 0 when nothing is left. */
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
