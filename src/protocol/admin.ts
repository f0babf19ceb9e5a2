// The words of the Admin API: what an administrator sees of bots, workspaces, members and tokens. Types only.
import type { Permission, PrincipalKind, Role } from './permissions.ts';

/** A bot of the workspace. */
export interface Bot {
  id: string;
  /** ISO 8601, as the other times. */
  createdAt: string;
  updatedAt: string;
  name: string;
  /** When there last was something new to run: its code, or the address of its webhook. Absent until then. */
  deployedAt?: string;
}

/** What a bot runs, where its chat is, and what its application needs. */
export interface Deployment {
  /** The last part of the chat's address. */
  webhookId: string;
  /** The address of the chat, for `chatUrl` of the widget and of clients. */
  chatUrl: string;
  /** A module in the server's folder of bots, such as `shop.mjs`. */
  code?: string;
  /** Where events go in its place. */
  webhookUrl?: string;
  /** Signs the events that go there. Only for who may change it, as the next one. */
  signingSecret?: string;
  /** Signs user keys of this bot (HS256). Absent where that is the secret of the server's settings. */
  userKeySecret?: string;
}

/** What `type` of a bot's webchat stands for: HTML for pages, or the address of a page of its own. */
export type EmbedType = 'preconfigured' | 'configurable' | 'fullscreen' | 'sharableUrl';

export interface Workspace {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
}

/** Somebody who works in a workspace. */
export interface Member {
  id: string;
  createdAt: string;
  email: string;
  role: Role;
  displayName?: string;
}

/** The member behind a personal token. */
export interface Account {
  id: string;
  createdAt: string;
  email: string;
  /** False: this server sends no mail, so nobody has proved an address. */
  emailVerified: boolean;
  displayName?: string;
}

/** Whose a token is: a member's, a bot's, or that of an integration of a bot. */
export type TokenKind = 'personal' | 'bot' | 'integration';

/** A token without its value, which only its creation shows. */
export interface Token {
  id: string;
  createdAt: string;
  name: string;
  kind: TokenKind;
  /** Of a personal one. */
  memberId?: string;
  /** The one bot that it opens, of the two others. */
  botId?: string;
  /** The name of the integration. */
  integration?: string;
  /** From then on it opens nothing. Absent: never. */
  expiresAt?: string;
}

/** The token of the request, and what it opens. */
export interface CurrentToken extends Token {
  workspaceId: string;
  /** Its line in the table of permissions. */
  principal: Exclude<PrincipalKind, 'public'>;
  permissions: Permission[];
}
