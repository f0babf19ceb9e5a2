// One-time links: an invitation, a sign-in or a reset of the password. Only the hash of a token is stored.
import { createHash, randomBytes } from 'node:crypto';
import type { MemberRow } from '../storage/admin/workspaces.ts';
import { insertLink, type LinkPurpose } from '../storage/auth/credentials.ts';
import type { WriteTx } from '../storage/database.ts';

const minuteMs = 60_000;
/** Milliseconds that a link is valid. */
const lifetimesMs: Record<LinkPurpose, number> = {
  invitation: 7 * 24 * 60 * minuteMs,
  'sign-in': 15 * minuteMs,
  reset: 15 * minuteMs,
};

/** The hash of the token of a link, hex. */
export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Creates a link of a member. `address`: of the server. The token is in the fragment, which browsers send to no server, so
 * that no log and no `Referer` has it; and a scanner of mails that opens the address does not use it up.
 */
export async function issueLink(
  tx: WriteTx,
  { id: memberId, workspaceId }: Pick<MemberRow, 'id' | 'workspaceId'>,
  { purpose, address, now }: { purpose: LinkPurpose; address: string; now: number },
): Promise<{ url: string; expiresAt: number; id: string }> {
  const token = randomBytes(32).toString('base64url');
  const hash = hashOfLink(token);
  const expiresAt = now + lifetimesMs[purpose];
  await insertLink(tx, { hash, purpose, workspaceId, memberId, expiresAt });
  // A part of the hash, from which the token cannot be found.
  return { url: `${address}/inbox/#${purpose}=${token}`, expiresAt, id: hash.slice(0, 32) };
}
