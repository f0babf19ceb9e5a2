// SQL of the users as whom visitors see the people who answer: one for each member and bot.
import { createHash } from 'node:crypto';
import type { Person } from '../../../protocol/handling.ts';
import { type UserRow, userColumns } from '../chat/users.ts';
import type { WriteTx } from '../database.ts';
import { createId } from '../ids.ts';

/** The identity of a person at another desk, who is not a member: by name and picture. */
export const externalIdOf = ({ name, pictureUrl = '' }: Person): string =>
  `external ${createHash('sha256').update(`${name}\n${pictureUrl}`).digest('base64url')}`;

/** The user as whom the visitors of a bot see a member. It is created, or gets the present name and picture. */
export async function personOf(
  tx: WriteTx,
  botId: string,
  memberId: string,
  { name, pictureUrl }: Person,
  now: number,
): Promise<UserRow> {
  await tx.run(
    `INSERT INTO users (id, bot_id, is_bot, name, picture_url, created_at, updated_at, member_id)
     VALUES (?, ?, 1, ?, ?, ?, ?, ?)
     ON CONFLICT (bot_id, member_id) WHERE member_id IS NOT NULL
     DO UPDATE SET name = excluded.name, picture_url = excluded.picture_url`,
    createId('user'),
    botId,
    name,
    pictureUrl ?? null,
    now,
    now,
    memberId,
  );
  const user = await tx.get<UserRow>(
    `SELECT ${userColumns} FROM users WHERE bot_id = ? AND member_id = ?`,
    botId,
    memberId,
  );
  if (!user) throw new Error('The person was not stored.');
  return user;
}
