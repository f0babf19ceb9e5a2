// Finds what a path names, in the caller's workspace, or refuses with 404: the same for what is nowhere and what is others'.
import { type BotRow, findBot } from '../../db/bots.ts';
import type { Tx } from '../../db/database.ts';
import { findToken } from '../../db/tokens.ts';
import { findMember, type MemberRow } from '../../db/workspaces.ts';
import { ApiError } from '../../errors.ts';
import type { Principal } from '../../principal.ts';

type Caller = Pick<Principal, 'workspaceId' | 'memberId'>;

export async function existingBot(tx: Tx, { workspaceId }: Caller, id = ''): Promise<BotRow> {
  return (await findBot(tx, workspaceId, id)) ?? missing('bot');
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
  return (await findToken(tx, caller.workspaceId, caller.tokenId))?.expiresAt ?? null;
}
