// Who calls with a token: what they are, where they may act. What each kind may do, the table of permissions says.
import type { PrincipalKind } from '../../protocol/permissions.ts';
import { findMember, findWorkspace, isFirstWorkspace } from '../storage/admin/workspaces.ts';
import type { TokenRow } from '../storage/auth/tokens.ts';
import { botById, findBot } from '../storage/bots/bots.ts';
import type { Tx } from '../storage/database.ts';

/** The holder of a token. */
export interface Principal {
  kind: Exclude<PrincipalKind, 'public'>;
  tokenId: string;
  /** The workspace that the request acts in. */
  workspaceId: string;
  /** The workspace that the token belongs to. Differs from `workspaceId` only where an operator acts in another one. */
  homeWorkspaceId: string;
  /** Of a member. */
  memberId?: string;
  /** Of a member: their e-mail address. */
  email?: string;
  /** Of an integration: its name. */
  integration?: string;
  /** The bot that the token is bound to, of a bot and an integration. */
  boundTo?: string;
}

/** A principal who acts within one bot. */
export interface BotPrincipal extends Principal {
  botId: string;
}

/** True for the holder of a personal token. Bots and integrations are programs. */
export const isMember = ({ memberId }: Principal): boolean => memberId !== undefined;

/** The principal behind a token; undefined when its member is gone. */
export async function principalOf(tx: Tx, token: TokenRow): Promise<Principal | undefined> {
  const { workspaceId } = token;
  const common = { tokenId: token.id, workspaceId, homeWorkspaceId: workspaceId };
  if (token.kind === 'personal') {
    const member = await findMember(tx, workspaceId, token.memberId ?? '');
    if (!member) return undefined;
    // Asked for with each request, so that an owner who is demoted is no operator any more at once.
    const isOperator = member.role === 'owner' && (await isFirstWorkspace(tx, workspaceId));
    return {
      ...common,
      kind: isOperator ? 'operator' : member.role,
      memberId: member.id,
      email: member.email,
    };
  }
  const boundTo = token.botId ?? '';
  if (token.kind === 'bot') return { ...common, kind: 'bot', boundTo };
  return { ...common, kind: 'integration', boundTo, integration: token.integration ?? '' };
}

/** The principal acting in this workspace; undefined where they may not, or where there is none. */
export async function actingInWorkspace(
  tx: Tx,
  principal: Principal,
  workspaceId: string,
): Promise<Principal | undefined> {
  if (workspaceId === principal.homeWorkspaceId) return principal;
  if (principal.kind !== 'operator' || !(await findWorkspace(tx, workspaceId))) return undefined;
  return { ...principal, workspaceId };
}

/** The principal acting within this bot; undefined where they may not, or where there is none. */
export async function actingInBot(
  tx: Tx,
  principal: Principal,
  botId: string,
): Promise<BotPrincipal | undefined> {
  const { kind, homeWorkspaceId, boundTo } = principal;
  if (boundTo !== undefined && boundTo !== botId) return undefined;
  const bot = kind === 'operator' ? await botById(tx, botId) : await findBot(tx, homeWorkspaceId, botId);
  return bot && { ...principal, workspaceId: bot.workspaceId, botId };
}
