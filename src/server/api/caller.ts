// The callers of an operation, by the authentication that the operation requires.
import type { PrincipalKind } from '../../protocol/permissions.ts';
import type { MemberSessionRow } from '../storage/admin/member-sessions.ts';
import type { UserRow } from '../storage/chat/users.ts';

/** The claims of a user key with a valid signature. */
export interface KeyClaims {
  /** The user: a server id in an issued key, otherwise a foreign id, or a server id if no user has that foreign id. */
  id: string;
  /** True when this server issued the key. `id` is then always a server id. */
  isIssued: boolean;
  /** True when the payload contains only `id`, as in keys that earlier versions of this server issued. */
  isBare: boolean;
  /** The ids of the one conversation to which the key is limited; undefined for a key of the user. */
  conversationIds: readonly string[] | undefined;
  /** `iat` in milliseconds since 1970; undefined when it is missing or not a number. */
  issuedAt: number | undefined;
  /** `exp` in milliseconds since 1970; undefined for a key that does not expire. */
  expiresAt: number | undefined;
  /** False before `nbf` and from `exp` on. Such a key is rejected. */
  isCurrent: boolean;
  /** Identifies the key in the list of revoked keys: SHA-256, base64url. */
  hash: string;
}

/** The holder of a token, or a member who has signed in. */
export interface Principal {
  kind: Exclude<PrincipalKind, 'public'>;
  /** The id of the token or of the session. */
  credentialId: string;
  /** Absent with a session. */
  tokenId?: string;
  /** Absent with a token. */
  session?: MemberSessionRow;
  /** The workspace that the request acts in. */
  workspaceId: string;
  /** The workspace that the token or the session belongs to. Differs from `workspaceId` only where an operator acts in another one. */
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

/** A member who has signed in to a page of this server. */
export interface SessionPrincipal extends Principal {
  session: MemberSessionRow;
  memberId: string;
  email: string;
}

/** A principal that acts within one bot. */
export interface BotPrincipal extends Principal {
  botId: string;
}

/** True for the holder of a personal token or a session; bots and integrations are not members. */
export const isMember = ({ memberId }: Pick<Principal, 'memberId'>): boolean => memberId !== undefined;

/** A caller with a user key: the id as responses show it, the user, and the key. */
export interface Caller {
  id: string;
  user: UserRow;
  key: KeyClaims;
}

/** A caller with a valid key; `found` is undefined while the user of an application's key does not exist yet. */
export type KeyCaller = Omit<Caller, 'user'> & { found: UserRow | undefined };

/**
 * The authentication of an operation: `none`; `key` for any valid user key (the user may not exist yet); `user` for the
 * key of an existing user; `token` for any token; `workspace` for a token of the workspace in `x-workspace-id`; `bot` for
 * a token of the bot in `x-bot-id`; `session` for a member who has signed in. Where an API has sessions, `token` and
 * `workspace` accept one, too.
 */
export interface CallerBy {
  none: undefined;
  key: KeyCaller;
  user: Caller;
  token: Principal;
  workspace: Principal;
  bot: BotPrincipal;
  session: SessionPrincipal;
}
export type Auth = keyof CallerBy;
