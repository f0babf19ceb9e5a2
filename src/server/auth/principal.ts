// Finds the caller behind a token or a session: its kind, its workspace and its bot. protocol/permissions.ts lists the
// permissions per kind.
import { isPermitted } from '../../protocol/permissions.ts';
import { type BotPrincipal, isMember, type Principal, type SessionPrincipal } from '../api/caller.ts';
import type { MemberSessionRow } from '../storage/admin/member-sessions.ts';
import type { TokenRow } from '../storage/admin/tokens.ts';
import { findMember, isFirstWorkspace, workspaceExists } from '../storage/admin/workspaces.ts';
import { botById, findBot } from '../storage/bots/bots.ts';
import type { Tx } from '../storage/database.ts';
import type { Viewer } from '../storage/inbox/visibility.ts';

/** The principal of a token; undefined when its member was removed. */
export async function principalOf(tx: Tx, token: TokenRow): Promise<Principal | undefined> {
  const { workspaceId } = token;
  const common = { credentialId: token.id, tokenId: token.id, workspaceId, homeWorkspaceId: workspaceId };
  if (token.kind === 'personal') {
    const member = await memberFields(tx, workspaceId, token.memberId ?? '');
    return member && { ...common, ...member };
  }
  const boundTo = token.botId ?? '';
  if (token.kind === 'bot') return { ...common, kind: 'bot', boundTo };
  return { ...common, kind: 'integration', boundTo, integration: token.integration ?? '' };
}

/** The principal of a session; undefined when its member was removed. */
export async function principalOfSession(
  tx: Tx,
  session: MemberSessionRow,
): Promise<SessionPrincipal | undefined> {
  const { id: credentialId, workspaceId, memberId } = session;
  const member = await memberFields(tx, workspaceId, memberId);
  return member && { credentialId, session, workspaceId, homeWorkspaceId: workspaceId, ...member };
}

/** The permissions of a request as a member. Read with each request, so that demoting an owner takes effect at once. */
async function memberFields(tx: Tx, workspaceId: string, memberId: string) {
  const member = await findMember(tx, workspaceId, memberId);
  if (!member) return undefined;
  const isOperator = member.role === 'owner' && (await isFirstWorkspace(tx, workspaceId));
  const kind: Principal['kind'] = isOperator ? 'operator' : member.role;
  return { kind, memberId: member.id, email: member.email };
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

/**
 * The caller as a reader of conversations: bots and integrations see those of all teams, members those of restricted teams only
 * as members of the team, or with the permission to assign. An operator in another workspace is none of its members. All APIs
 * use this function, so that a token reads nothing that the inbox hides from its member.
 */
export const viewerOf = (
  caller: Pick<Principal, 'kind' | 'workspaceId' | 'homeWorkspaceId' | 'memberId'>,
): Viewer => ({
  workspaceId: caller.workspaceId,
  memberId: caller.workspaceId === caller.homeWorkspaceId ? (caller.memberId ?? '') : '',
  seesAllTeams: !isMember(caller) || isPermitted(caller.kind, 'inbox.assign'),
});
