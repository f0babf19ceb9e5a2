// SQL of users. It knows no rule: who may do what is decided above.
import type { Tx, WriteTx } from './database.ts';

export interface UserRow {
  id: string;
  foreignId: string | null;
  name: string | null;
  pictureUrl: string | null;
  profile: string | null;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, foreign_id AS "foreignId", name, picture_url AS "pictureUrl", profile,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A user by foreign id, else by server id. Bots are not found: nobody may act as one or invite one. */
export async function findUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  return (
    (await tx.get(`SELECT ${columns} FROM users WHERE foreign_id = ? AND is_bot = 0`, id)) ??
    (await tx.get(`SELECT ${columns} FROM users WHERE id = ? AND is_bot = 0`, id))
  );
}

/** True when the text already names a user or a bot, by either kind of id. */
export async function userIdTaken(tx: Tx, id: string): Promise<boolean> {
  return (
    (await tx.get(
      'SELECT 1 FROM users WHERE foreign_id = ? UNION SELECT 1 FROM users WHERE id = ?',
      id,
      id,
    )) !== undefined
  );
}

export async function insertUser(tx: WriteTx, user: UserRow & { isBot?: boolean }): Promise<void> {
  await tx.run(
    `INSERT INTO users (id, foreign_id, is_bot, name, picture_url, profile, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    user.id,
    user.foreignId,
    user.isBot ? 1 : 0,
    user.name,
    user.pictureUrl,
    user.profile,
    user.createdAt,
    user.updatedAt,
  );
}

/** Overwrites the fields that are given; the others stay. */
export async function updateUser(
  tx: WriteTx,
  id: string,
  fields: { name?: string; pictureUrl?: string; profile?: string },
  now: number,
): Promise<UserRow | undefined> {
  return tx.get(
    `UPDATE users SET name = COALESCE(?, name), picture_url = COALESCE(?, picture_url),
       profile = COALESCE(?, profile), updated_at = ? WHERE id = ? RETURNING ${columns}`,
    fields.name ?? null,
    fields.pictureUrl ?? null,
    fields.profile ?? null,
    now,
    id,
  );
}

export async function deleteUser(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM users WHERE id = ?', id);
}
