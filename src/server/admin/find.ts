// Finds what a path names, in the caller's workspace, or refuses with 404: the same for what is nowhere and what is others'.
import { isPermitted } from '../../protocol/permissions.ts';
import { ApiError } from '../api/errors.ts';
import type { Principal } from '../auth/principal.ts';
import { findMember, findWorkspace, type MemberRow, type WorkspaceRow } from '../storage/admin/workspaces.ts';
import { findToken } from '../storage/auth/tokens.ts';
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

/** When the token of the caller ends, milliseconds since 1970; null: never. */
export async function endOf(tx: Tx, caller: Principal): Promise<number | null> {
  // In the workspace of the token, wherever an operator acts: their token that ends makes none that does not.
  return (await findToken(tx, caller.homeWorkspaceId, caller.tokenId))?.expiresAt ?? null;
}
