// SQL that moves the data of a user to another user.
import type { WriteTx } from '../database.ts';
import { moveRequests, redactResponses } from '../idempotency.ts';
import { publicId } from '../ids.ts';
import { moveReads } from '../inbox/reads.ts';
import { moveContact } from '../notifications/contacts.ts';
import { moveStates } from '../runtime/states.ts';
import { moveTags } from '../runtime/tags.ts';
import { moveUsage } from '../usage.ts';
import { moveInvitations } from './invitations.ts';
import type { UserRow } from './users.ts';

/** The tables with rows of a visitor, and the column with the visitor's id. Participants are moved by the transcript. */
const tables = {
  deliveries: 'user_id',
  files: 'owner_id',
  interrupts: 'user_id',
  notifications: 'target',
  push_subscriptions: 'user_id',
  return_links: 'user_id',
};
/** The same for tables that also have rows of bots, whose index contains only those of visitors. */
const shared = ['messages', 'events'];

/** Whether another user than `to` takes part in a conversation of `from`, or may join it by an open invitation. */
export async function sharesConversations(tx: WriteTx, from: UserRow, to: UserRow): Promise<boolean> {
  const own = 'SELECT conversation_id FROM participants WHERE user_id = ?';
  const row = await tx.get(
    `SELECT 1 FROM participants WHERE conversation_id IN (${own}) AND user_id NOT IN (?, ?)
       AND NOT EXISTS (SELECT 1 FROM users p WHERE p.id = participants.user_id AND p.member_id IS NOT NULL)
     UNION ALL SELECT 1 FROM invitations WHERE conversation_id IN (${own}) AND is_open = 1 LIMIT 1`,
    from.id,
    from.id,
    to.id,
    from.id,
  );
  return row !== undefined;
}

/** Moves everything that is stored for a user, except the profile and the participations, to another user of the bot. */
export async function moveUserData(tx: WriteTx, from: UserRow, to: UserRow): Promise<void> {
  for (const [table, column] of Object.entries(tables))
    await tx.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, to.id, from.id);
  for (const table of shared)
    await tx.run(`UPDATE ${table} SET user_id = ? WHERE user_id = ? AND is_bot = 0`, to.id, from.id);
  // Messages that the bot sent in the name of the user; no index has these rows by the user.
  for (const table of shared) {
    await tx.run(
      `UPDATE ${table} SET user_id = ? WHERE user_id = ? AND is_bot = 1
         AND conversation_id IN (SELECT conversation_id FROM participants WHERE user_id = ?)`,
      to.id,
      from.id,
      from.id,
    );
  }
  await moveContact(tx, from.id, to.id);
  await moveReads(tx, from.id, to.id);
  await moveInvitations(tx, from, to);
  await moveTags(tx, from.id, to.id);
  await moveStates(tx, from.id, to.id);
  // Responses that contain the user, such as that of the creation.
  await redactResponses(tx, from.id);
  await moveRequests(tx, from.id, { id: to.id, publicId: publicId(to) });
  await moveUsage(tx, from.id, to.id);
}
