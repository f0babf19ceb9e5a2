// Generated from src/protocol/schemas/admin.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Permission } from '../permissions.ts';

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

/** The description that a workspace gives of itself. */
export interface WorkspaceProfile {
  about?: string;
  /** The address of a picture. */
  profilePicture?: string;
  contactEmail?: string;
  website?: string;
  socialAccounts?: string[];
}

export interface Workspace extends WorkspaceProfile {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  /** The member who became an owner first; empty if there is none. */
  ownerId: string;
  botCount: number;
  /** This server has no billing and blocks no workspace: the following values are the same for all workspaces. */
  billingVersion: 'v4';
  plan: 'community';
  blocked: false;
  spendingLimit: 0;
  activeTrialId: null;
  isPublic: false;
}

/** A person with a role in a workspace. */
export interface Member {
  id: string;
  createdAt: string;
  email: string;
  role: 'viewer' | 'billing' | 'support' | 'developer' | 'manager' | 'administrator' | 'owner';
  displayName?: string;
  /** The address of a picture. */
  profilePicture?: string;
}

/** The member behind a personal token. */
export interface Account {
  id: string;
  createdAt: string;
  email: string;
  /** Always false: this server does not send mail, so it cannot verify addresses. */
  emailVerified: boolean;
  displayName?: string;
  profilePicture?: string;
}

/** A token as the hosted product’s client lists it: a personal access token, or the API key of a bot. */
export interface ApiKey {
  id: string;
  createdAt: string;
  /** The name of the token. */
  note: string;
}

/** The owner of a token: a member, a bot, or an integration of a bot. */
export type TokenKind = 'personal' | 'bot' | 'integration';

/** A token without its value, which is returned only on creation. */
export interface Token {
  id: string;
  createdAt: string;
  name: string;
  kind: TokenKind;
  /** Only for personal tokens. */
  memberId?: string;
  /** Only for the other two kinds: the one bot that the token grants access to. */
  botId?: string;
  /** The name of the integration. */
  integration?: string;
  /** From then on the token is refused. Absent: it does not expire. */
  expiresAt?: string;
}

/** The token of the request, with what it grants access to. */
export interface CurrentToken extends Token {
  workspaceId: string;
  /** The row of the permission table that applies to it. */
  principal:
    | 'bot'
    | 'integration'
    | 'viewer'
    | 'billing'
    | 'support'
    | 'developer'
    | 'manager'
    | 'administrator'
    | 'owner'
    | 'operator';
  permissions: Permission[];
}

/**
 * Data that the visitors of a bot have stored, and have sent in this clock hour. Messages of the bot and of the team do
 * not count.
 */
export interface BotUsage {
  id: string;
  name: string;
  /** At most 100,000 are counted. */
  conversations: number;
  messages: number;
  files: number;
  bytes: number;
  hourMessages: number;
  hourBytes: number;
}

/**
 * The limits of the visitors of one bot together, which are settings of the server. A field that is left out has no
 * limit.
 */
export interface UsageLimits {
  messages?: number;
  files?: number;
  bytes?: number;
  hourMessages?: number;
  hourBytes?: number;
}

/** The state of the server, without secrets. */
export interface ServerState {
  version: string;
  database: { engine: 'sqlite' | 'postgres'; bytes: number };
  /** Where the bytes of files are kept. */
  files: 'folder' | 'object-store';
  /** The disk of the data folder. Absent if the file system does not report it. */
  disk?: {
    freeBytes: number;
    totalBytes: number;
    /** Below it, visitors cannot write. */
    reserveBytes: number;
  };
  /** The sender of mails. Absent if the server sends no mail. */
  mail?: {
    from: string;
    /** The address with which links in mails begin. */
    address: string;
  };
  /**
   * The last backup of the data folder with the command `backup`: when it ended, and the size of its database. Absent if
   * none is known.
   */
  backup?: { createdAt: string; bytes: number };
}
