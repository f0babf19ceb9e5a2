// SQL of invitations: the conversation, and a hash of the id of the invited user, so that no id outlives its user.
// Expired invitations are never returned.
import { limits } from '../../../protocol/limits.ts';
import type { Tx, WriteTx } from '../database.ts';
import { hashOfId } from '../ids.ts';
import { jsonRows } from '../json-rows.ts';
import type { UserRow } from './users.ts';

/** Milliseconds after which an invitation expires. */
export const invitationLifetimeMs = limits.invitationDays * 24 * 60 * 60 * 1000;

/** An invitation as the invited user receives it, with the ids of the conversation and its owner. */
export interface InvitationRow {
  id: string;
  foreignId: string | null;
  ownerId: string;
  ownerForeignId: string | null;
  invitedAt: number;
}

type Conversation = { id: string; botId: string };

/** The hashes of both ids with which an owner can name the user. */
const hashesOf = ({ id, botId, foreignId }: UserRow): [byId: string, byForeignId: string] => [
  hashOfId(botId, id),
  hashOfId(botId, foreignId ?? id),
];

/**
 * The time when this id was invited to the conversation, also if the invitation is closed; undefined if it was not
 * invited.
 */
export async function findInvitedAt(
  tx: Tx,
  { id, botId }: Conversation,
  invitedId: string,
  now: number,
): Promise<number | undefined> {
  const row = await tx.get<{ at: number }>(
    `SELECT invited_at AS at FROM invitations
     WHERE conversation_id = ? AND invited_hash = ? AND invited_at > ?`,
    id,
    hashOfId(botId, invitedId),
    now - invitationLifetimeMs,
  );
  return row?.at;
}

/** The number of invitations of a conversation, including declined ones. */
export async function countInvitations(tx: Tx, conversationId: string, now: number): Promise<number> {
  const row = await tx.get<{ count: number }>(
    'SELECT COUNT(*) AS count FROM invitations WHERE conversation_id = ? AND invited_at > ?',
    conversationId,
    now - invitationLifetimeMs,
  );
  return row?.count ?? 0;
}

/** Stores an open invitation, and replaces an expired one. */
export async function insertInvitation(
  tx: WriteTx,
  { id, botId }: Conversation,
  invitedId: string,
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO invitations (conversation_id, invited_hash, bot_id, invited_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (conversation_id, invited_hash) DO UPDATE SET invited_at = excluded.invited_at, is_open = 1`,
    id,
    hashOfId(botId, invitedId),
    botId,
    now,
  );
}

/** Open invitations of a user, one for each conversation, newest conversation first, before the id `before`. */
export async function listInvitations(
  tx: Tx,
  user: UserRow,
  before: string | undefined,
  limit: number,
  now: number,
): Promise<InvitationRow[]> {
  const open = `SELECT i.conversation_id AS id, c.foreign_id, c.owner_id,
      u.foreign_id AS owner_foreign_id, i.invited_at
    FROM invitations i CROSS JOIN conversations c ON c.id = i.conversation_id CROSS JOIN users u ON u.id = c.owner_id
    WHERE i.bot_id = ? AND i.invited_hash = ? AND i.is_open = 1 AND i.conversation_id < ? AND i.invited_at > ?`;
  const valuesOf = (hash: string) => [user.botId, hash, before ?? '~', now - invitationLifetimeMs];
  const [byId, byForeignId] = hashesOf(user);
  // Merges two lists in the order of the index, so that a page reads no more rows than it returns. A user who was
  // invited by both ids gets the invitation once.
  return tx.all(
    `${open} UNION ALL ${open} AND NOT EXISTS
       (SELECT 1 FROM invitations o WHERE o.conversation_id = i.conversation_id AND o.invited_hash = ?
          AND o.is_open = 1 AND o.invited_at > ?)
     ORDER BY "id" DESC LIMIT ?`,
    ...valuesOf(byId),
    ...valuesOf(byForeignId),
    byId,
    now - invitationLifetimeMs,
    limit,
  );
}

/** True when the user has an open invitation to the conversation. */
export async function isInvited(
  tx: Tx,
  conversationId: string,
  user: UserRow,
  now: number,
): Promise<boolean> {
  const row = await tx.get(
    `SELECT 1 FROM invitations
     WHERE conversation_id = ? AND invited_hash IN (?, ?) AND is_open = 1 AND invited_at > ?`,
    conversationId,
    ...hashesOf(user),
    now - invitationLifetimeMs,
  );
  return row !== undefined;
}

/** Withdraws an invitation. Returns false when this id had none. */
export async function deleteInvitation(
  tx: WriteTx,
  { id, botId }: Conversation,
  invitedId: string,
  now: number,
): Promise<boolean> {
  const changes = await tx.run(
    'DELETE FROM invitations WHERE conversation_id = ? AND invited_hash = ? AND invited_at > ?',
    id,
    hashOfId(botId, invitedId),
    now - invitationLifetimeMs,
  );
  return changes > 0;
}

/** Deletes all invitations of a user to a conversation, by both ids. */
export async function deleteInvitationsTo(tx: WriteTx, conversationId: string, user: UserRow): Promise<void> {
  await tx.run(
    'DELETE FROM invitations WHERE conversation_id = ? AND invited_hash IN (?, ?)',
    conversationId,
    ...hashesOf(user),
  );
}

/** Closes the invitations of a user to a conversation: they match no user any more. */
export async function closeInvitationsTo(tx: WriteTx, conversationId: string, user: UserRow): Promise<void> {
  await tx.run(
    'UPDATE invitations SET is_open = 0 WHERE conversation_id = ? AND invited_hash IN (?, ?)',
    conversationId,
    ...hashesOf(user),
  );
}

/** Moves the invitations by the server id of a user to another one. */
export async function moveInvitations(tx: WriteTx, from: UserRow, to: UserRow): Promise<void> {
  const [fromHash] = hashesOf(from);
  const [toHash] = hashesOf(to);
  await tx.run(
    `DELETE FROM invitations WHERE bot_id = ? AND invited_hash = ? AND (conversation_id IN
       (SELECT conversation_id FROM invitations WHERE bot_id = ? AND invited_hash = ?)
        OR conversation_id IN (SELECT conversation_id FROM participants WHERE user_id = ?))`,
    from.botId,
    fromHash,
    from.botId,
    toHash,
    to.id,
  );
  await tx.run(
    'UPDATE invitations SET invited_hash = ? WHERE bot_id = ? AND invited_hash = ?',
    toHash,
    from.botId,
    fromHash,
  );
}

/** Closes all invitations of deleted users without a foreign id, as `closeInvitationsOf` does. */
export async function closeInvitationsOfAll(tx: WriteTx, users: readonly UserRow[]): Promise<void> {
  const rows = jsonRows(tx);
  await tx.run(
    `UPDATE invitations SET is_open = 0 FROM ${rows.from}
     WHERE invitations.bot_id = ${rows.text(0)} AND invitations.invited_hash = ${rows.text(1)} AND invitations.is_open = 1`,
    JSON.stringify(users.map((user) => [user.botId, hashesOf(user)[0]])),
  );
}

/** Closes all invitations of a deleted user, so that none matches a later user with the same id. */
export async function closeInvitationsOf(tx: WriteTx, user: UserRow): Promise<void> {
  await tx.run(
    'UPDATE invitations SET is_open = 0 WHERE bot_id = ? AND invited_hash IN (?, ?) AND is_open = 1',
    user.botId,
    ...hashesOf(user),
  );
}
