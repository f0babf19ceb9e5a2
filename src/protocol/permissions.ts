// The permissions of each kind of caller, in one table, for the server's checks and their tests. The Files API also
// checks the owner and the policies of each file.

/** The roles of a workspace, from least to most permissions; `billing` is outside of this order. */
export const roles = [
  'viewer',
  'billing',
  'support',
  'developer',
  'manager',
  'administrator',
  'owner',
] as const;
export type Role = (typeof roles)[number];

/**
 * Every kind of caller: one without a token, a bot, an integration of a bot, a member by their role, and the operator of
 * the server. An operator is an owner of the first workspace, whose role is still `owner`.
 */
export const principalKinds = ['public', 'bot', 'integration', ...roles, 'operator'] as const;
export type PrincipalKind = (typeof principalKinds)[number];

/** A permission: a resource and an action. The comments describe those that are not obvious. */
export type Permission =
  | `files.${'list' | 'read' | 'search' | 'create' | 'update' | 'delete'}`
  /** The content of files with the policy `public_content`, without a token. */
  | 'files.download'
  /** Tables: their names, columns and jobs. */
  | `tables.${'read' | 'write'}`
  | `rows.${'read' | 'write'}`
  /** Conversations, messages, events and users of a bot (Runtime API). */
  | `chat.${'read' | 'write'}`
  | `bots.${'read' | 'create' | 'update' | 'delete'}`
  /** The dashboard configuration and the snippet. */
  | `webchat.${'read' | 'update'}`
  /** `read` and `update` apply to the caller's own workspace, `list` to all workspaces of the server. */
  | `workspaces.${'read' | 'create' | 'update' | 'list' | 'delete'}`
  | `members.${'read' | 'write'}`
  /** Tokens of the bot and of all members; a caller's own tokens need no permission. */
  | `tokens.${'read' | 'write'}`
  /** The log of a bot, and events that could not be delivered. */
  | `logs.${'read' | 'write'}`
  /** The audit log of a workspace. */
  | 'audit.read'
  /** Users of a bot as persons: all of their data, their keys, their deletion. */
  | `users.${'read' | 'write'}`
  /** Asking for a person, and answering from another desk (Runtime API). */
  | 'handoff.write'
  /** Conversations that people handle, with the notes of the team; `assign`: also those of others; `settings`: of the team. */
  | `inbox.${'read' | 'write' | 'assign' | 'settings'}`
  /** Taking a conversation from its bot when nobody has asked for a person. */
  | 'inbox.takeover'
  /** Figures of the work on conversations: of the caller, and with `all` of everybody. */
  | `reports.${'read' | 'all'}`
  /** Exports and deletions of visitors in the inbox, and how long their data is kept. */
  | 'privacy.write'
  /** The state of the server: its disk, its mail server, its backups; `write`: test mails. */
  | `server.${'read' | 'write'}`;

const readFiles = ['files.list', 'files.read', 'files.search', 'files.download'] as const;
const allFiles = [...readFiles, 'files.create', 'files.update', 'files.delete'] as const;
const readTables = ['tables.read', 'rows.read'] as const;
const allTables = [...readTables, 'tables.write', 'rows.write'] as const;

const viewer: readonly Permission[] = [
  ...readFiles,
  ...readTables,
  'chat.read',
  'bots.read',
  'webchat.read',
  'workspaces.read',
  'members.read',
  'inbox.read',
];
/** Answers visitors. */
const support: readonly Permission[] = [...viewer, 'inbox.write', 'inbox.takeover', 'reports.read'];
const developer: readonly Permission[] = [
  ...support,
  ...allFiles,
  ...allTables,
  'chat.write',
  'handoff.write',
  'bots.create',
  'bots.update',
  'webchat.update',
  'logs.read',
  'logs.write',
  'reports.all',
];
const manager: readonly Permission[] = [
  ...developer,
  'bots.delete',
  'members.write',
  'tokens.read',
  'users.read',
  'users.write',
  'inbox.assign',
  'inbox.settings',
];
const administrator: readonly Permission[] = [
  ...manager,
  'workspaces.update',
  'tokens.write',
  'audit.read',
  'privacy.write',
];
const owner: readonly Permission[] = administrator;

/**
 * The permissions of every kind of principal (for files as the platform publishes them; the other APIs use the same
 * ranks). A bot and an integration act within one bot. An owner is an administrator whom nobody else can remove.
 */
export const permissionTable: Record<PrincipalKind, readonly Permission[]> = {
  public: ['files.download'],
  bot: [...allFiles, ...allTables, 'chat.read', 'chat.write', 'handoff.write'],
  integration: [...allFiles, 'chat.read', 'chat.write', 'handoff.write'],
  viewer,
  support,
  billing: ['workspaces.read', 'members.read'],
  developer,
  manager,
  administrator,
  owner,
  operator: [
    ...owner,
    'workspaces.create',
    'workspaces.list',
    'workspaces.delete',
    'server.read',
    'server.write',
  ],
};

/** True if the table grants this permission to this kind of principal. */
export const isPermitted = (kind: PrincipalKind, permission: Permission): boolean =>
  permissionTable[kind].includes(permission);

/** Creators of workspaces (setting WORKSPACES): only the operator, or also the owners of all workspaces. */
export type WorkspaceCreators = 'operator' | 'owners';

/** The permissions of a kind of principal on a server with this setting: those of the table and of the setting. */
export function permissionsOf(kind: PrincipalKind, creators: WorkspaceCreators): readonly Permission[] {
  const permissions = permissionTable[kind];
  return kind === 'owner' && creators === 'owners' ? [...permissions, 'workspaces.create'] : permissions;
}
