// The families of the API in one table: where each is, how large a body it takes, who may ask from a page, and its
// operations. Routes, the OpenAPI document and the tests of access are derived from it.
import { limits } from '../../protocol/limits.ts';
import { adminOperations } from '../admin/index.ts';
import { chatOperations } from '../chat/index.ts';
import { fileOperations } from '../files/index.ts';
import type { Operation } from '../operations/operation.ts';
import { runtimeOperations } from '../runtime/index.ts';
import { tableOperations } from '../tables/index.ts';

export interface Family {
  name: 'chat' | 'runtime' | 'admin' | 'files' | 'tables';
  title: string;
  /** One line for the page that shows the API. */
  description: string;
  /** The path before that of an operation, parameters in braces. */
  base: string;
  /** Bytes of one request body (SPEC "Limits"). */
  bodyBytes: number;
  /** Pages of other origins may ask it (ALLOWED_ORIGINS). */
  hasCors: boolean;
  operations: readonly Operation[];
}

export const families: readonly Family[] = [
  {
    name: 'chat',
    title: 'Chat API',
    description: 'What visitors and their apps do in one chat, with a user key.',
    base: '/chat/{webhookId}',
    bodyBytes: limits.chatBodyBytes,
    hasCors: true,
    operations: chatOperations,
  },
  {
    name: 'runtime',
    title: 'Runtime API',
    description: 'What bot code outside of the server does, with a token of the bot.',
    base: '/v1/chat',
    bodyBytes: limits.runtimeBodyBytes,
    hasCors: true,
    operations: runtimeOperations,
  },
  {
    name: 'admin',
    title: 'Admin API',
    description: 'Workspaces, members, tokens, bots, their dashboard configuration and logs.',
    base: '/v1/admin',
    bodyBytes: limits.adminBodyBytes,
    // The only page that may use it is one of this server.
    hasCors: false,
    operations: adminOperations,
  },
  {
    name: 'files',
    title: 'Files API',
    description: 'Files of a bot: uploaded, read, indexed and searched.',
    base: '/v1/files',
    bodyBytes: limits.filesBodyBytes,
    hasCors: true,
    operations: fileOperations,
  },
  {
    name: 'tables',
    title: 'Tables API',
    description: 'Tables of a bot: structured data in rows.',
    base: '/v1/tables',
    bodyBytes: limits.tablesBodyBytes,
    hasCors: true,
    operations: tableOperations,
  },
];

/** Where bytes of files arrive, which may take long. */
export const uploadPath = /^\/(?:chat\/[^/]+|v1\/files)\/uploads\//;
