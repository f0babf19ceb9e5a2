// Who calls with a token: what they are, where they may act. What each kind may do, the table of permissions says.
import type { PrincipalKind } from '../protocol/permissions.ts';
import { type BotRow, findBot } from './db/bots.ts';
import type { Tx } from './db/database.ts';
import type { TokenRow } from './db/tokens.ts';
import { findMember } from './db/workspaces.ts';

/** The holder of a token. */
export interface Principal {
  kind: Exclude<PrincipalKind, 'public'>;
  tokenId: string;
  /** The workspace that the token is good in. */
  workspaceId: string;
  /** Of a member. */
  memberId?: string;
  /** Of an integration: its name. */
  integration?: string;
  /** The bot that the token is bound to, of a bot and an integration. */
  boundTo?: string;
}

/** A principal who acts within one bot. */
export interface BotPrincipal extends Principal {
  botId: string;
}

/** The principal behind a token; undefined when its member is gone. */
export async function principalOf(tx: Tx, token: TokenRow): Promise<Principal | undefined> {
  const { id: tokenId, workspaceId } = token;
  if (token.kind === 'personal') {
    const member = await findMember(tx, workspaceId, token.memberId ?? '');
    return member && { kind: member.role, tokenId, workspaceId, memberId: member.id };
  }
  const boundTo = token.botId ?? '';
  if (token.kind === 'bot') return { kind: 'bot', tokenId, workspaceId, boundTo };
  return { kind: 'integration', tokenId, workspaceId, boundTo, integration: token.integration ?? '' };
}

/** The bot, where the principal may act within it. */
export async function botFor(
  tx: Tx,
  { workspaceId, boundTo }: Principal,
  botId: string,
): Promise<BotRow | undefined> {
  if (boundTo !== undefined && boundTo !== botId) return undefined;
  return findBot(tx, workspaceId, botId);
}
