// Types of the Admin API: bots, workspaces, members and tokens as an administrator sees them.
import type { AgentDeployment } from './agent.ts';
import type { Permission, PrincipalKind, Role } from './permissions.ts';

/** A bot of the workspace. */
export interface Bot {
  id: string;
  /** ISO 8601, like all other times. */
  createdAt: string;
  updatedAt: string;
  name: string;
  /** When the code, the webhook address or the agent of the bot last changed. Absent if it has none of them. */
  deployedAt?: string;
  tags: Record<string, string>;
  /** How the bot is developed, as its creator declared it: `adk` (code) by default. It has no effect. */
  type: 'studio' | 'adk' | 'desk';
}

/** What a bot runs, the address of its chat, and the secrets that its application needs. */
export interface Deployment {
  /** The last part of the chat's address. */
  webhookId: string;
  /** The address of the chat, for `chatUrl` of the widget and of clients. */
  chatUrl: string;
  /** A module in the server's folder of bots, such as `shop.mjs`. */
  code?: string;
  /** The address that receives events, if the bot has no code. */
  webhookUrl?: string;
  /** The agent that answers, if the bot has neither code nor a webhook. */
  agent?: AgentDeployment;
  /** `hosted`: requests to the webhook are those of the hosted product. Left out for the format of this server. */
  webhookFormat?: 'hosted';
  /** True for a bot that also receives events about the messages and events that it sends itself. */
  outgoingEvents?: boolean;
  /** True if all visitors can ask for a person (`POST /conversations/{id}/handoff`), not only by a button of the bot. */
  visitorHandoff?: boolean;
  /** False if visitors are not asked for a rating when a conversation with a person is closed. */
  ratings?: boolean;
  /** True if visitors see what the person who answers has read, and members what the visitor has read. */
  readReceipts?: boolean;
  /** The page of the site to which links in mails lead visitors whom the site identifies. */
  returnUrl?: string;
  /** Passages of the knowledge bases that are searched for with each message of a user (`event.kb.results`). */
  knowledgeResults?: number;
  /** Signs the events sent to the webhook. Returned only to callers who may change it, like the next field. */
  signingSecret?: string;
  /** Signs user keys of this bot (HS256). Absent if that secret is the server setting. */
  userKeySecret?: string;
}

/** The form in which a bot's chat is embedded: HTML for pages, or the address of a separate page. */
export type EmbedType = 'preconfigured' | 'configurable' | 'fullscreen' | 'sharableUrl';

/** What a workspace tells about itself. */
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
  role: Role;
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
  principal: Exclude<PrincipalKind, 'public'>;
  permissions: Permission[];
}

/** A token as the hosted product’s client lists it: a personal access token, or the API key of a bot. */
export interface ApiKey {
  id: string;
  createdAt: string;
  /** The name of the token. */
  note: string;
}
