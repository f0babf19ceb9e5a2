// SQL of member sessions: the signed-in browsers of members.
import type { Role } from '../../../protocol/permissions.ts';
import type { Tx, WriteTx } from '../database.ts';
import { defineTable, insert, integer, orNull, type RowOf, text, textOf } from '../table.ts';

/** How a member has signed in. */
export type SignInMethod = 'password' | 'link' | 'oidc';

const sessions = defineTable('sessions', {
  id: text,
  /** SHA-256 of the value of the cookie, hex. */
  hash: text,
  /** The hash of the value before the last rotation. */
  previousHash: orNull(text),
  workspaceId: text,
  memberId: text,
  /** The role of the member at the last rotation. */
  role: textOf<Role>(),
  method: textOf<SignInMethod>(),
  /** Milliseconds since 1970, as all times of a session. */
  createdAt: integer,
  rotatedAt: integer,
  /** The last request, to the minute. */
  seenAt: integer,
  userAgent: text,
  /** The client network (client-address.ts). */
  network: text,
});
/** A signed-in browser of a member. Only the hash of the value of its cookie is stored. */
export type MemberSessionRow = RowOf<typeof sessions>;

const columns = sessions.columns();

/** The session whose cookie has this value now, or had it before the last rotation. */
export async function sessionOfHash(tx: Tx, hash: string): Promise<MemberSessionRow | undefined> {
  return (
    (await tx.get(`SELECT ${columns} FROM sessions WHERE hash = ?`, hash)) ??
    (await tx.get(`SELECT ${columns} FROM sessions WHERE previous_hash = ?`, hash))
  );
}

export async function insertSession(tx: WriteTx, row: MemberSessionRow): Promise<void> {
  await insert(tx, sessions, row);
}

/** Replaces the value of a session, unless another request has done so. Returns whether it has it. */
export async function rotateSession(
  tx: WriteTx,
  { id, hash }: Pick<MemberSessionRow, 'id' | 'hash'>,
  next: Pick<MemberSessionRow, 'hash' | 'role' | 'rotatedAt'>,
): Promise<boolean> {
  const changed = await tx.run(
    'UPDATE sessions SET hash = ?, previous_hash = ?, role = ?, rotated_at = ?, seen_at = ? WHERE id = ? AND hash = ?',
    next.hash,
    hash,
    next.role,
    next.rotatedAt,
    next.rotatedAt,
    id,
    hash,
  );
  return changed === 1;
}

export async function setSessionSeen(tx: WriteTx, id: string, seenAt: number): Promise<void> {
  await tx.run('UPDATE sessions SET seen_at = ? WHERE id = ? AND seen_at < ?', seenAt, id, seenAt);
}

/** The sessions of a member, newest first. Their number is limited. */
export async function sessionsOfMember(tx: Tx, memberId: string): Promise<MemberSessionRow[]> {
  return tx.all(`SELECT ${columns} FROM sessions WHERE member_id = ? ORDER BY id DESC`, memberId);
}

/** Ends a session of a member. Returns whether there was one. */
export async function deleteSession(tx: WriteTx, memberId: string, id: string): Promise<boolean> {
  return (await tx.run('DELETE FROM sessions WHERE member_id = ? AND id = ?', memberId, id)) === 1;
}

/** Ends all sessions of a member, except one. */
export async function deleteSessionsOfMember(tx: WriteTx, memberId: string, except = ''): Promise<void> {
  await tx.run('DELETE FROM sessions WHERE member_id = ? AND id <> ?', memberId, except);
}
