// The API families that the client knows, each with the tables its methods are made of. No behaviour.
import { type AdminOperations, adminOperations } from '../protocol/admin-operations.ts';
import { type FileOperations, fileOperations } from '../protocol/file-operations.ts';
import { type RuntimeOperations, runtimeOperations } from '../protocol/runtime-operations.ts';
import { type TableOperations, tableOperations } from '../protocol/table-operations.ts';
import type { Family } from './family.ts';

/** Bots and what they run, workspaces, members, tokens: `/v1/admin`. */
export const adminFamily: Family<AdminOperations> = {
  needs: 'workspaceId',
  operations: adminOperations,
  tokenOnly: ['getAccount', 'getCurrentToken', 'listWorkspaces'],
  lists: {
    listBots: 'bots',
    listAuditLog: 'entries',
    listBotLogs: 'logs',
    listDeadLetters: 'deadLetters',
    listVisitors: 'users',
    listWorkspaces: 'workspaces',
    listWorkspaceMembers: 'members',
    listTokens: 'tokens',
  },
};

/** Files, their words and their tags: `/v1/files`. */
export const filesFamily: Family<FileOperations> = {
  needs: 'botId',
  operations: fileOperations,
  lists: {
    listFiles: 'files',
    listFilePassages: 'passages',
    listFileTags: 'tags',
    listFileTagValues: 'values',
    listKnowledgeBases: 'knowledgeBases',
  },
};

/** Tables and their rows: `/v1/tables`. */
export const tablesFamily: Family<TableOperations> = {
  needs: 'botId',
  operations: tableOperations,
  lists: { listTables: 'tables' },
};

/** What bot code outside of the server does in its conversations: `/v1/chat`. */
export const runtimeFamily: Family<RuntimeOperations> = {
  needs: 'botId',
  operations: runtimeOperations,
  lists: {
    listConversations: 'conversations',
    listMessages: 'messages',
    listParticipants: 'participants',
    listUsers: 'users',
  },
};
