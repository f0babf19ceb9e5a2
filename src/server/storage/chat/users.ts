// SQL of users.
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { deleteContacts } from '../notifications/contacts.ts';
import { deletePushSubscriptionsOf } from '../notifications/push-subscriptions.ts';
import { deleteStatesOf } from '../runtime/states.ts';
import { deleteTagsOf } from '../runtime/tags.ts';
import { defineTable, insert, integer, orNull, type RowOf, text, withDefault } from '../table.ts';
import { deleteUsages } from '../usage.ts';

const users = defineTable(
  'users',
  {
    id: text,
    /** The bot that the user belongs to. */
    botId: text,
    foreignId: orNull(text),
    name: orNull(text),
    pictureUrl: orNull(text),
    profile: orNull(text),
    createdAt: integer,
    updatedAt: integer,
    /** Only user keys that were signed after this time are valid, in milliseconds since 1970; null: all are. */
    keysValidAfter: orNull(integer),
  },
  {
    isBot: withDefault(integer),
    memberId: orNull(text),
  },
);
export type UserRow = RowOf<typeof users>;

/** The columns of a UserRow; `table`: the alias of the table with a dot, if it has one. */
export const userColumnsOf = users.columns;
export const userColumns = userColumnsOf('');

/** The user in a row that has further columns, such as those of the user's bot. */
export const userIn = (row: UserRow): UserRow =>
  // The type of Object.fromEntries does not contain the keys.
  Object.fromEntries(userFields.map((field) => [field, row[field]])) as unknown as UserRow;
const userFields = Object.keys(users.read) as (keyof UserRow)[];

/**
 * A user of a bot by foreign id, otherwise by server id. Users of bots are excluded: a caller can neither act as one
 * nor invite one.
 */
export async function findUser(tx: Tx, botId: string, id: string): Promise<UserRow | undefined> {
  const where = 'bot_id = ? AND is_bot = 0';
  return (
    (await tx.get(`SELECT ${userColumns} FROM users WHERE foreign_id = ? AND ${where}`, id, botId)) ??
    (await tx.get(`SELECT ${userColumns} FROM users WHERE id = ? AND ${where}`, id, botId))
  );
}

/** The users with these ids who have no foreign id. */
export async function anonymousUsers(tx: Tx, ids: readonly string[]): Promise<UserRow[]> {
  const condition = inList(tx, 'id', ids);
  return tx.all(
    `SELECT ${userColumns} FROM users WHERE ${condition.sql} AND foreign_id IS NULL`,
    ...condition.values,
  );
}

/** The existing users with these server ids, in any order. */
export async function usersById(tx: Tx, ids: readonly string[]): Promise<UserRow[]> {
  const condition = inList(tx, 'id', ids);
  return tx.all(`SELECT ${userColumns} FROM users WHERE ${condition.sql}`, ...condition.values);
}

/** The approximate number of bytes of a user: a picture can be a `data:` address. */
export const bytesOfUser = ({ pictureUrl, profile }: Pick<UserRow, 'pictureUrl' | 'profile'>): number =>
  (pictureUrl ?? '').length + Buffer.byteLength(profile ?? '');

/** A user by server id, including users of bots. */
export async function userById(tx: Tx, id: string): Promise<UserRow | undefined> {
  return tx.get(`SELECT ${userColumns} FROM users WHERE id = ?`, id);
}

/** True when the text is already the id of a user of the bot, or the server id of any user. */
export async function userIdTaken(tx: Tx, botId: string, id: string): Promise<boolean> {
  return (
    (await tx.get(
      'SELECT 1 FROM users WHERE foreign_id = ? AND bot_id = ? UNION ALL SELECT 1 FROM users WHERE id = ?',
      id,
      botId,
      id,
    )) !== undefined
  );
}

export async function insertUser(tx: WriteTx, user: UserRow & { isBot?: boolean }): Promise<void> {
  await insert(tx, users, { ...user, isBot: user.isBot ? 1 : 0 });
}

/** Overwrites the given fields; the others do not change, and null removes one. */
export async function updateUser(
  tx: WriteTx,
  id: string,
  fields: { name?: string | null; pictureUrl?: string | null; profile?: string },
  now: number,
): Promise<UserRow | undefined> {
  return tx.get(
    `UPDATE users SET name = CASE WHEN ? THEN NULL ELSE COALESCE(?, name) END,
       picture_url = CASE WHEN ? THEN NULL ELSE COALESCE(?, picture_url) END,
       profile = COALESCE(?, profile), updated_at = ? WHERE id = ? RETURNING ${userColumns}`,
    fields.name === null ? 1 : 0,
    fields.name ?? null,
    fields.pictureUrl === null ? 1 : 0,
    fields.pictureUrl ?? null,
    fields.profile ?? null,
    now,
    id,
  );
}

/** Server ids of the users of a bot, including its own. */
export async function usersOfBot(tx: Tx, botId: string, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>('SELECT id FROM users WHERE bot_id = ? LIMIT ?', botId, limit);
  return rows.map(({ id }) => id);
}

/** Deletes users with what belongs to them alone, by statements whose number does not depend on theirs. */
export async function deleteUsers(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const condition = inList(tx, 'id', ids);
  await tx.run(`DELETE FROM users WHERE ${condition.sql}`, ...condition.values);
  await deleteContacts(tx, ids);
  await deletePushSubscriptionsOf(tx, ids);
  await deleteTagsOf(tx, ids);
  await deleteStatesOf(tx, ids);
  await deleteUsages(tx, ids);
}
