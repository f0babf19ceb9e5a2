// A table of the operations of the Admin API and of the Files API: where the console calls each, or why it does not. An owner needs no
// terminal, so that an operation without a screen has a reason.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminApi } from '../../client/operations/admin.ts';
import { filesApi } from '../../client/operations/files.ts';

/** A file or a folder of src/pages that calls the operation, or `-` and the reason why none does. */
type Place = string;

const hosted = '- for programs of the hosted product; createToken, listTokens and deleteToken do the same';

const ofPrograms = '- for programs that keep files of their own with tags';

const table: Record<string, Place> = {
  // Team.
  listWorkspaceMembers: 'console/team/Team.tsx',
  createWorkspaceMember: 'console/team/LinkDialog.tsx',
  updateWorkspaceMember: 'console/team/ChangeDialog.tsx',
  deleteWorkspaceMember: 'console/team/Team.tsx',
  createMemberLink: 'console/team/member-links.ts',
  getWorkspaceMember: '- the session of the page names its member',

  // Settings.
  getWorkspace: 'console/settings/WorkspaceTab.tsx',
  updateWorkspace: 'console/settings/WorkspaceTab.tsx',
  listWorkspaces: 'console/settings/WorkspaceTab.tsx',
  createWorkspace: 'console/settings/WorkspaceTab.tsx',
  deleteWorkspace: 'console/settings/WorkspaceTab.tsx',
  listTokens: 'console/settings/TokensTab.tsx',
  createToken: 'console/settings/TokensTab.tsx',
  deleteToken: 'console/settings/TokensTab.tsx',
  getCurrentToken: '- the console has a session and no token',
  listAuditLog: 'console/settings/AuditTab.tsx',
  getWorkspaceUsage: 'console/settings/UsageTab.tsx',
  getServerState: 'console/settings/MailTab.tsx',
  sendTestMail: 'console/settings/MailTab.tsx',
  listPersonalAccessTokens: hosted,
  createPersonalAccessToken: hosted,
  deletePersonalAccessToken: hosted,
  listBotApiKeys: hosted,
  createBotApiKey: hosted,
  deleteBotApiKey: hosted,

  // Account.
  updateAccount: 'console/account/profile.ts',
  getAccount: '- the session of the page has the account',

  // Bots, also those of the first steps.
  listBots: 'console/bots',
  getBot: 'console/bots',
  createBot: 'console/bots',
  updateBot: 'console/bots',
  deleteBot: 'console/bots',
  getBotDeployment: 'console/bots',
  setBotDeployment: 'console/bots',
  testBotAgent: 'console/bots',
  getBotWebchat: 'console/bots',
  listBotOrigins: 'console/bots',
  getBotSnippet: 'console/bots',
  listBotLogs: 'console/bots',
  listDeadLetters: 'console/bots',
  redeliverDeadLetter: 'console/bots',
  deleteDeadLetter: 'console/bots',
  listFiles: 'console/bots',
  getFileStorage: 'console/bots',
  listKnowledgeBases: 'console/bots',
  createKnowledgeBase: 'console/bots',
  updateKnowledgeBase: 'console/bots',
  deleteKnowledgeBase: 'console/bots',
  listFilePassages: 'console/bots',
  upsertFile: 'console/bots',
  deleteFile: 'console/bots',
  setBotWebchat: 'console/bots/webchat-changes.ts',
  rotateBotSecrets: 'console/bots/Secrets.tsx',
  listUnansweredQuestions: 'console/bots/UnansweredQuestions.tsx',
  listBotWebchatVersions: 'console/bots/WebchatVersions.tsx',
  listVisitors: 'console/bots/Visitors.tsx',
  exportVisitor: 'console/bots/Visitors.tsx',
  createVisitorArchive: 'console/bots/Visitors.tsx',
  deleteVisitor: 'console/bots/Visitors.tsx',
  revokeUserKeys: 'console/bots/Visitors.tsx',
  getBotRetention: 'console/bots/Privacy.tsx',
  setBotRetention: 'console/bots/Privacy.tsx',
  getFile: '- the list of files has all that the console shows of one',
  searchFiles: '- a question in the chat of the bot searches, and shows its sources',
  listFileTags: ofPrograms,
  listFileTagValues: ofPrograms,
  updateFileMetadata: ofPrograms,
  copyFile: ofPrograms,
  setFilePassages: '- for programs that split documents themselves',
};

const pages = join(import.meta.dirname, '..');

/** The text of a file, or of all files of a folder. */
function textOf(place: string): string {
  const path = join(pages, place);
  if (!existsSync(path)) return '';
  if (/\.tsx?$/.test(place)) return readFileSync(path, 'utf8');
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .join('\n');
}

test('each operation has a screen, or a reason why it has none', () => {
  expect(Object.keys(table).toSorted()).toEqual(
    [...Object.keys(adminApi.routes), ...Object.keys(filesApi.routes)].toSorted(),
  );
});

test.each(Object.entries(table).filter(([, place]) => !place.startsWith('-')))(
  '%s is called in %s',
  (name, place) => {
    // `client.list.bots()` reads all pages of `listBots`.
    const ofList = `list.${name.replace(/^list(.)/, (_, first: string) => first.toLowerCase())}(`;
    const text = textOf(place).replace(/\s+\./g, '.');
    expect([text.includes(`.${name}(`), text.includes(ofList)]).toContain(true);
  },
);
