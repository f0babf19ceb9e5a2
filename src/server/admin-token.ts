// The administrator's token: made once, kept as a hash. A token has 256 random bits, so a plain SHA-256 cannot be
// guessed back; slow hashes are for passwords.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Tx, WriteTx } from './db/database.ts';
import { deleteTokens, insertToken, tokenHashes } from './db/workspaces.ts';
import { createId } from './ids.ts';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** True when this token opens this workspace. Takes the same time however much of it is right. */
export async function opens(tx: Tx, workspaceId: string, token: string): Promise<boolean> {
  const given = Buffer.from(hashOf(token));
  const hashes = await tokenHashes(tx, workspaceId);
  return hashes.map((hash) => timingSafeEqual(given, Buffer.from(hash))).includes(true);
}

/**
 * Sees to it that the workspace has a token. `given` takes the place of the one before. Without it a token is made when
 * there is none, and handed back: nobody can read it again.
 */
export async function settleToken(
  tx: WriteTx,
  workspaceId: string,
  given: string | undefined,
  now: number,
): Promise<string | undefined> {
  const hashes = await tokenHashes(tx, workspaceId);
  if (given === undefined ? hashes.length > 0 : hashes.includes(hashOf(given))) return undefined;
  const token = given ?? `pat_${randomBytes(32).toString('base64url')}`;
  await deleteTokens(tx, workspaceId);
  await insertToken(tx, { id: createId('token', now), workspaceId, hash: hashOf(token), createdAt: now });
  return given === undefined ? token : undefined;
}
