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
import type { BotLog, DeadLetter } from './bot-log.ts';
import type { Configuration } from './config.ts';
import type { Route } from './operations.ts';
import type { Page } from './page.ts';
import type { Role } from './permissions.ts';

type Empty = Record<never, never>;
type Id = { id: string };
type Paged = { nextToken?: string; pageSize?: number };

/** What a bot runs: a module of the server's folder of bots, or a webhook. One of the two. */
type Runs = { code?: string; webhookUrl?: string };

/** Input (path parameters, then body or query) and output of every operation. */
export interface AdminOperations {
  /** Lists the bots of the workspace, newest first unless another order is asked for. */
  listBots: [
    Paged & { sortField?: 'createdAt' | 'updatedAt'; sortDirection?: 'asc' | 'desc' },
    Page<'bots', Bot>,
  ];
  /** Gives a bot of the workspace. */
  getBot: [Id, { bot: Bot }];
  /** Makes a bot with a chat address of its own. It says nothing until it has code or a webhook. */
  createBot: [{ name: string; webhookId?: string } & Runs, { bot: Bot }];
  /** Changes the name of a bot. */
  updateBot: [Id & { name?: string }, { bot: Bot }];
  /** Deletes a bot with its users, conversations, files, tables and tokens. Nobody else gets its address. */
  deleteBot: [Id, Empty];
  /** Tells what a bot runs and where its chat is; its secrets only to who may change them. */
  getBotDeployment: [Id, { deployment: Deployment }];
  /** Says what a bot runs. What is left out stays, null takes it away. */
  setBotDeployment: [Id & { code?: string | null; webhookUrl?: string | null }, { deployment: Deployment }];
  /** Gives the stored dashboard configuration; with a `type` also the code that puts the chat on a page. */
  getBotWebchat: [Id & { type?: EmbedType }, { configuration: Configuration; code?: string }];
  /** Replaces the stored dashboard configuration. Blank fields are left out; a wrong one refuses all. */
  setBotWebchat: [Id & { configuration: Configuration }, { configuration: Configuration }];
  /** Gives the HTML that puts the bot's chat on a page. */
  getBotSnippet: [Id, { snippet: string }];
  /** Lists what went wrong with a bot, newest first. */
  listBotLogs: [Id & Paged, Page<'logs', BotLog>];
  /** Lists the events that the bot's webhook did not take, newest first. */
  listDeadLetters: [Id & Paged, Page<'deadLetters', DeadLetter>];
  /** Delivers one of them again, from the first attempt on. */
  redeliverDeadLetter: [Id & { eventId: string }, Empty];
  /** Forgets one of them. */
  deleteDeadLetter: [Id & { eventId: string }, Empty];
  /** Lists the workspaces that the token opens: that of its member, none for a bot. */
  listWorkspaces: [Paged, Page<'workspaces', Workspace>];
  /** Gives the workspace of the token. */
  getWorkspace: [Id, { workspace: Workspace }];
  /** Changes the name of the workspace of the token. */
  updateWorkspace: [Id & { name?: string }, { workspace: Workspace }];
  /** Makes a workspace beside this one, with an owner and their first token. Its `value` is shown this once. */
  createWorkspace: [{ name: string; email: string }, { workspace: Workspace; token: Token; value: string }];
  /** Lists the members of the workspace, who came first before the others. */
  listWorkspaceMembers: [Paged, Page<'members', Member>];
  /** Gives the member behind the token. */
  getWorkspaceMember: [Empty, Member];
  /** Takes somebody in, with a role not above the caller's. They get in with a token made for them. */
  createWorkspaceMember: [{ email: string; role: Role; displayName?: string }, Member];
  /** Changes the role, the e-mail address or the name of a member not above the caller. */
  updateWorkspaceMember: [Id & { role?: Role; email?: string; displayName?: string | null }, Member];
  /** Puts a member out who is not above the caller; their tokens end with it. */
  deleteWorkspaceMember: [Id, Empty];
  /** Gives the member behind a personal token. Needs no workspace. */
  getAccount: [Empty, { account: Account }];
  /** Lists the caller's own tokens, with the permission all of the workspace; never what they are. */
  listTokens: [Paged, Page<'tokens', Token>];
  /** Makes a token. Its `value` is shown this once: sent again after a lost answer, it is refused. */
  createToken: [
    {
      name: string;
      kind: TokenKind;
      /** Of a personal one, where it is not the caller's. */
      memberId?: string;
      botId?: string;
      integration?: string;
      expiresAt?: string;
    },
    { token: Token; value: string },
  ];
  /** Tells what the token of the request is and what it opens. Needs no workspace. */
  getCurrentToken: [Empty, { token: CurrentToken }];
  /** Ends a token at once; `current` is that of the request. */
  deleteToken: [Id, Empty];
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
  getBotWebchat: 'GET /v1/admin/bots/{id}/webchat',
  setBotWebchat: 'PUT /v1/admin/bots/{id}/webchat',
  getBotSnippet: 'GET /v1/admin/bots/{id}/snippet',
  listBotLogs: 'GET /v1/admin/bots/{id}/logs',
  listDeadLetters: 'GET /v1/admin/bots/{id}/dead-letters',
  redeliverDeadLetter: 'POST /v1/admin/bots/{id}/dead-letters/{eventId}/redeliver',
  deleteDeadLetter: 'DELETE /v1/admin/bots/{id}/dead-letters/{eventId}',
  listWorkspaces: 'GET /v1/admin/workspaces',
  getWorkspace: 'GET /v1/admin/workspaces/{id}',
  updateWorkspace: 'PUT /v1/admin/workspaces/{id}',
  createWorkspace: 'POST /v1/admin/workspaces',
  listWorkspaceMembers: 'GET /v1/admin/workspace-members',
  getWorkspaceMember: 'GET /v1/admin/workspace-members/me',
  createWorkspaceMember: 'POST /v1/admin/workspace-members',
  updateWorkspaceMember: 'PUT /v1/admin/workspace-members/{id}',
  deleteWorkspaceMember: 'DELETE /v1/admin/workspace-members/{id}',
  getAccount: 'GET /v1/admin/account/me',
  listTokens: 'GET /v1/admin/tokens',
  createToken: 'POST /v1/admin/tokens',
  getCurrentToken: 'GET /v1/admin/tokens/current',
  deleteToken: 'DELETE /v1/admin/tokens/{id}',
} as const satisfies Record<keyof AdminOperations, Route>;
