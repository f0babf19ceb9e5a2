// The words of the Admin API: every operation with its method, path, input and output. No behaviour.

import type {
  Account,
  Bot,
  CurrentToken,
  Deployment,
  EmbedType,
  Member,
  Token,
  TokenKind,
  Workspace,
} from './admin.ts';
import type { AuditEntry } from './audit.ts';
import type { BotLog, DeadLetter } from './bot-log.ts';
import type { Configuration } from './config.ts';
import type { Route } from './operations.ts';
import type { Page } from './page.ts';
import type { Role } from './permissions.ts';
import type { ExportItem, Visitor } from './visitor.ts';

type Empty = Record<never, never>;
type Id = { id: string };
type Paged = { nextToken?: string; pageSize?: number };

/** Input (path parameters, then body or query) and output of every operation. */
export interface AdminOperations {
  /** Lists the bots of the workspace, newest first unless another order is asked for. */
  listBots: [
    Paged & {
      sortField?: 'createdAt' | 'updatedAt';
      sortDirection?: 'asc' | 'desc';
      /** Bots have none of these: true, or any tag or name, finds nothing. */
      dev?: boolean;
      tags?: Record<string, string>;
      integrationNames?: string[];
      pluginNames?: string[];
    },
    Page<'bots', Bot>,
  ];
  /** Gives a bot of the workspace. */
  getBot: [Id, { bot: Bot }];
  /** Makes a bot with a chat address of its own. It says nothing until it has code or a webhook. */
  createBot: [{ name: string; webhookId?: string; code?: string; webhookUrl?: string }, { bot: Bot }];
  /** Changes the name of a bot. */
  updateBot: [Id & { name?: string }, { bot: Bot }];
  /** Deletes a bot with its users, conversations, files, tables and tokens. Nobody else gets its address. */
  deleteBot: [Id, Empty];
  /** Tells what a bot runs and where its chat is; its secrets only to who may change them. */
  getBotDeployment: [Id, { deployment: Deployment }];
  /** Says what a bot runs. What is left out stays, null takes it away. */
  setBotDeployment: [Id & { code?: string | null; webhookUrl?: string | null }, { deployment: Deployment }];
  /** Ends the secrets of a bot and makes others, which getBotDeployment tells; user keys of before are good no more. */
  rotateBotSecrets: [Id, Empty];
  /** Revokes user keys of a bot: all of a user that were signed up to now, or one key. */
  revokeUserKeys: [Id & ({ userId: string } | { key: string }), Empty];
  /** Gives the stored dashboard configuration of a bot; with a `type` also the code that puts it on a page. */
  getBotWebchat: [Id & { type?: EmbedType }, { configuration: Configuration; code?: string }];
  /** Replaces the stored dashboard configuration. Blank fields are left out; a wrong one refuses all. */
  setBotWebchat: [Id & { configuration: Configuration }, { configuration: Configuration }];
  /** Gives the HTML that puts the bot's chat on a page. */
  getBotSnippet: [Id, { snippet: string }];
  /** Lists the workspaces that the token opens: for an operator all of the server. */
  listWorkspaces: [Paged, Page<'workspaces', Workspace>];
  /** Returns the workspace of the token; to an operator any workspace. */
  getWorkspace: [Id, { workspace: Workspace }];
  /** Changes the name of the workspace of the token; an operator changes that of any workspace. */
  updateWorkspace: [Id & { name?: string }, { workspace: Workspace }];
  /** Deletes a workspace with its members, tokens and bots, and all that the bots hold. Only an operator may. */
  deleteWorkspace: [Id, Empty];
  /** Makes a workspace with an owner and their first token, whose `value` is shown this once. */
  createWorkspace: [{ name: string; email: string }, { workspace: Workspace; token: Token; value: string }];
  /** Gives the member behind a personal token. */
  getAccount: [Empty, { account: Account }];
  /** Lists the members of the workspace, who came first before the others. */
  listWorkspaceMembers: [Paged, Page<'members', Member>];
  /** Gives the member behind the token. */
  getWorkspaceMember: [Empty, Member];
  /** Takes somebody in, with a role not above the caller's. */
  createWorkspaceMember: [{ email: string; role: Role; displayName?: string }, Member];
  /** Changes a member not above the caller; a `displayName` of null takes it away. */
  updateWorkspaceMember: [Id & { role?: Role; email?: string; displayName?: string | null }, Member];
  /** Puts a member out; their tokens end with it. */
  deleteWorkspaceMember: [Id, Empty];
  /** Lists the caller's own tokens, or with `tokens.read` all of the workspace. */
  listTokens: [Paged, Page<'tokens', Token>];
  /** Makes a token. Its `value` is shown this once. */
  createToken: [
    {
      name: string;
      kind: TokenKind;
      memberId?: string;
      botId?: string;
      integration?: string;
      expiresAt?: string;
    },
    { token: Token; value: string },
  ];
  /** Tells what the token of the request is and what it opens. */
  getCurrentToken: [Empty, { token: CurrentToken }];
  /** Ends a token at once; `current` is that of the request. */
  deleteToken: [Id, Empty];
  /** Lists who did what in the workspace, newest first. An operator may name another workspace, also a deleted one. */
  listAuditLog: [
    Paged & {
      /** The id of a member or of a token, an e-mail address, or a kind of principal. */
      actor?: string;
      /** The id of an operation, such as `deleteBot`. */
      operation?: string;
      /** ISO 8601: entries of this time and later. */
      after?: string;
      /** ISO 8601: entries from before this time. */
      before?: string;
      workspaceId?: string;
    },
    Page<'entries', AuditEntry>,
  ];
  /** Lists what went wrong with a bot, newest first. */
  listBotLogs: [Id & Paged, Page<'logs', BotLog>];
  /** Lists the events that a bot's webhook did not take and that were given up, newest first. */
  listDeadLetters: [Id & Paged, Page<'deadLetters', DeadLetter>];
  /** Sends an event that was given up again. */
  redeliverDeadLetter: [Id & { eventId: string }, Empty];
  /** Forgets an event that was given up. */
  deleteDeadLetter: [Id & { eventId: string }, Empty];
  /** Lists the visitors of a bot, newest first; with `userId` the one who has this id. */
  listVisitors: [Id & Paged & { userId?: string }, Page<'users', Visitor>];
  /** Gives all that the server has of a visitor, in pages. */
  exportVisitor: [Id & Paged & { userId: string }, Page<'items', ExportItem>];
  /** Deletes a visitor with their files and the conversations they own. */
  deleteVisitor: [Id & { userId: string }, Empty];
}

/** Method and path of every operation. */
export const adminOperations = {
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
} as const satisfies Record<keyof AdminOperations, Route>;
