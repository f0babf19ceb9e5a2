// The APIs of the server: where each is, how large a body it accepts, which pages may call it, and its operations.
import { limits } from '../limits.ts';
import { adminOperations } from './admin/index.ts';
import { chatOperations } from './chat/index.ts';
import { filesOperations } from './files.ts';
import { inboxOperations } from './inbox/index.ts';
import type { Operation } from './operation.ts';
import { runtimeOperations } from './runtime/index.ts';
import { sessionOperations } from './session.ts';
import { tablesOperations } from './tables.ts';

export interface Api {
  name: 'chat' | 'runtime' | 'admin' | 'session' | 'files' | 'tables' | 'inbox';
  title: string;
  /** One line for the documentation page of the API. */
  description: string;
  /** The path in front of that of an operation, parameters in braces. */
  base: string;
  /** Bytes of one request body. */
  bodyBytes: number;
  /** Values in the lists and objects of a body, if fewer are accepted than `limits.bodyValues`. */
  bodyValues?: number;
  /** Pages of other origins may call it (ALLOWED_ORIGINS). */
  hasCors: boolean;
  /**
   * Members who have signed in to a page of this server may call it with their session. Together with `hasCors`, requests of pages
   * of other origins have no session, also those that only read.
   */
  hasSessions?: true;
  operations: readonly Operation[];
}

export const apis: readonly Api[] = [
  {
    name: 'chat',
    title: 'Chat API',
    description: 'Operations of visitors and their applications in one chat, with a user key.',
    base: '/chat/{webhookId}',
    bodyBytes: limits.chatBodyBytes,
    hasCors: true,
    operations: Object.values(chatOperations),
  },
  {
    name: 'runtime',
    title: 'Runtime API',
    description: 'Operations of bot code outside the server, with a token of the bot.',
    base: '/v1/chat',
    bodyBytes: limits.runtimeBodyBytes,
    hasCors: true,
    operations: Object.values(runtimeOperations),
  },
  {
    name: 'admin',
    title: 'Admin API',
    description: 'Workspaces, members, tokens, bots, their dashboard configuration and logs.',
    base: '/v1/admin',
    bodyBytes: limits.adminBodyBytes,
    bodyValues: limits.adminBodyValues,
    // Only a page of this server may use it.
    hasCors: false,
    hasSessions: true,
    operations: Object.values(adminOperations),
  },
  {
    name: 'session',
    title: 'Session API',
    description: 'Sign-in of members to the pages of the server: passwords, links, other services, sessions.',
    base: '/v1/session',
    bodyBytes: limits.sessionBodyBytes,
    hasCors: false,
    hasSessions: true,
    operations: Object.values(sessionOperations),
  },
  {
    name: 'files',
    title: 'Files API',
    description: 'Files of a bot: uploaded, read, indexed and searched.',
    base: '/v1/files',
    bodyBytes: limits.filesBodyBytes,
    hasCors: true,
    hasSessions: true,
    operations: Object.values(filesOperations),
  },
  {
    name: 'tables',
    title: 'Tables API',
    description: 'Tables of a bot: structured data in rows.',
    base: '/v1/tables',
    bodyBytes: limits.tablesBodyBytes,
    hasCors: true,
    operations: Object.values(tablesOperations),
  },
  {
    name: 'inbox',
    title: 'Inbox API',
    description: 'Conversations that people handle: members answer visitors and write notes for their team.',
    base: '/v1/inbox',
    bodyBytes: limits.runtimeBodyBytes,
    // Only a page of this server may use it.
    hasCors: false,
    hasSessions: true,
    operations: Object.values(inboxOperations),
  },
];

/** The operations of one API. */
export const operationsOf = (name: Api['name']): readonly Operation[] =>
  apis.find((api) => api.name === name)?.operations ?? [];
