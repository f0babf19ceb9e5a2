// Entries of the audit trail for sign-ins and attempts, which have no authenticated caller yet.
import { insertAuditEntry } from '../storage/admin/audit.ts';
import type { MemberSessionRow } from '../storage/admin/member-sessions.ts';
import type { MemberWithPassword } from '../storage/admin/sign-in.ts';
import type { WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

interface SignInEntry {
  member: Pick<MemberWithPassword, 'id' | 'workspaceId' | 'email' | 'role'>;
  /** The id of the operation. */
  operation: string;
  /** The session that began; undefined for a failure. */
  session?: Pick<MemberSessionRow, 'id'> | undefined;
  network: string;
  status: number;
  now: number;
  /** Further ids and kinds. */
  target?: Record<string, string>;
}

/** Records a sign-in of a member, or a failed attempt to sign in as the member. */
export async function recordSignIn(tx: WriteTx, entry: SignInEntry): Promise<void> {
  const { member, operation, session, network, status, now, target = {} } = entry;
  await insertAuditEntry(tx, {
    id: createId('audit', now),
    workspaceId: member.workspaceId,
    at: now,
    actorKind: session ? member.role : 'public',
    tokenId: null,
    sessionId: session?.id ?? null,
    memberId: session ? member.id : null,
    actorEmail: session ? member.email : null,
    homeId: null,
    operation,
    target: JSON.stringify({ memberId: member.id, ...target }),
    network,
    status,
  });
}
