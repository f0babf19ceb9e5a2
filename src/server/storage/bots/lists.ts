// SQL of the conversations and users of a bot.
import type { ConversationRow } from '../chat/conversations.ts';
import type { UserRow } from '../chat/users.ts';
import type { Tx, Value } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';

/** Conversations of a bot before `before`, newest first; with `userId` only those in which this user participates. */
export async function listConversationsOf(
  tx: Tx,
  botId: string,
  userId: string | undefined,
  before: string | undefined,
  limit: number,
): Promise<ConversationRow[]> {
  const columns = `c.id, c.bot_id AS "botId", c.foreign_id AS "foreignId", c.owner_id AS "ownerId", c.seq,
    c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;
  const isVisible = `NOT ${isBeingDeleted('c.owner_id')}`;
  // '~' sorts after every character of an id.
  const start = before ?? '~';
  if (userId === undefined) {
    return tx.all(
      `SELECT ${columns} FROM conversations c WHERE c.bot_id = ? AND c.id < ? AND ${isVisible} ORDER BY c.id DESC LIMIT ?`,
      botId,
      start,
      limit,
    );
  }
  return tx.all(
    `SELECT ${columns} FROM participants p CROSS JOIN conversations c ON c.id = p.conversation_id
     WHERE p.user_id = ? AND p.conversation_id < ? AND c.bot_id = ? AND ${isVisible} ORDER BY p.conversation_id DESC LIMIT ?`,
    userId,
    start,
    botId,
    limit,
  );
}

export interface UserFilter {
  conversationId?: string | undefined;
  fid?: string | undefined;
  profile?: string | undefined;
  after?: number | undefined;
  before?: number | undefined;
  rangeField: 'createdAt' | 'updatedAt';
  sortField: 'createdAt' | 'updatedAt';
  isAscending: boolean;
  /** The time and the id of the last row of the previous page. */
  from?: readonly [time: number, id: string] | undefined;
}

const columnOf = (field: unknown): string => (field === 'updatedAt' ? 'updated_at' : 'created_at');

/** Users of a bot, without the bot's own user. */
export async function listUsersOf(
  tx: Tx,
  botId: string,
  filter: UserFilter,
  limit: number,
): Promise<UserRow[]> {
  const sort = columnOf(filter.sortField);
  const range = columnOf(filter.rangeField);
  const where = ['u.bot_id = ?', 'u.is_bot = 0'];
  const values: Value[] = [botId];
  const add = (condition: string, ...given: (Value | undefined)[]) => {
    if (given.some((value) => value === undefined)) return;
    where.push(condition);
    values.push(...(given as Value[]));
  };
  add('u.id IN (SELECT user_id FROM participants WHERE conversation_id = ?)', filter.conversationId);
  add('u.foreign_id = ?', filter.fid);
  add('u.profile = ?', filter.profile);
  add(`u.${range} > ?`, filter.after);
  add(`u.${range} < ?`, filter.before);
  const [time, id] = filter.from ?? [];
  add(`(u.${sort}, u.id) ${filter.isAscending ? '>' : '<'} (?, ?)`, time, id);
  const direction = filter.isAscending ? 'ASC' : 'DESC';
  return tx.all(
    `SELECT u.id, u.bot_id AS "botId", u.foreign_id AS "foreignId", u.name, u.picture_url AS "pictureUrl", u.profile,
       u.created_at AS "createdAt", u.updated_at AS "updatedAt"
     FROM users u WHERE ${where.join(' AND ')} ORDER BY u.${sort} ${direction}, u.id ${direction} LIMIT ?`,
    ...values,
    limit,
  );
}
