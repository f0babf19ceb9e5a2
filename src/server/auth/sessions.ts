// Sessions: the signed-in browsers of members. The value of the cookie has 256 random bits, so a fast hash that can be looked
// up is safe, as for tokens.
import { createHash, randomBytes } from 'node:crypto';
import {
  deleteSession,
  insertSession,
  type MemberSessionRow,
  rotateSession,
  type SignInMethod,
  sessionOfHash,
  sessionsOfMember,
  setSessionSeen,
} from '../storage/admin/member-sessions.ts';
import { findMember, type MemberRow } from '../storage/admin/workspaces.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

const minuteMs = 60_000;
/** Milliseconds without a request after which a session ends. */
export const sessionIdleTimeMs = 12 * 60 * minuteMs;
/** Milliseconds after which a session ends in any case. */
const lifetimeMs = 30 * 24 * 60 * minuteMs;
/** Milliseconds after which a session gets another value. */
const rotationTimeMs = 60 * minuteMs;
/** Milliseconds that the previous value is valid: other requests of the browser are on their way with it. */
const overlapMs = minuteMs;
/** Milliseconds between two notes of when a session was used. */
const seenPrecisionMs = minuteMs;
/** Sessions of one member; a further one ends the oldest. */
const maxSessions = 20;
/** Characters of a `User-Agent` that are stored, for the list of sessions. */
const maxUserAgent = 300;

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex');
const newValue = (): string => randomBytes(32).toString('base64url');

/** When a session ends if it is used until then, in milliseconds since 1970. */
export const endOfSession = ({ createdAt }: Pick<MemberSessionRow, 'createdAt'>): number =>
  createdAt + lifetimeMs;

/** Whether a session has not ended by itself. */
export const isValidSession = (row: MemberSessionRow, now: number): boolean =>
  now < endOfSession(row) && now < row.seenAt + sessionIdleTimeMs;

/** The session of a cookie that is valid now. */
export async function findValidSession(
  tx: Tx,
  value: string,
  now: number,
): Promise<MemberSessionRow | undefined> {
  const hash = hashOf(value);
  const row = await sessionOfHash(tx, hash);
  if (!row || !isValidSession(row, now)) return undefined;
  return row.hash === hash || now < row.rotatedAt + overlapMs ? row : undefined;
}

/** Starts a session, and returns the value of its cookie, which cannot be read again. */
export async function startSession(
  tx: WriteTx,
  { id: memberId, workspaceId, role }: Pick<MemberRow, 'id' | 'workspaceId' | 'role'>,
  { method, headers, network, now }: { method: SignInMethod; headers: Headers; network: string; now: number },
): Promise<{ row: MemberSessionRow; value: string }> {
  const others = await sessionsOfMember(tx, memberId);
  for (const { id } of others.slice(maxSessions - 1)) await deleteSession(tx, memberId, id);
  const value = newValue();
  const row: MemberSessionRow = {
    id: createId('session', now),
    hash: hashOf(value),
    previousHash: null,
    workspaceId,
    memberId,
    role,
    method,
    createdAt: now,
    rotatedAt: now,
    seenAt: now,
    userAgent: (headers.get('user-agent') ?? '').slice(0, maxUserAgent),
    network,
  };
  await insertSession(tx, row);
  return { row, value };
}

/** Whether `renewSession` has something to do: an hour has passed, the role has changed, or a minute since the last note. */
export async function isRenewalDue(tx: Tx, row: MemberSessionRow, now: number): Promise<boolean> {
  if (now >= row.seenAt + seenPrecisionMs || now >= row.rotatedAt + rotationTimeMs) return true;
  return (await findMember(tx, row.workspaceId, row.memberId))?.role !== row.role;
}

/**
 * Notes that a session is used, and gives it another value after an hour and when the role of the member has changed.
 * Returns the new value; undefined without one. A request with the previous value never changes it again.
 */
export async function renewSession(
  tx: WriteTx,
  row: MemberSessionRow,
  isCurrentValue: boolean,
  now: number,
): Promise<string | undefined> {
  const member = await findMember(tx, row.workspaceId, row.memberId);
  const isDue = member?.role !== row.role || now >= row.rotatedAt + rotationTimeMs;
  if (member && isDue && isCurrentValue) return replaceSessionValue(tx, row, member.role, now);
  await setSessionSeen(tx, row.id, now);
  return undefined;
}

/** Replaces the value of a session now. Returns undefined if another request has done so. */
export async function replaceSessionValue(
  tx: WriteTx,
  row: MemberSessionRow,
  role: MemberSessionRow['role'],
  now: number,
): Promise<string | undefined> {
  const value = newValue();
  return (await rotateSession(tx, row, { hash: hashOf(value), role, rotatedAt: now })) ? value : undefined;
}

/** Whether the value of a cookie is the current one of a session, and not the previous one. */
export const isCurrentValue = (row: MemberSessionRow, value: string): boolean => row.hash === hashOf(value);
