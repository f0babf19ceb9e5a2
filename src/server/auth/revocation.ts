// Revokes user keys: one key, all keys of a user, or those of a deleted user.
import type { KeyClaims } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';
import {
  countRevokedKeys,
  forgetRevokedKeys,
  insertDeletedUser,
  insertRevokedKey,
  setKeysValidAfter,
} from '../storage/admin/user-keys.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { Tx, WriteTx } from '../storage/database.ts';

/**
 * Milliseconds that the clock of an application can be ahead of this server's. A key that was signed before a revocation
 * may have an `iat` up to this much after it, so keys of applications are accepted only with a later `iat`.
 */
const clockSkewMs = 60_000;
/**
 * The number of individually revoked keys per user, of those with and of those without limits; one more revokes all keys of the user
 * instead.
 */
const maxRevokedKeys = 100;

/**
 * True when a key was signed after `validAfter` (milliseconds since 1970; null accepts all keys). A key without `iat` is
 * then rejected. The `iat` of an issued key is of this server's clock. The `iat` of a key of an application must be a
 * minute later, and at most a minute in the future.
 */
export function isSignedAfter(
  { issuedAt, isIssued }: Pick<KeyClaims, 'issuedAt' | 'isIssued'>,
  validAfter: number | null,
  now: number,
): boolean {
  if (validAfter === null) return true;
  if (issuedAt === undefined) return false;
  if (isIssued) return issuedAt > validAfter;
  return issuedAt > validAfter + clockSkewMs && issuedAt <= now + clockSkewMs;
}

/** Revokes one key. `user`: its user, undefined when that user does not exist yet. */
export async function revokeKey(
  tx: WriteTx,
  botId: string,
  user: UserRow | undefined,
  key: KeyClaims,
  now: number,
): Promise<void> {
  await insertRevokedKey(tx, botId, user?.id ?? null, key);
  // A caller can renew keys without limit, and each revoked one would be stored.
  const isLimited = key.conversationIds !== undefined;
  if (user && (await countRevokedKeys(tx, user.id, isLimited)) > maxRevokedKeys)
    await revokeKeys(tx, user, now, key);
}

/**
 * Throws QuotaExceeded for a key with limits when as many of its user are revoked as are stored: whoever has such a key may not be
 * the visitor, and must not end the other keys.
 */
export async function assertRevocable(
  tx: Tx,
  { id }: UserRow,
  { conversationIds }: KeyClaims,
): Promise<void> {
  if (!conversationIds || (await countRevokedKeys(tx, id, true)) < maxRevokedKeys) return;
  throw new ApiError('QuotaExceeded', 'Too many keys of this user with limits are revoked.');
}

/** Revokes all keys of a user that were signed up to now. `key`: the key of the request, if any. */
export async function revokeKeys(tx: WriteTx, user: UserRow, now: number, key?: KeyClaims): Promise<void> {
  const validAfter = await endOfKeys(tx, user, now, key);
  await setKeysValidAfter(tx, user.id, validAfter);
  await forgetRevokedKeys(tx, user.id, validAfter);
}

/**
 * Revokes the keys of a user who is being deleted, also for a later user with the same foreign id. Must be called in the
 * transaction that deletes the row; not needed when the bot is deleted. `key`: the key of the request, if any.
 */
export async function endKeysOfDeletedUser(
  tx: WriteTx,
  user: UserRow,
  now: number,
  key?: KeyClaims,
): Promise<void> {
  const deletedAt = await endOfKeys(tx, user, now, key);
  await forgetRevokedKeys(tx, user.id, deletedAt);
  // Server ids are never reused, so their keys need not be stored.
  if (user.foreignId !== null) await insertDeletedUser(tx, user.botId, user.foreignId, deletedAt);
}

/** The time of the revocation: now, or later if the clock of the server was set back. */
async function endOfKeys(tx: WriteTx, user: UserRow, now: number, key?: KeyClaims): Promise<number> {
  const { issuedAt = 0, isIssued = false } = key ?? {};
  const end = Math.max(now, user.keysValidAfter ?? 0, isIssued ? issuedAt : 0);
  // An `iat` beyond the allowed clock skew: without its own revocation the key would become valid later.
  if (key && !isIssued && issuedAt > end + clockSkewMs) await insertRevokedKey(tx, user.botId, user.id, key);
  return end;
}
