// Tokens: made once, kept as a hash. A token has 256 random bits, so a plain SHA-256 cannot be guessed back, and may be
// looked up by; slow hashes are for passwords.
import { createHash, randomBytes } from 'node:crypto';
import { insertAuditEntry } from '../storage/admin/audit.ts';
import { firstOwner } from '../storage/admin/workspaces.ts';
import {
  deleteToken,
  firstToken,
  insertToken,
  ownerHasToken,
  type TokenKind,
  type TokenRow,
  tokenOfHash,
} from '../storage/auth/tokens.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** What tokens begin with, so that people and scanners of secrets know them. */
const prefixes: Record<TokenKind, string> = { personal: 'pat_', bot: 'bat_', integration: 'iat_' };

/** The row of a token that is good now. */
export async function readToken(tx: Tx, token: string, now: number): Promise<TokenRow | undefined> {
  const row = await tokenOfHash(tx, hashOf(token));
  return row && (row.expiresAt === null || row.expiresAt > now) ? row : undefined;
}

/** True when this text is a token of this server, good or expired. */
export async function isKnownToken(tx: Tx, text: string): Promise<boolean> {
  return (await tokenOfHash(tx, hashOf(text))) !== undefined;
}

/** Makes a token and stores its hash. Gives the token, which nobody can read again. */
export async function issueToken(
  tx: WriteTx,
  row: Omit<TokenRow, 'id' | 'hash' | 'isFirst'>,
): Promise<{ row: TokenRow; token: string }> {
  const token = prefixes[row.kind] + randomBytes(32).toString('base64url');
  return { row: await store(tx, token, { ...row, isFirst: 0 }), token };
}

/**
 * Sees to it that an owner of the workspace has a token. `given` takes the place of the first one before. Without it a
 * token is made when no owner has one that is good, and handed back: nobody can read it again.
 */
export async function settleToken(
  tx: WriteTx,
  workspaceId: string,
  given: string | undefined,
  now: number,
): Promise<string | undefined> {
  const owner = await firstOwner(tx, workspaceId);
  const earlier = await firstToken(tx, workspaceId);
  if (!owner) return undefined;
  const isSettled =
    given === undefined
      ? await ownerHasToken(tx, workspaceId, now)
      : // Its member may be no owner any more.
        earlier?.hash === hashOf(given) && earlier.memberId === owner.id;
  if (isSettled) return undefined;
  const token = given ?? prefixes.personal + randomBytes(32).toString('base64url');
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
  await insertAuditEntry(tx, {
    id: createId('audit', now),
    workspaceId,
    at: now,
    actorKind: 'server',
    tokenId: null,
    memberId: null,
    actorEmail: null,
    homeId: null,
    operation: 'setAdminToken',
    target: JSON.stringify({ memberId: owner.id, tokenId: stored.id }),
    network: '',
    status: 200,
  });
  return given === undefined ? token : undefined;
}

async function store(tx: WriteTx, token: string, row: Omit<TokenRow, 'id' | 'hash'>): Promise<TokenRow> {
  const stored = { ...row, id: createId('token', row.createdAt), hash: hashOf(token) };
  await insertToken(tx, stored);
  return stored;
}
