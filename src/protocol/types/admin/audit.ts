// Generated from src/protocol/schemas/admin/audit.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/**
 * The author of the action. `server`: the server at its start, with the setting ADMIN_TOKEN or before any token exists,
 * and when it removes data because of its age. `public`: somebody who tried to sign in as the member in `target`.
 */
export interface AuditActor {
  kind:
    | 'public'
    | 'bot'
    | 'integration'
    | 'viewer'
    | 'billing'
    | 'support'
    | 'developer'
    | 'manager'
    | 'administrator'
    | 'owner'
    | 'operator'
    | 'server';
  /** Absent for `server` and `public`. */
  tokenId?: string;
  /** Instead of a token: the session of a member who has signed in to a page of the server. */
  sessionId?: string;
  /** Only for members. */
  memberId?: string;
  /** The e-mail address of the member at that time. */
  email?: string;
  /** The actor's own workspace, if it is another one: the actor is an operator of the server. */
  workspaceId?: string;
}

/** One action, or one refused attempt. Entries are never changed, and deleted only by age. */
export interface AuditEntry {
  id: string;
  createdAt: string;
  actor: AuditActor;
  /** The id of the operation, such as `deleteBot`; the server itself logs `setAdminToken` and `applyRetention`. */
  operation: string;
  /**
   * The ids of the affected resources, by name. `resource` is the created resource. For `applyRetention` also how many
   * `conversations`, `files`, `contacts` or `users` were removed.
   */
  target: Record<string, string>;
  /** The IP address of the request; of IPv6 its /64 network. Absent if it is unknown. */
  network?: string;
  /** The HTTP status of the response. */
  status: number;
}
