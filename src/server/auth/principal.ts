// The caller behind a token: its kind, its workspace and its bot. protocol/admin/permissions.ts lists the permissions per kind.
import type { PrincipalKind } from '../../protocol/admin/permissions.ts';
import { findMember, isFirstWorkspace, workspaceExists } from '../storage/admin/workspaces.ts';
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
  /** The id of a member. */
  memberId?: string;
  /** The e-mail address of a member. */
  email?: string;
  /** The name of an integration. */
  integration?: string;
  /** The bot of a token that belongs to a bot or an integration. */
  boundTo?: string;
}

/** A principal that acts within one bot. */
export interface BotPrincipal extends Principal {
  botId: string;
}

/** True for the holder of a personal token; bots and integrations are not members. */
export const isMember = ({ memberId }: Principal): boolean => memberId !== undefined;

/** The principal of a token; undefined when its member was removed. */
export async function principalOf(tx: Tx, token: TokenRow): Promise<Principal | undefined> {
  const { workspaceId } = token;
  const common = { tokenId: token.id, workspaceId, homeWorkspaceId: workspaceId };
  if (token.kind === 'personal') {
    const member = await findMember(tx, workspaceId, token.memberId ?? '');
    if (!member) return undefined;
    // Read with each request, so that demoting an owner takes effect at once.
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

/** The principal acting in this workspace; undefined without access, or when the workspace does not exist. */
export async function actingInWorkspace(
  tx: Tx,
  principal: Principal,
  workspaceId: string,
): Promise<Principal | undefined> {
  if (workspaceId === principal.homeWorkspaceId) return principal;
  if (principal.kind !== 'operator' || !(await workspaceExists(tx, workspaceId))) return undefined;
  return { ...principal, workspaceId };
}

/** The principal acting within this bot; undefined without access, or when the bot does not exist. */
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
