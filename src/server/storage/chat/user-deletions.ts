// SQL of the queue of deleted users whose conversations, files and remembered answers wait to be removed.
import type { Tx, WriteTx } from '../database.ts';
import type { UserRow } from './users.ts';

/** The part of a user that the removal of their data still needs. */
export type UserDeletion = Pick<UserRow, 'id' | 'botId' | 'foreignId'>;

/** SQL: true where the user in this column (or text of SQL) was deleted and their data waits to be removed. */
export const isBeingDeleted = (column: string): string => `${column} IN (SELECT user_id FROM user_deletions)`;

/** Queues the removal of what a user owns; hides their conversations and files. Queueing twice changes nothing. */
export async function insertUserDeletion(tx: WriteTx, user: UserDeletion, now: number): Promise<void> {
  await tx.run(
    `INSERT INTO user_deletions (user_id, bot_id, foreign_id, requested_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    user.id,
    user.botId,
    user.foreignId,
    now,
  );
}

/** A user whose data waits to be removed; with `botId` one of this bot. */
export async function nextUserDeletion(tx: Tx, botId?: string): Promise<UserDeletion | undefined> {
  const select = 'SELECT user_id AS "id", bot_id AS "botId", foreign_id AS "foreignId" FROM user_deletions';
  return botId === undefined
    ? tx.get(`${select} LIMIT 1`)
    : tx.get(`${select} WHERE bot_id = ? LIMIT 1`, botId);
}

/** Takes a user out of the queue: nothing of theirs is left. */
export async function deleteUserDeletion(tx: WriteTx, userId: string): Promise<void> {
  await tx.run('DELETE FROM user_deletions WHERE user_id = ?', userId);
}
