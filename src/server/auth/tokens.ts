// Issues and verifies tokens, which are stored as SHA-256 hashes. A token has 256 random bits, so a fast hash that can be
// looked up is safe; slow hashes are for passwords.
import { createHash, randomBytes } from 'node:crypto';
import { insertServerEntry } from '../storage/admin/audit.ts';
import { insertLink, type LinkPurpose } from '../storage/admin/sign-in.ts';
import {
  deleteToken,
  firstToken,
  insertToken,
  ownerHasToken,
  type TokenKind,
  type TokenRow,
  tokenOfHash,
} from '../storage/admin/tokens.ts';
import { firstOwner, type MemberRow } from '../storage/admin/workspaces.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Token prefixes, which people and secret scanners recognize. */
const prefixes: Record<TokenKind, string> = { personal: 'pat_', bot: 'bat_', integration: 'iat_' };

/** The row of a token that is valid now. */
export async function findValidToken(tx: Tx, token: string, now: number): Promise<TokenRow | undefined> {
  const row = await tokenOfHash(tx, hashOf(token));
  return row && (row.expiresAt === null || row.expiresAt > now) ? row : undefined;
}

/** True when the text is a token of this server, valid or expired. */
export async function isKnownToken(tx: Tx, text: string): Promise<boolean> {
  return (await tokenOfHash(tx, hashOf(text))) !== undefined;
}

/** Creates a token and stores its hash. Returns the token, which cannot be read again. */
export async function issueToken(
  tx: WriteTx,
  row: Omit<TokenRow, 'id' | 'hash' | 'isFirst'>,
): Promise<{ row: TokenRow; token: string }> {
  const token = prefixes[row.kind] + randomBytes(32).toString('base64url');
  return { row: await store(tx, token, { ...row, isFirst: 0 }), token };
}

/**
 * Ensures that an owner of the workspace has a token. `configured` replaces the previous first token. Without it, a token
 * is generated and returned when no owner has a valid one; it cannot be read again.
 */
export async function ensureAdminToken(
  tx: WriteTx,
  workspaceId: string,
  configured: string | undefined,
  now: number,
): Promise<string | undefined> {
  await tx.lock('start:');
  const owner = await firstOwner(tx, workspaceId);
  const earlier = await firstToken(tx, workspaceId);
  if (!owner) return undefined;
  const isEnsured =
    configured === undefined
      ? await ownerHasToken(tx, workspaceId, now)
      : // The member of the token may have lost the role owner.
        earlier?.hash === hashOf(configured) && earlier.memberId === owner.id;
  if (isEnsured) return undefined;
  const token = configured ?? prefixes.personal + randomBytes(32).toString('base64url');
  if (earlier) await deleteToken(tx, earlier.id);
  const taken = await tokenOfHash(tx, hashOf(token));
  if (taken) await deleteToken(tx, taken.id);
  const stored = await store(tx, token, {
    workspaceId,
    kind: 'personal',
    memberId: owner.id,
    botId: null,
    integration: null,
    name: 'First token',
    isFirst: 1,
    createdAt: now,
    expiresAt: null,
  });
  const target = { memberId: owner.id, tokenId: stored.id };
  await insertServerEntry(tx, { workspaceId, now, operation: 'setAdminToken', target });
  return configured === undefined ? token : undefined;
}

async function store(tx: WriteTx, token: string, row: Omit<TokenRow, 'id' | 'hash'>): Promise<TokenRow> {
  const stored = { ...row, id: createId('token', row.createdAt), hash: hashOf(token) };
  await insertToken(tx, stored);
  return stored;
}

const minuteMs = 60_000;
/** Milliseconds that a link is valid. */
const lifetimesMs: Record<LinkPurpose, number> = {
  invitation: 7 * 24 * 60 * minuteMs,
  'sign-in': 15 * minuteMs,
  reset: 15 * minuteMs,
  setup: 24 * 60 * minuteMs,
};

/** The hash of the token of a link, hex. */
export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Creates a link of a member. `address`: of the server. The token is in the fragment, which browsers send to no server, so that
 * no log and no `Referer` has it; and a scanner of mails that opens the address does not use it up. Only the hash of the token
 * is stored.
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
  return { url: `${address}/console/#${purpose}=${token}`, expiresAt, id: hash.slice(0, 32) };
}
