// Routes and methods of the Admin API, generated from src/protocol/operations/admin by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Account, Bot, CurrentToken, Deployment, Member, Token, Workspace } from '../../protocol/admin.ts';
import type { AuditEntry } from '../../protocol/audit.ts';
import type { Configuration } from '../../protocol/config.ts';
import type { PageMeta } from '../../protocol/page.ts';
import type { Arguments, ListArguments } from '../platform/api-client.ts';
import type { Items } from '../core/pages.ts';

export const adminApi = {
  needs: 'workspaceId',
  tokenOnly: ['listWorkspaces', 'getAccount', 'getCurrentToken'],
  routes: {
    listBots: 'GET /v1/admin/bots',
    getBot: 'GET /v1/admin/bots/{id}',
    createBot: 'POST /v1/admin/bots',
    updateBot: 'PUT /v1/admin/bots/{id}',
    deleteBot: 'DELETE /v1/admin/bots/{id}',
    getBotDeployment: 'GET /v1/admin/bots/{id}/deployment',
    setBotDeployment: 'PUT /v1/admin/bots/{id}/deployment',
    rotateBotSecrets: 'POST /v1/admin/bots/{id}/deployment/rotate',
    revokeUserKeys: 'POST /v1/admin/bots/{id}/user-keys/revoke',
    getBotWebchat: 'GET /v1/admin/bots/{id}/webchat',
    setBotWebchat: 'PUT /v1/admin/bots/{id}/webchat',
    getBotSnippet: 'GET /v1/admin/bots/{id}/snippet',
    listWorkspaces: 'GET /v1/admin/workspaces',
    getWorkspace: 'GET /v1/admin/workspaces/{id}',
    updateWorkspace: 'PUT /v1/admin/workspaces/{id}',
    deleteWorkspace: 'DELETE /v1/admin/workspaces/{id}',
    createWorkspace: 'POST /v1/admin/workspaces',
    getAccount: 'GET /v1/admin/account/me',
    listWorkspaceMembers: 'GET /v1/admin/workspace-members',
    getWorkspaceMember: 'GET /v1/admin/workspace-members/me',
    createWorkspaceMember: 'POST /v1/admin/workspace-members',
    updateWorkspaceMember: 'PUT /v1/admin/workspace-members/{id}',
    deleteWorkspaceMember: 'DELETE /v1/admin/workspace-members/{id}',
    listTokens: 'GET /v1/admin/tokens',
    createToken: 'POST /v1/admin/tokens',
    getCurrentToken: 'GET /v1/admin/tokens/current',
    deleteToken: 'DELETE /v1/admin/tokens/{id}',
    listAuditLog: 'GET /v1/admin/audit',
    listBotLogs: 'GET /v1/admin/bots/{id}/logs',
    listDeadLetters: 'GET /v1/admin/bots/{id}/dead-letters',
    redeliverDeadLetter: 'POST /v1/admin/bots/{id}/dead-letters/{eventId}/redeliver',
    deleteDeadLetter: 'DELETE /v1/admin/bots/{id}/dead-letters/{eventId}',
    listVisitors: 'GET /v1/admin/bots/{id}/users',
    exportVisitor: 'GET /v1/admin/bots/{id}/users/{userId}/export',
    deleteVisitor: 'DELETE /v1/admin/bots/{id}/users/{userId}',
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {
    listBots: 'bots',
    listWorkspaces: 'workspaces',
    listWorkspaceMembers: 'members',
    listTokens: 'tokens',
    listAuditLog: 'entries',
    listBotLogs: 'logs',
    listDeadLetters: 'deadLetters',
    listVisitors: 'users',
  },
} as const;

/** Every operation of the Admin API as a method. */
export interface AdminMethods {
  /** Lists the bots of the workspace, newest first unless another order is asked for. */
  listBots(...given: Arguments<{ nextToken?: string; pageSize?: number; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc'; dev?: boolean; tags?: Record<string, string>; integrationNames?: string[]; pluginNames?: string[] }>): Promise<{ bots: Bot[]; meta: PageMeta }>;
  /** Returns a bot of the workspace. */
  getBot(...given: Arguments<{ id: string }>): Promise<{ bot: Bot }>;
  /**
   * Creates a bot with a chat address of its own. It does not respond until code or a webhook is
   * configured.
   */
  createBot(...given: Arguments<{ name: string; webhookId?: string; code?: string; webhookUrl?: string }>): Promise<{ bot: Bot }>;
  /** Changes the name of a bot. */
  updateBot(...given: Arguments<{ id: string; name?: string }>): Promise<{ bot: Bot }>;
  /** Deletes a bot with its users, conversations, files, tables and tokens. Nobody else gets its address. */
  deleteBot(...given: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /** Returns what a bot runs and where its chat is; its secrets only to callers who may change them. */
  getBotDeployment(...given: Arguments<{ id: string }>): Promise<{ deployment: Deployment }>;
  /**
   * Sets what a bot runs: a module of the server’s folder of bots, or a webhook, each in place of the
   * other. What is left out stays, null takes it away.
   */
  setBotDeployment(...given: Arguments<{ id: string; code?: string | null; webhookUrl?: string | null }>): Promise<{ deployment: Deployment }>;
  /**
   * Ends the secrets of a bot and makes others, which getBotDeployment tells: user keys that were signed
   * before are good no more, streams that they opened end, and what goes to the webhook is signed again.
   */
  rotateBotSecrets(...given: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Revokes user keys: with `userId` all of that user that were signed up to now, with `key` that one.
   * Open streams of the user are closed.
   */
  revokeUserKeys(...given: Arguments<{ id: string; userId?: string; key?: string }>): Promise<Record<never, never>>;
  /**
   * Returns the stored dashboard configuration; with a `type` also the code that puts the chat on a
   * page.
   */
  getBotWebchat(...given: Arguments<{ id: string; type?: 'preconfigured' | 'configurable' | 'fullscreen' | 'sharableUrl' }>): Promise<{ configuration: Configuration; code?: string }>;
  /** Replaces the stored dashboard configuration. Blank fields are left out; a wrong one refuses all. */
  setBotWebchat(...given: Arguments<{ id: string; configuration: Configuration }>): Promise<{ configuration: Configuration }>;
  /** Returns the HTML that puts the chat on a page. */
  getBotSnippet(...given: Arguments<{ id: string }>): Promise<{ snippet: string }>;
  /**
   * Lists the workspaces that the token opens: for an operator all of the server, by id; for other
   * members their own; none for a bot.
   */
  listWorkspaces(...given: Arguments<{ nextToken?: string; pageSize?: number }>): Promise<{ workspaces: Workspace[]; meta: PageMeta }>;
  /** Returns the workspace of the token; to an operator any workspace. */
  getWorkspace(...given: Arguments<{ id: string }>): Promise<{ workspace: Workspace }>;
  /** Changes the name of the workspace of the token; an operator changes that of any workspace. */
  updateWorkspace(...given: Arguments<{ id: string; name?: string }>): Promise<{ workspace: Workspace }>;
  /**
   * Deletes a workspace with its members, tokens and bots, and all that the bots hold. Only an operator
   * may; the first workspace of the server stays.
   */
  deleteWorkspace(...given: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Creates a workspace beside this one, with an owner and their first token. Its `value` is shown this
   * once.
   */
  createWorkspace(...given: Arguments<{ name: string; email: string }>): Promise<{ workspace: Workspace; token: Token; value: string }>;
  /** Returns the member behind a personal token. */
  getAccount(...given: Arguments<Record<never, never>>): Promise<{ account: Account }>;
  /** Lists the members of the workspace, who came first before the others. */
  listWorkspaceMembers(...given: Arguments<{ nextToken?: string; pageSize?: number }>): Promise<{ members: Member[]; meta: PageMeta }>;
  /** Returns the member behind the token. */
  getWorkspaceMember(...given: Arguments<Record<never, never>>): Promise<Member>;
  /** Adds a member, with a role not above the caller’s. They get in with a token made for them. */
  createWorkspaceMember(...given: Arguments<{ email: string; role: 'viewer' | 'billing' | 'developer' | 'manager' | 'administrator' | 'owner'; displayName?: string }>): Promise<Member>;
  /** Changes the role, the e-mail address or the name of a member not above the caller. */
  updateWorkspaceMember(...given: Arguments<{ id: string; role?: 'viewer' | 'billing' | 'developer' | 'manager' | 'administrator' | 'owner'; email?: string; displayName?: string | null }>): Promise<Member>;
  /** Removes a member who is not above the caller; their tokens end with it. */
  deleteWorkspaceMember(...given: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /** Lists the caller’s own tokens, with `tokens.read` all of the workspace; never what they are. */
  listTokens(...given: Arguments<{ nextToken?: string; pageSize?: number }>): Promise<{ tokens: Token[]; meta: PageMeta }>;
  /**
   * Creates a token. Its `value` is shown this once. One’s own personal ones need no permission, others
   * `tokens.write`.
   */
  createToken(...given: Arguments<{ name: string; kind: 'personal' | 'bot' | 'integration'; memberId?: string; botId?: string; integration?: string; expiresAt?: string }>): Promise<{ token: Token; value: string }>;
  /** Returns the token of the request and what it opens. */
  getCurrentToken(...given: Arguments<Record<never, never>>): Promise<{ token: CurrentToken }>;
  /** Ends a token at once. One’s own (`current` is that of the request) need no permission. */
  deleteToken(...given: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Lists who did what in the workspace, newest first. `workspaceId` is for operators: another
   * workspace, also one that was deleted.
   */
  listAuditLog(...given: Arguments<{ nextToken?: string; pageSize?: number; actor?: string; operation?: string; after?: string; before?: string; workspaceId?: string }>): Promise<{ entries: AuditEntry[]; meta: PageMeta }>;
  /**
   * Lists what went wrong with a bot, newest first: ids, times and kinds of failures, never words of
   * visitors.
   */
  listBotLogs(...given: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ logs: ({ id: string; timestamp: string; level: 'info' | 'warn' | 'error'; type: 'bot_failed' | 'webhook_failed' | 'webhook_delivered' | 'webhook_answer_refused' | 'webhook_given_up'; message: string; eventId: string; conversationId: string; attempt: number; status?: number; reason?: string; error?: Record<string, unknown> })[]; meta: PageMeta }>;
  /** Lists the events that the bot’s webhook did not take and that were given up, newest first. */
  listDeadLetters(...given: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ deadLetters: ({ eventId: string; conversationId: string; userId: string; type: 'message' | 'custom' | 'conversation_started' | 'feedback'; createdAt: string; failedAt: string; attempts: number; reason: string })[]; meta: PageMeta }>;
  /** Sends an event that was given up again, from its first attempt. */
  redeliverDeadLetter(...given: Arguments<{ id: string; eventId: string }>): Promise<Record<never, never>>;
  /** Deletes an event that was given up. */
  deleteDeadLetter(...given: Arguments<{ id: string; eventId: string }>): Promise<Record<never, never>>;
  /**
   * Lists the visitors of a bot, newest first; with `userId` the one who has this id, their own or that
   * of the server.
   */
  listVisitors(...given: Arguments<{ id: string; nextToken?: string; pageSize?: number; userId?: string }>): Promise<{ users: { id: string; serverId: string; name?: string; createdAt: string }[]; meta: PageMeta }>;
  /**
   * Exports all data of a visitor, in pages: profile, conversations, messages, feedback, events, files,
   * invitations.
   */
  exportVisitor(...given: Arguments<{ id: string; userId: string; nextToken?: string; pageSize?: number }>): Promise<{ items: ({ type: 'user' | 'conversation' | 'message' | 'feedback' | 'event' | 'file' | 'invitation' })[]; meta: PageMeta }>;
  /** Deletes a visitor with their files and the conversations they own. Their messages in others stay. */
  deleteVisitor(...given: Arguments<{ id: string; userId: string }>): Promise<Record<never, never>>;
}

/** Every list of the Admin API as an async iterable over all pages. */
export interface AdminLists {
  /** Lists the bots of the workspace, newest first unless another order is asked for. */
  bots(...given: ListArguments<{ nextToken?: string; pageSize?: number; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc'; dev?: boolean; tags?: Record<string, string>; integrationNames?: string[]; pluginNames?: string[] }>): Items<Bot>;
  /**
   * Lists the workspaces that the token opens: for an operator all of the server, by id; for other
   * members their own; none for a bot.
   */
  workspaces(...given: ListArguments<{ nextToken?: string; pageSize?: number }>): Items<Workspace>;
  /** Lists the members of the workspace, who came first before the others. */
  workspaceMembers(...given: ListArguments<{ nextToken?: string; pageSize?: number }>): Items<Member>;
  /** Lists the caller’s own tokens, with `tokens.read` all of the workspace; never what they are. */
  tokens(...given: ListArguments<{ nextToken?: string; pageSize?: number }>): Items<Token>;
  /**
   * Lists who did what in the workspace, newest first. `workspaceId` is for operators: another
   * workspace, also one that was deleted.
   */
  auditLog(...given: ListArguments<{ nextToken?: string; pageSize?: number; actor?: string; operation?: string; after?: string; before?: string; workspaceId?: string }>): Items<AuditEntry>;
  /**
   * Lists what went wrong with a bot, newest first: ids, times and kinds of failures, never words of
   * visitors.
   */
  botLogs(...given: ListArguments<{ id: string; nextToken?: string; pageSize?: number }>): Items<({ id: string; timestamp: string; level: 'info' | 'warn' | 'error'; type: 'bot_failed' | 'webhook_failed' | 'webhook_delivered' | 'webhook_answer_refused' | 'webhook_given_up'; message: string; eventId: string; conversationId: string; attempt: number; status?: number; reason?: string; error?: Record<string, unknown> })>;
  /** Lists the events that the bot’s webhook did not take and that were given up, newest first. */
  deadLetters(...given: ListArguments<{ id: string; nextToken?: string; pageSize?: number }>): Items<({ eventId: string; conversationId: string; userId: string; type: 'message' | 'custom' | 'conversation_started' | 'feedback'; createdAt: string; failedAt: string; attempts: number; reason: string })>;
  /**
   * Lists the visitors of a bot, newest first; with `userId` the one who has this id, their own or that
   * of the server.
   */
  visitors(...given: ListArguments<{ id: string; nextToken?: string; pageSize?: number; userId?: string }>): Items<{ id: string; serverId: string; name?: string; createdAt: string }>;
}
