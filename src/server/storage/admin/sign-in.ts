// SQL of signing in: credentials of members (password hashes, accounts of another service, one-time links), and attempts.
import type { Tx, WriteTx } from '../database.ts';
import type { MemberRow } from './workspaces.ts';

/** The purpose of a link. `setup`: the first owner chooses name, e-mail address and password. */
export type LinkPurpose = 'invitation' | 'sign-in' | 'reset' | 'setup';

/** A member, and the hash of their password (PHC string format); null if they have none. */
export type MemberWithPassword = Pick<MemberRow, 'id' | 'workspaceId' | 'email' | 'role' | 'displayName'> & {
  hash: string | null;
};

const memberColumns = `m.id, m.workspace_id, m.email, m.role, m.display_name, c.hash`;
const joined = `members m LEFT JOIN credentials c ON c.member_id = m.id AND c.kind = 'password'`;

/**
 * The members with this e-mail address, oldest first: one of each workspace, or of the given one. Limited, because an
 * address in many workspaces must not make a request slow.
 */
export async function membersOfEmail(
  tx: Tx,
  email: string,
  workspaceId: string | undefined,
): Promise<MemberWithPassword[]> {
  return tx.all(
    `SELECT ${memberColumns} FROM ${joined} WHERE m.email = ?
       ${workspaceId === undefined ? '' : 'AND m.workspace_id = ?'} ORDER BY m.id LIMIT 20`,
    email,
    ...(workspaceId === undefined ? [] : [workspaceId]),
  );
}

/** A member with their password. */
export async function memberWithPassword(tx: Tx, memberId: string): Promise<MemberWithPassword | undefined> {
  return tx.get(`SELECT ${memberColumns} FROM ${joined} WHERE m.id = ?`, memberId);
}

/** Stores the hash of the password of a member. */
export async function setPassword(
  tx: WriteTx,
  { id, workspaceId }: Pick<MemberRow, 'id' | 'workspaceId'>,
  hash: string,
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO credentials (member_id, kind, workspace_id, hash, updated_at) VALUES (?, 'password', ?, ?, ?)
     ON CONFLICT (member_id, kind) DO UPDATE SET hash = excluded.hash, updated_at = excluded.updated_at`,
    id,
    workspaceId,
    hash,
    now,
  );
}

/** Replaces a hash by one of the same password with other parameters, if the password was not changed. */
export async function replaceHash(
  tx: WriteTx,
  memberId: string,
  before: string,
  after: string,
): Promise<void> {
  await tx.run(
    "UPDATE credentials SET hash = ? WHERE member_id = ? AND kind = 'password' AND hash = ?",
    after,
    memberId,
    before,
  );
}

export interface LinkRow {
  /** SHA-256 of the token, hex. */
  hash: string;
  purpose: LinkPurpose;
  workspaceId: string;
  memberId: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export async function insertLink(tx: WriteTx, row: LinkRow): Promise<void> {
  await tx.run(
    'INSERT INTO one_time_links (hash, purpose, workspace_id, member_id, expires_at) VALUES (?, ?, ?, ?, ?)',
    row.hash,
    row.purpose,
    row.workspaceId,
    row.memberId,
    row.expiresAt,
  );
}

export async function linkOfHash(tx: Tx, hash: string): Promise<LinkRow | undefined> {
  return tx.get(
    `SELECT hash, purpose, workspace_id, member_id, expires_at
     FROM one_time_links WHERE hash = ?`,
    hash,
  );
}

/** Uses a link. Returns whether it was there: of two requests at once, one uses it. */
export async function deleteLink(tx: WriteTx, hash: string): Promise<boolean> {
  return (await tx.run('DELETE FROM one_time_links WHERE hash = ?', hash)) === 1;
}

export async function deleteLinksOfMember(tx: WriteTx, memberId: string): Promise<void> {
  await tx.run('DELETE FROM one_time_links WHERE member_id = ?', memberId);
}

/** Deletes everything that a member signs in with, and ends their sessions, but for that with the id `exceptSession`. */
export async function deleteSignInOfMember(tx: WriteTx, memberId: string, exceptSession = ''): Promise<void> {
  await tx.run('DELETE FROM sessions WHERE member_id = ? AND id <> ?', memberId, exceptSession);
  await tx.run('DELETE FROM credentials WHERE member_id = ?', memberId);
  await deleteLinksOfMember(tx, memberId);
}

/** An account of another service. */
interface Account {
  issuer: string;
  subject: string;
}

/** The member to whom an account is bound: the oldest one, or the one of a workspace. */
export async function memberOfAccount(
  tx: Tx,
  { issuer, subject }: Account,
  workspaceId: string | undefined,
): Promise<MemberWithPassword | undefined> {
  const found = await tx.get<{ id: string }>(
    `SELECT member_id AS id FROM credentials WHERE issuer = ? AND subject = ?
       ${workspaceId === undefined ? '' : 'AND workspace_id = ?'} ORDER BY member_id LIMIT 1`,
    issuer,
    subject,
    ...(workspaceId === undefined ? [] : [workspaceId]),
  );
  return found && memberWithPassword(tx, found.id);
}

/** Binds an account to a member. Returns false if the member has another one. */
export async function bindAccount(
  tx: WriteTx,
  { id, workspaceId }: Pick<MemberRow, 'id' | 'workspaceId'>,
  { issuer, subject }: Account,
  now: number,
): Promise<boolean> {
  const changed = await tx.run(
    `INSERT INTO credentials (member_id, kind, workspace_id, issuer, subject, updated_at) VALUES (?, 'oidc', ?, ?, ?, ?)
     ON CONFLICT (member_id, kind) DO NOTHING`,
    id,
    workspaceId,
    issuer,
    subject,
    now,
  );
  return changed === 1;
}

/**
 * A limit of attempts. They are counted in the database, so that all processes count together and a restart forgets nothing.
 */
export interface AttemptLimit {
  /** A keyed hash of who or what is limited. */
  id: string;
  /** Attempts within `window` milliseconds that have no consequence. */
  free: number;
  window: number;
  /** Milliseconds to wait after an attempt, by its number; only from number `free` on. */
  waitAfter(count: number): number;
}

/** Counts an attempt. Returns 0, or while attempts are refused, the milliseconds until the next one; it is then not counted. */
export async function countAttempt(tx: WriteTx, limit: AttemptLimit, now: number): Promise<number> {
  const { id, free, window, waitAfter } = limit;
  const counted = await tx.get<{ count: number }>(
    `INSERT INTO sign_in_attempts (id, count, blocked_until, expires_at) VALUES (?, 1, 0, ?)
     ON CONFLICT (id) DO UPDATE SET
       count = CASE WHEN sign_in_attempts.expires_at <= ? THEN 1 ELSE sign_in_attempts.count + 1 END,
       expires_at = excluded.expires_at
     WHERE sign_in_attempts.blocked_until <= ?
     RETURNING count`,
    id,
    now + window,
    now,
    now,
  );
  if (!counted) {
    const row = await tx.get<{ until: number }>(
      'SELECT blocked_until AS until FROM sign_in_attempts WHERE id = ?',
      id,
    );
    return Math.max(1, Number(row?.until ?? now) - now);
  }
  const count = Number(counted.count);
  if (count >= free) {
    const wait = waitAfter(count);
    // Counted until the wait is over, and as long again, so that the next wait is longer.
    await tx.run(
      'UPDATE sign_in_attempts SET blocked_until = ?, expires_at = ? WHERE id = ?',
      now + wait,
      now + wait + window,
      id,
    );
  }
  return 0;
}

/** Forgets the attempts. */
export async function forgetAttempts(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM sign_in_attempts WHERE id = ?', id);
}

/** Takes one attempt back, which was no failure. */
export async function takeAttemptBack(tx: WriteTx, id: string): Promise<void> {
  await tx.run(
    'UPDATE sign_in_attempts SET count = count - 1, blocked_until = 0 WHERE id = ? AND count > 0',
    id,
  );
}

/** Notes that somebody is known until `until`, in milliseconds since 1970. */
export async function note(tx: WriteTx, id: string, until: number): Promise<void> {
  await tx.run(
    `INSERT INTO sign_in_attempts (id, count, blocked_until, expires_at) VALUES (?, 0, 0, ?)
     ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
    id,
    until,
  );
}

/** Whether somebody is known. */
export async function isNoted(tx: Tx, id: string, now: number): Promise<boolean> {
  return (
    (await tx.get('SELECT 1 FROM sign_in_attempts WHERE id = ? AND expires_at > ?', id, now)) !== undefined
  );
}
