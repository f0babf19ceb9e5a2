// Serializes rows to the types of the Session API.
import { permissionsOf } from '../../protocol/permissions.ts';
import type { Session, SignedIn } from '../../protocol/types/session.ts';
import { serializeMember, timestamp } from '../api/serializers.ts';
import { principalOfSession } from '../auth/principal.ts';
import { endOfSession } from '../auth/sessions.ts';
import type { MemberSessionRow } from '../storage/admin/member-sessions.ts';
import { memberWithPassword } from '../storage/admin/sign-in.ts';
import { findMember, findWorkspace } from '../storage/admin/workspaces.ts';
import type { Tx } from '../storage/database.ts';
import type { SessionServices } from './operations/services.ts';

/** `currentId`: the session of the request. */
export function serializeSession(row: MemberSessionRow, currentId: string): Session {
  const { id, createdAt, seenAt, method, userAgent, network } = row;
  return {
    id,
    createdAt: timestamp(createdAt),
    seenAt: timestamp(seenAt),
    expiresAt: timestamp(endOfSession(row)),
    method,
    userAgent,
    ...(network === '' ? {} : { network }),
    isCurrent: id === currentId,
  };
}

/** The member of a session of this transaction, with their permissions. */
export async function serializeSignedIn(
  tx: Tx,
  row: MemberSessionRow,
  { settings }: Pick<SessionServices, 'settings'>,
): Promise<SignedIn> {
  const { workspaceId, memberId } = row;
  const principal = await principalOfSession(tx, row);
  const member = await findMember(tx, workspaceId, memberId);
  const workspace = await findWorkspace(tx, workspaceId);
  if (!principal || !member || !workspace) throw new Error('The member of the session does not exist.');
  return {
    session: serializeSession(row, row.id),
    member: serializeMember(member),
    workspace: { id: workspace.id, name: workspace.name },
    principal: principal.kind,
    permissions: [...permissionsOf(principal.kind, settings.WORKSPACES)],
    hasPassword: typeof (await memberWithPassword(tx, memberId))?.hash === 'string',
  };
}
