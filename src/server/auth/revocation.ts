// Ends user keys before their time: one key, all keys of a user, or those of a user who is deleted.

import {
  countRevokedKeys,
  forgetRevokedKeys,
  insertDeletedUser,
  insertRevokedKey,
  setKeysValidAfter,
} from '../storage/auth/user-keys.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import type { KeyClaims } from './user-keys.ts';

/**
 * Milliseconds that the clock of an application may be ahead of this server's where `iat` decides. A key that was signed
 * before a revocation may be dated so much after it; so a key of an application is good again only when it is dated later.
 */
const clockSkew = 60_000;
/** Revoked keys that are remembered of one user; one more revokes all of that user's keys instead. */
const maxRevokedKeys = 100;

/**
 * Whether a key is good where only those are that were signed after `validAfter` (milliseconds since 1970; null: all
 * are). A key without `iat` then is not. A key that this server issued is dated by this server's clock. One of an
 * application has to be dated a minute later, and not more than a minute ahead of now.
 */
export function isSignedAfter(
  { issuedAt, isIssued }: Pick<KeyClaims, 'issuedAt' | 'isIssued'>,
  validAfter: number | null,
  now: number,
): boolean {
  if (validAfter === null) return true;
  if (issuedAt === undefined) return false;
  if (isIssued) return issuedAt > validAfter;
  return issuedAt > validAfter + clockSkew && issuedAt <= now + clockSkew;
}

/** Revokes one key. `user`: whose it is, undefined where there is no such user yet. */
export async function revokeKey(
  tx: WriteTx,
  botId: string,
  user: UserRow | undefined,
  key: KeyClaims,
  now: number,
): Promise<void> {
  await insertRevokedKey(tx, botId, user?.id ?? null, key);
  // A caller who renews keys has as many as they like, and each would leave a row.
  if (user && (await countRevokedKeys(tx, user.id)) > maxRevokedKeys) await revokeKeys(tx, user, now, key);
}

/** Revokes all keys of a user that were signed up to now. `key`: the one of the request, if that came with one. */
export async function revokeKeys(tx: WriteTx, user: UserRow, now: number, key?: KeyClaims): Promise<void> {
  const validAfter = await endOfKeys(tx, user, now, key);
  await setKeysValidAfter(tx, user.id, validAfter);
  await forgetRevokedKeys(tx, user.id, validAfter);
}

/**
 * Ends the keys of a user who is being deleted, also for a later user of the same foreign id. To be called in the
 * transaction that deletes the row; not needed where the whole bot is deleted. `key`: that of the request, if any.
 */
export async function endKeysOfDeletedUser(
  tx: WriteTx,
  user: UserRow,
  now: number,
  key?: KeyClaims,
): Promise<void> {
  const deletedAt = await endOfKeys(tx, user, now, key);
  await forgetRevokedKeys(tx, user.id, deletedAt);
  // A server id is never used again; no key of one needs to be remembered.
  if (user.foreignId !== null) await insertDeletedUser(tx, user.botId, user.foreignId, deletedAt);
}

/** The time up to which keys end: now, or later where the server's clock was set back since. */
async function endOfKeys(tx: WriteTx, user: UserRow, now: number, key?: KeyClaims): Promise<number> {
  const { issuedAt = 0, isIssued = false } = key ?? {};
  const end = Math.max(now, user.keysValidAfter ?? 0, isIssued ? issuedAt : 0);
  // Dated further ahead than a clock may be: it would be good again one day.
  if (key && !isIssued && issuedAt > end + clockSkew) await insertRevokedKey(tx, user.botId, user.id, key);
  return end;
}
