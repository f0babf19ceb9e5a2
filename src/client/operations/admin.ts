// Routes and methods of the Admin API, generated from src/protocol/operations/admin by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Account, ApiKey, AuditEntry, BotUsage, CurrentToken, Member, ServerState, Token, TokenKind, UsageLimits, Workspace } from '../../protocol/types/admin.ts';
import type { AgentTest, Bot, BotDetails, BotLog, BotOrigin, DeadLetter, Deployment, UnansweredQuestion, WebchatVersion } from '../../protocol/types/bots.ts';
import type { Configuration } from '../../protocol/page-api/config.ts';
import type { EmbedType } from '../../protocol/types/chat.ts';
import type { PageMeta } from '../../protocol/types/query.ts';
import type { RetentionDays, Visitor } from '../../protocol/types/visitors.ts';
import type { Arguments, ListArguments } from '../platform/api-client.ts';
import type { Items } from '../core/pages.ts';

export const adminApi = {
  needs: 'workspaceId',
  tokenOnly: ['listPersonalAccessTokens', 'createPersonalAccessToken', 'deletePersonalAccessToken', 'listWorkspaces', 'getAccount', 'updateAccount', 'getCurrentToken'],
  routes: {
    listPersonalAccessTokens: 'GET /v1/admin/account/pats',
    createPersonalAccessToken: 'POST /v1/admin/account/pats',
    deletePersonalAccessToken: 'DELETE /v1/admin/account/pats/{id}',
    listBotApiKeys: 'GET /v1/admin/bots/baks',
    createBotApiKey: 'POST /v1/admin/bots/baks',
    deleteBotApiKey: 'DELETE /v1/admin/bots/baks/{id}',
    listBots: 'GET /v1/admin/bots',
    getBot: 'GET /v1/admin/bots/{id}',
    createBot: 'POST /v1/admin/bots',
    updateBot: 'PUT /v1/admin/bots/{id}',
    deleteBot: 'DELETE /v1/admin/bots/{id}',
    getBotDeployment: 'GET /v1/admin/bots/{id}/deployment',
    setBotDeployment: 'PUT /v1/admin/bots/{id}/deployment',
    testBotAgent: 'POST /v1/admin/bots/{id}/test-agent',
    rotateBotSecrets: 'POST /v1/admin/bots/{id}/deployment/rotate',
    revokeUserKeys: 'POST /v1/admin/bots/{id}/user-keys/revoke',
    getBotWebchat: 'GET /v1/admin/bots/{id}/webchat',
    setBotWebchat: 'PUT /v1/admin/bots/{id}/webchat',
    listBotWebchatVersions: 'GET /v1/admin/bots/{id}/webchat/versions',
    listBotOrigins: 'GET /v1/admin/bots/{id}/origins',
    getBotSnippet: 'GET /v1/admin/bots/{id}/snippet',
    listWorkspaces: 'GET /v1/admin/workspaces',
    getWorkspace: 'GET /v1/admin/workspaces/{id}',
    updateWorkspace: 'PUT /v1/admin/workspaces/{id}',
    deleteWorkspace: 'DELETE /v1/admin/workspaces/{id}',
    createWorkspace: 'POST /v1/admin/workspaces',
    getAccount: 'GET /v1/admin/account/me',
    updateAccount: 'PUT /v1/admin/account/me',
    listWorkspaceMembers: 'GET /v1/admin/workspace-members',
    getWorkspaceMember: 'GET /v1/admin/workspace-members/me',
    createWorkspaceMember: 'POST /v1/admin/workspace-members',
    updateWorkspaceMember: 'PUT /v1/admin/workspace-members/{id}',
    deleteWorkspaceMember: 'DELETE /v1/admin/workspace-members/{id}',
    createMemberLink: 'POST /v1/admin/workspace-members/{id}/links',
    listTokens: 'GET /v1/admin/tokens',
    createToken: 'POST /v1/admin/tokens',
    getCurrentToken: 'GET /v1/admin/tokens/current',
    deleteToken: 'DELETE /v1/admin/tokens/{id}',
    listAuditLog: 'GET /v1/admin/audit',
    listBotLogs: 'GET /v1/admin/bots/{id}/logs',
    listDeadLetters: 'GET /v1/admin/bots/{id}/dead-letters',
    redeliverDeadLetter: 'POST /v1/admin/bots/{id}/dead-letters/{eventId}/redeliver',
    deleteDeadLetter: 'DELETE /v1/admin/bots/{id}/dead-letters/{eventId}',
    listUnansweredQuestions: 'GET /v1/admin/bots/{id}/unanswered-questions',
    listVisitors: 'GET /v1/admin/bots/{id}/users',
    exportVisitor: 'GET /v1/admin/bots/{id}/users/{userId}/export',
    createVisitorArchive: 'POST /v1/admin/bots/{id}/users/{userId}/archive',
    deleteVisitor: 'DELETE /v1/admin/bots/{id}/users/{userId}',
    getBotRetention: 'GET /v1/admin/bots/{id}/retention',
    setBotRetention: 'PUT /v1/admin/bots/{id}/retention',
    getWorkspaceUsage: 'GET /v1/admin/usage',
    getServerState: 'GET /v1/admin/server',
    sendTestMail: 'POST /v1/admin/server/test-mail',
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {
    listPersonalAccessTokens: 'pats',
    listBotApiKeys: 'baks',
    listBots: 'bots',
    listBotWebchatVersions: 'versions',
    listBotOrigins: 'origins',
    listWorkspaces: 'workspaces',
    listWorkspaceMembers: 'members',
    listTokens: 'tokens',
    listAuditLog: 'entries',
    listBotLogs: 'logs',
    listDeadLetters: 'deadLetters',
    listUnansweredQuestions: 'questions',
    listVisitors: 'users',
  },
} as const;

/** Every operation of the Admin API as a method. */
export interface AdminMethods {
  /** Lists the personal tokens of the caller, newest first. */
  listPersonalAccessTokens(...args: Arguments<Record<never, never>>): Promise<{ pats: ApiKey[]; meta: PageMeta }>;
  /**
   * Creates a personal token of the caller. Only this response contains its `value`. It expires when the
   * token of the request does. createToken can create one that expires earlier.
   */
  createPersonalAccessToken(...args: Arguments<{ note: string }>): Promise<{ pat: { id: string; createdAt: string; note: string; value: string } }>;
  /** Revokes a personal token of the caller immediately. */
  deletePersonalAccessToken(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /** Lists the tokens of a bot, newest first. */
  listBotApiKeys(...args: Arguments<{ botId: string }>): Promise<{ baks: ApiKey[]; meta: PageMeta }>;
  /**
   * Creates a token of a bot. Only this response contains its `value`. It expires when the token of the
   * request does. createToken can create one that expires earlier.
   */
  createBotApiKey(...args: Arguments<{ botId: string; note?: string }>): Promise<{ id: string; createdAt: string; note: string; value: string }>;
  /** Revokes a token of a bot immediately. */
  deleteBotApiKey(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Lists the bots of the workspace, newest first by default; with `tags`, those that have all of them,
   * with `dev`, those that are being developed or not.
   */
  listBots(...args: Arguments<{ nextToken?: string; pageSize?: number; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc'; dev?: boolean; tags?: Record<string, string>; integrationNames?: string[]; pluginNames?: string[] }>): Promise<{ bots: Bot[]; meta: PageMeta }>;
  /**
   * Returns a bot of the workspace with what was declared about it. Callers who may change the bot also
   * receive the secret that signs its webhook requests.
   */
  getBot(...args: Arguments<{ id: string }>): Promise<{ bot: BotDetails }>;
  /**
   * Creates a bot with its own chat address. It does not respond until code, a webhook or an agent is
   * configured. Names of bots are unique in a workspace. The response contains the secret that signs its
   * webhook requests.
   */
  createBot(...args: Arguments<{ name?: string; webhookId?: string; code?: string; webhookUrl?: string; description?: string; medias?: { url: string; name: string }[]; configuration?: { data?: Record<string, unknown>; schema?: Record<string, unknown> }; maxExecutionTime?: number; alwaysAlive?: boolean; type?: 'studio' | 'adk' | 'desk'; url?: never; secrets?: never; recurringEvents?: never; integrations?: never; plugins?: never; layers?: never; blocked?: never; dev?: boolean; tags?: Record<string, string>; user?: { tags?: Record<string, { title?: string; description?: string }> }; conversation?: { tags?: Record<string, { title?: string; description?: string }> }; message?: { tags?: Record<string, { title?: string; description?: string }> }; states?: Record<string, { type: 'conversation' | 'user' | 'bot'; schema: Record<string, unknown>; expiry?: number }>; events?: Record<string, { title?: string; description?: string; schema: Record<string, unknown>; attributes?: Record<string, string> }>; actions?: Record<string, { title?: string; description?: string; billable?: boolean; cacheable?: boolean; input: { schema: Record<string, unknown> }; output: { schema: Record<string, unknown> }; attributes?: Record<string, string> }>; subscriptions?: { events: Record<string, Record<string, unknown>> | null } }>): Promise<{ bot: BotDetails }>;
  /**
   * Changes the name of a bot, its tags and what is declared about it. Tags and declarations are merged
   * by name; null removes one. The response contains the secret that signs its webhook requests.
   */
  updateBot(...args: Arguments<{ id: string; name?: string; description?: string; medias?: { url: string; name: string }[]; configuration?: { data?: Record<string, unknown>; schema?: Record<string, unknown> }; maxExecutionTime?: number; alwaysAlive?: boolean; type?: 'studio' | 'adk' | 'desk'; url?: never; secrets?: never; recurringEvents?: never; integrations?: never; plugins?: never; layers?: never; blocked?: never; tags?: Record<string, string | null>; user?: { tags?: Record<string, { title?: string; description?: string } | null> | null } | null; conversation?: { tags?: Record<string, { title?: string; description?: string } | null> | null } | null; message?: { tags?: Record<string, { title?: string; description?: string } | null> | null } | null; states?: Record<string, { type: 'conversation' | 'user' | 'bot'; schema: Record<string, unknown>; expiry?: number } | null> | null; events?: Record<string, { title?: string; description?: string; schema: Record<string, unknown>; attributes?: Record<string, string> } | null> | null; actions?: Record<string, { title?: string; description?: string; billable?: boolean; cacheable?: boolean; input: { schema: Record<string, unknown> }; output: { schema: Record<string, unknown> }; attributes?: Record<string, string> } | null> | null; subscriptions?: { events?: Record<string, Record<string, unknown> | null> | null } | null }>): Promise<{ bot: BotDetails }>;
  /**
   * Deletes a bot with its users, conversations, files, tables and tokens. Its address is not assigned
   * again.
   */
  deleteBot(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Returns the code, the webhook or the agent of a bot and its chat address. Only callers who may
   * change the secrets receive them.
   */
  getBotDeployment(...args: Arguments<{ id: string }>): Promise<{ deployment: Deployment }>;
  /**
   * Sets the code of a bot (a module in the server’s folder of bots), its webhook, or the agent at an
   * address that answers its visitors; each replaces the others. An omitted field is unchanged, null
   * removes it. The fields of `agent` are set together, except that its key and headers are kept if they
   * are omitted and the origin of its address is the same; they are never returned. With
   * `outgoingEvents` the bot also receives events about what it sends. With `visitorHandoff` all of its
   * visitors can ask for a person. With `ratings: false` they are not asked for a rating when a
   * conversation with a person is closed. With `readReceipts` visitors see what the person who answers
   * has read, and members what the visitor has read. Links in mails about answers lead visitors whom an
   * application identifies to `returnUrl`. With `knowledgeResults` its knowledge bases are searched for
   * each message of a user, and the event contains up to that number of passages; 0 ends it. With
   * `webhookFormat: hosted` the requests to the webhook are those that the SDK of the hosted product
   * reads.
   */
  setBotDeployment(...args: Arguments<{ id: string; code?: string | null; webhookUrl?: string | null; agent?: { url: string; protocol?: 'openai-chat' | 'openai-responses' | 'ag-ui' | 'ai-sdk'; model?: string; instructions?: string; options?: Record<string, unknown>; show?: ('status' | 'reasoning' | 'tools' | 'tool-input' | 'tool-output' | 'sources' | 'snippets')[]; knowledge?: 'all' | string[]; timeout?: number; key?: string | null; headers?: Record<string, string> | null } | null; webhookFormat?: 'standard' | 'hosted'; outgoingEvents?: boolean; visitorHandoff?: boolean; ratings?: boolean; readReceipts?: boolean; returnUrl?: string | null; knowledgeResults?: number }>): Promise<{ deployment: Deployment }>;
  /**
   * Sends a short question to the agent of a bot, or to the agent of the request, which is not stored,
   * as for a message of a visitor, and returns the beginning of the answer or why there is none. It
   * takes up to 30 seconds, and counts towards the limits of the agent. Without a key in the request,
   * the stored one is used if the origin of the address is the same.
   */
  testBotAgent(...args: Arguments<{ id: string; agent?: { url: string; protocol?: 'openai-chat' | 'openai-responses' | 'ag-ui' | 'ai-sdk'; model?: string; instructions?: string; options?: Record<string, unknown>; show?: ('status' | 'reasoning' | 'tools' | 'tool-input' | 'tool-output' | 'sources' | 'snippets')[]; knowledge?: 'all' | string[]; timeout?: number; key?: string | null; headers?: Record<string, string> | null }; question?: string }>): Promise<{ test: AgentTest }>;
  /**
   * Replaces the secrets of a bot; getBotDeployment returns the new ones. User keys signed with the old
   * secret become invalid, the streams that they opened are closed, and webhook requests are signed with
   * the new secret.
   */
  rotateBotSecrets(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Revokes user keys: with `userId`, all keys of that user that were signed until now; with `key`, that
   * key. Open streams of the user are closed.
   */
  revokeUserKeys(...args: Arguments<{ id: string; userId?: string; key?: string }>): Promise<Record<never, never>>;
  /**
   * Returns the stored dashboard configuration; with a `type`, also the code that adds the chat to a
   * page.
   */
  getBotWebchat(...args: Arguments<{ id: string; type?: EmbedType }>): Promise<{ configuration: Configuration; code?: string }>;
  /**
   * Replaces the stored dashboard configuration. Blank fields are omitted, and deprecated ones with a
   * warning. If one field is invalid, nothing is changed.
   */
  setBotWebchat(...args: Arguments<{ id: string; configuration: Configuration }>): Promise<{ configuration: Configuration; warnings?: string[] }>;
  /**
   * Lists the dashboard configurations that were stored for a bot, newest first; the first one is the
   * present one. The newest 50 are kept. To go back to one, store its configuration with setBotWebchat.
   */
  listBotWebchatVersions(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ versions: WebchatVersion[]; meta: PageMeta }>;
  /**
   * Lists the origins of the pages that have lately requested the chat of a bot, with the time of the
   * last request, newest first. The server keeps up to 50 of them in memory, until it is restarted.
   */
  listBotOrigins(...args: Arguments<{ id: string }>): Promise<{ origins: BotOrigin[]; meta: PageMeta }>;
  /** Returns the HTML that adds the chat to a page. */
  getBotSnippet(...args: Arguments<{ id: string }>): Promise<{ snippet: string }>;
  /**
   * Lists the workspaces that the token can access: for an operator all workspaces of the server, by id;
   * for other members their own; for a bot none. No workspace has a `handle`.
   */
  listWorkspaces(...args: Arguments<{ nextToken?: string; pageSize?: number; handle?: string }>): Promise<{ workspaces: Workspace[]; meta: PageMeta }>;
  /** Returns the workspace of the token. An operator can read any workspace. */
  getWorkspace(...args: Arguments<{ id: string }>): Promise<{ id: string; createdAt: string; updatedAt: string; name: string; ownerId: string; botCount: number; billingVersion: 'v4'; plan: 'community'; blocked: false; spendingLimit: 0; activeTrialId: null; isPublic: false; about?: string; profilePicture?: string; contactEmail?: string; website?: string; socialAccounts?: string[]; workspace: Workspace }>;
  /**
   * Changes the name or the profile of the workspace of the token. An operator can change any workspace.
   * An empty text removes a field of the profile.
   */
  updateWorkspace(...args: Arguments<{ id: string; name?: string; about?: string; profilePicture?: string; contactEmail?: string; website?: string; socialAccounts?: string[]; spendingLimit?: 0; isPublic?: false; handle?: '' }>): Promise<{ id: string; createdAt: string; updatedAt: string; name: string; ownerId: string; botCount: number; billingVersion: 'v4'; plan: 'community'; blocked: false; spendingLimit: 0; activeTrialId: null; isPublic: false; about?: string; profilePicture?: string; contactEmail?: string; website?: string; socialAccounts?: string[]; workspace: Workspace }>;
  /**
   * Deletes a workspace with its members, tokens and bots, and all data of the bots. Only operators can
   * do this. The first workspace of the server cannot be deleted.
   */
  deleteWorkspace(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Creates another workspace, with an owner and their first token. Only this response contains the
   * token’s `value`. Without `email`, the owner has the address of the caller.
   */
  createWorkspace(...args: Arguments<{ name: string; email?: string; billingVersion?: 'v4' }>): Promise<{ id: string; createdAt: string; updatedAt: string; name: string; ownerId: string; botCount: number; billingVersion: 'v4'; plan: 'community'; blocked: false; spendingLimit: 0; activeTrialId: null; isPublic: false; about?: string; profilePicture?: string; contactEmail?: string; website?: string; socialAccounts?: string[]; workspace: Workspace; token: Token; value: string }>;
  /** Returns the member who owns the personal token. */
  getAccount(...args: Arguments<Record<never, never>>): Promise<{ account: Account }>;
  /** Changes the name or the picture of the member who owns the personal token. An empty text removes it. */
  updateAccount(...args: Arguments<{ displayName?: '' | string; profilePicture?: string; refresh?: boolean }>): Promise<{ account: Account }>;
  /**
   * Lists the members of the workspace, in the order in which they joined; with `search`, those whose
   * name or e-mail address contains the text.
   */
  listWorkspaceMembers(...args: Arguments<{ nextToken?: string; pageSize?: number; search?: string }>): Promise<{ members: Member[]; meta: PageMeta }>;
  /** Returns the member who owns the token. */
  getWorkspaceMember(...args: Arguments<Record<never, never>>): Promise<Member>;
  /**
   * Adds a member with a role that is not higher than the caller’s. The member signs in with a token or
   * a link that is created for them.
   */
  createWorkspaceMember(...args: Arguments<{ email: string; role: 'viewer' | 'billing' | 'support' | 'developer' | 'manager' | 'administrator' | 'owner'; displayName?: string }>): Promise<Member>;
  /**
   * Changes the role, the e-mail address or the name of a member whose role is not higher than the
   * caller’s. Another address needs `tokens.write`, because who has it can sign in as the member; it
   * ends the member’s sessions, links and password.
   */
  updateWorkspaceMember(...args: Arguments<{ id: string; role?: 'viewer' | 'billing' | 'support' | 'developer' | 'manager' | 'administrator' | 'owner'; email?: string; displayName?: string | null }>): Promise<Member>;
  /**
   * Removes a member whose role is not higher than the caller’s. Their tokens become invalid, and their
   * sessions end.
   */
  deleteWorkspaceMember(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Creates a one-time link with which a member whose role is not higher than the caller’s signs in: an
   * invitation (7 days), a sign-in or a reset of their password (15 minutes). `delivery`: `mail` sends
   * it to the member, and `return` (default, needs `tokens.write`) returns its `url`, once.
   */
  createMemberLink(...args: Arguments<{ id: string; purpose: 'invitation' | 'sign-in' | 'reset'; delivery?: 'return' | 'mail' }>): Promise<{ expiresAt: string; url?: string }>;
  /**
   * Lists the caller’s own tokens; with the permission `tokens.read`, all tokens of the workspace. Their
   * values are not included.
   */
  listTokens(...args: Arguments<{ nextToken?: string; pageSize?: number }>): Promise<{ tokens: Token[]; meta: PageMeta }>;
  /**
   * Creates a token. Only this response contains its `value`. Personal tokens of the caller need no
   * permission, other tokens need `tokens.write`.
   */
  createToken(...args: Arguments<{ name: string; kind: TokenKind; memberId?: string; botId?: string; integration?: string; expiresAt?: string }>): Promise<{ token: Token; value: string }>;
  /** Returns the token of the request, with its permissions. A request with a session has none (404). */
  getCurrentToken(...args: Arguments<Record<never, never>>): Promise<{ token: CurrentToken }>;
  /**
   * Revokes a token immediately. The caller’s own tokens need no permission; `current` is the token of
   * the request.
   */
  deleteToken(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Lists the audit trail of the workspace, newest first. An operator can name another workspace with
   * `workspaceId`, also a deleted one.
   */
  listAuditLog(...args: Arguments<{ nextToken?: string; pageSize?: number; actor?: string; operation?: string; after?: string; before?: string; workspaceId?: string }>): Promise<{ entries: AuditEntry[]; meta: PageMeta }>;
  /**
   * Lists the log entries of a bot, newest first: ids, times and kinds of failures, without texts of
   * visitors. `userId` selects the conversations in which this user is a participant. No entry belongs
   * to a `workflowId`.
   */
  listBotLogs(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number; timeStart?: string; timeEnd?: string; level?: 'info' | 'warn' | 'error'; conversationId?: string; userId?: string; workflowId?: string; messageContains?: string }>): Promise<{ logs: BotLog[]; nextToken?: string; meta: PageMeta }>;
  /**
   * Lists the dead letters of a bot, newest first: events that its webhook did not accept in any
   * attempt.
   */
  listDeadLetters(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ deadLetters: DeadLetter[]; meta: PageMeta }>;
  /** Delivers a dead letter again, starting with its first attempt. */
  redeliverDeadLetter(...args: Arguments<{ id: string; eventId: string }>): Promise<Record<never, never>>;
  /** Deletes a dead letter. */
  deleteDeadLetter(...args: Arguments<{ id: string; eventId: string }>): Promise<Record<never, never>>;
  /**
   * Lists the messages of visitors for which the knowledge of a bot has no passage, newest first: those
   * of agents, whose knowledge bases are searched before they answer, and those of bots with
   * `knowledgeResults`. Needs `inbox.read`, too, because they are texts of conversations; those of
   * restricted teams are left out for others.
   */
  listUnansweredQuestions(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number }>): Promise<{ questions: UnansweredQuestion[]; meta: PageMeta }>;
  /**
   * Lists the visitors of a bot, newest first. `userId` selects one visitor, by the id of the server or
   * of the application.
   */
  listVisitors(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number; userId?: string }>): Promise<{ users: Visitor[]; meta: PageMeta }>;
  /**
   * Exports all data of a visitor, in pages: profile, conversations with the answers to the form before
   * them, messages, feedback, events, files, invitations, e-mail address, browsers with Web Push,
   * ratings, and what the bot has stored about them (tags and states).
   */
  exportVisitor(...args: Arguments<{ id: string; userId: string; nextToken?: string; pageSize?: number }>): Promise<{ items: ({ type: 'user' | 'conversation' | 'message' | 'feedback' | 'event' | 'file' | 'invitation' | 'tags' | 'state' | 'contact' | 'push' | 'rating' | 'preChatForm' } & { [key: string]: unknown })[]; meta: PageMeta }>;
  /**
   * Returns an address from which all data of a visitor can be downloaded within ten minutes, as one ZIP
   * archive: JSON, readable conversations, files, and the notes of the team in a folder of their own.
   * Whoever has the address can download it.
   */
  createVisitorArchive(...args: Arguments<{ id: string; userId: string }>): Promise<{ url: string; expiresAt: string }>;
  /**
   * Deletes a visitor with their files and the conversations that they own. Their messages in other
   * conversations stay.
   */
  deleteVisitor(...args: Arguments<{ id: string; userId: string }>): Promise<Record<never, never>>;
  /**
   * Returns after how many days data of a bot is removed, where the bot has periods of its own
   * (`retention`), and the periods of the server (`defaults`), which hold for the others. 0 keeps the
   * data.
   */
  getBotRetention(...args: Arguments<{ id: string }>): Promise<{ retention: { messagesDays?: number; filesDays?: number; logsDays?: number; contactsDays?: number }; defaults: RetentionDays }>;
  /**
   * Sets after how many days data of a bot is removed: `messagesDays` conversations without activity,
   * `filesDays` files of visitors, `logsDays` its log and dead letters, `contactsDays` e-mail addresses
   * of visitors without activity. 0 keeps the data, null restores the period of the server, and periods
   * that are left out stay. Nothing of a conversation is removed while it waits for a person or has one.
   */
  setBotRetention(...args: Arguments<{ id: string; messagesDays?: number | null; filesDays?: number | null; logsDays?: number | null; contactsDays?: number | null }>): Promise<{ retention: { messagesDays?: number; filesDays?: number; logsDays?: number; contactsDays?: number }; defaults: RetentionDays }>;
  /**
   * Returns what the visitors of each bot of the workspace have stored and sent in this hour, newest
   * bots first, and the limits of this server.
   */
  getWorkspaceUsage(...args: Arguments<{ nextToken?: string; pageSize?: number }>): Promise<{ bots: BotUsage[]; limits: UsageLimits; meta: PageMeta }>;
  /**
   * Returns the state of the server: its version, its database and its disk, the sender of its mails,
   * and the last backup. Only operators can do this.
   */
  getServerState(...args: Arguments<Record<never, never>>): Promise<{ server: ServerState }>;
  /**
   * Sends a mail to the caller, and waits until the mail server has accepted it. If it does not,
   * `problem` says what it has answered. Only operators can do this.
   */
  sendTestMail(...args: Arguments<Record<never, never>>): Promise<{ to: string; problem?: string }>;
}

/** Every list of the Admin API as an async iterable over all pages. */
export interface AdminLists {
  /** Lists the personal tokens of the caller, newest first. */
  personalAccessTokens(...args: ListArguments<Record<never, never>>): Items<ApiKey>;
  /** Lists the tokens of a bot, newest first. */
  botApiKeys(...args: ListArguments<{ botId: string }>): Items<ApiKey>;
  /**
   * Lists the bots of the workspace, newest first by default; with `tags`, those that have all of them,
   * with `dev`, those that are being developed or not.
   */
  bots(...args: ListArguments<{ nextToken?: string; pageSize?: number; sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc'; dev?: boolean; tags?: Record<string, string>; integrationNames?: string[]; pluginNames?: string[] }>): Items<Bot>;
  /**
   * Lists the dashboard configurations that were stored for a bot, newest first; the first one is the
   * present one. The newest 50 are kept. To go back to one, store its configuration with setBotWebchat.
   */
  botWebchatVersions(...args: ListArguments<{ id: string; nextToken?: string; pageSize?: number }>): Items<WebchatVersion>;
  /**
   * Lists the origins of the pages that have lately requested the chat of a bot, with the time of the
   * last request, newest first. The server keeps up to 50 of them in memory, until it is restarted.
   */
  botOrigins(...args: ListArguments<{ id: string }>): Items<BotOrigin>;
  /**
   * Lists the workspaces that the token can access: for an operator all workspaces of the server, by id;
   * for other members their own; for a bot none. No workspace has a `handle`.
   */
  workspaces(...args: ListArguments<{ nextToken?: string; pageSize?: number; handle?: string }>): Items<Workspace>;
  /**
   * Lists the members of the workspace, in the order in which they joined; with `search`, those whose
   * name or e-mail address contains the text.
   */
  workspaceMembers(...args: ListArguments<{ nextToken?: string; pageSize?: number; search?: string }>): Items<Member>;
  /**
   * Lists the caller’s own tokens; with the permission `tokens.read`, all tokens of the workspace. Their
   * values are not included.
   */
  tokens(...args: ListArguments<{ nextToken?: string; pageSize?: number }>): Items<Token>;
  /**
   * Lists the audit trail of the workspace, newest first. An operator can name another workspace with
   * `workspaceId`, also a deleted one.
   */
  auditLog(...args: ListArguments<{ nextToken?: string; pageSize?: number; actor?: string; operation?: string; after?: string; before?: string; workspaceId?: string }>): Items<AuditEntry>;
  /**
   * Lists the log entries of a bot, newest first: ids, times and kinds of failures, without texts of
   * visitors. `userId` selects the conversations in which this user is a participant. No entry belongs
   * to a `workflowId`.
   */
  botLogs(...args: ListArguments<{ id: string; nextToken?: string; pageSize?: number; timeStart?: string; timeEnd?: string; level?: 'info' | 'warn' | 'error'; conversationId?: string; userId?: string; workflowId?: string; messageContains?: string }>): Items<BotLog>;
  /**
   * Lists the dead letters of a bot, newest first: events that its webhook did not accept in any
   * attempt.
   */
  deadLetters(...args: ListArguments<{ id: string; nextToken?: string; pageSize?: number }>): Items<DeadLetter>;
  /**
   * Lists the messages of visitors for which the knowledge of a bot has no passage, newest first: those
   * of agents, whose knowledge bases are searched before they answer, and those of bots with
   * `knowledgeResults`. Needs `inbox.read`, too, because they are texts of conversations; those of
   * restricted teams are left out for others.
   */
  unansweredQuestions(...args: ListArguments<{ id: string; nextToken?: string; pageSize?: number }>): Items<UnansweredQuestion>;
  /**
   * Lists the visitors of a bot, newest first. `userId` selects one visitor, by the id of the server or
   * of the application.
   */
  visitors(...args: ListArguments<{ id: string; nextToken?: string; pageSize?: number; userId?: string }>): Items<Visitor>;
}
