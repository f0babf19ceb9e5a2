// Finds the resource that a path names within the caller's workspace. Throws the same 404 for a resource that does not exist
// and for one of another workspace.
import { isPermitted } from '../../protocol/permissions.ts';
import type { Principal } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';
import { endOfSession } from '../auth/sessions.ts';
import { findToken } from '../storage/admin/tokens.ts';
import { findMember, findWorkspace, type MemberRow, type WorkspaceRow } from '../storage/admin/workspaces.ts';
import { type BotRow, findBot } from '../storage/bots/bots.ts';
import type { Tx } from '../storage/database.ts';

type Caller = Pick<Principal, 'workspaceId' | 'memberId'>;

export async function existingBot(tx: Tx, { workspaceId }: Caller, id = ''): Promise<BotRow> {
  return (await findBot(tx, workspaceId, id)) ?? missing('bot');
}

/** The workspace of the caller; for an operator any workspace. */
export async function existingWorkspace(
  tx: Tx,
  { kind, workspaceId }: Principal,
  id = '',
): Promise<WorkspaceRow> {
  const isOpen = id === workspaceId || isPermitted(kind, 'workspaces.list');
  return (isOpen ? await findWorkspace(tx, id) : undefined) ?? missing('workspace');
}

/** `me` is the member behind the caller's token. */
export async function existingMember(tx: Tx, { workspaceId, memberId }: Caller, id = ''): Promise<MemberRow> {
  return (await findMember(tx, workspaceId, id === 'me' ? (memberId ?? '') : id)) ?? missing('member');
}

export function missing(noun: string): never {
  throw new ApiError('ResourceNotFound', `The ${noun} does not exist.`);
}

/** Returns the time when the caller's token or session ends, in milliseconds since 1970; null when it never ends. */
export async function tokenExpiryOf(tx: Tx, caller: Principal): Promise<number | null> {
  // An operator can act in another workspace, but the token is stored in the home workspace. An expiring token must not
  // create a token that never expires.
  if (caller.session) return endOfSession(caller.session);
  return (await findToken(tx, caller.homeWorkspaceId, caller.tokenId ?? ''))?.expiresAt ?? null;
}
