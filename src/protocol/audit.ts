// The audit trail on the wire: one entry for each action of an administrator. Types only.
import type { PrincipalKind } from './permissions.ts';

/** Who acted. `server`: the start of the server, with the setting ADMIN_TOKEN or without any token yet. */
export interface AuditActor {
  kind: Exclude<PrincipalKind, 'public'> | 'server';
  /** Absent for `server`. */
  tokenId?: string;
  /** Of a member. */
  memberId?: string;
  /** The e-mail address of the member as it was then. */
  email?: string;
  /** The actor's own workspace, where that is another one: an operator of the server. */
  workspaceId?: string;
}

/** One action, or one refused attempt. Never changed, and deleted by age alone. */
export interface AuditEntry {
  id: string;
  createdAt: string;
  actor: AuditActor;
  /** The id of the operation, such as `deleteBot`; `setAdminToken` of the server itself. */
  operation: string;
  /** What was acted upon: ids by name. `resource` is what the action made. */
  target: Record<string, string>;
  /** The address that the request came from; of IPv6 its /64 network. Absent where that cannot be told. */
  network?: string;
  /** The HTTP status of the answer. */
  status: number;
}
