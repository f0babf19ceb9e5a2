// Admin operations on the usage of a workspace, and on the state of the server.
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { limits } from '../../../protocol/limits.ts';
import { server } from '../../../protocol/operations/admin/server.ts';
import type { BotUsage, ServerState, UsageLimits } from '../../../protocol/types/admin.ts';
import { cutPage, decodeCursor } from '../../api/pages.ts';
import { readLastBackup } from '../../startup/last-backup.ts';
import { readVersion } from '../../startup/version.ts';
import { findMember, findWorkspace } from '../../storage/admin/workspaces.ts';
import { listBots } from '../../storage/bots/bots.ts';
import { countConversations } from '../../storage/chat/conversations.ts';
import { describeDatabase } from '../../storage/size.ts';
import { usageOfBotIds } from '../../storage/usage.ts';
import { missing } from '../find.ts';
import { isListPosition } from './bots.ts';
import { type AdminServices, handle, handleDecorated } from './services.ts';

/** More conversations of a bot are not counted: it would take too long. */
const maxConversations = 100_000;
const hourMs = 60 * 60 * 1000;

export const serverHandlers = [
  handle(server.getWorkspaceUsage, async ({ tx, caller, input, services }) => {
    const { nextToken, pageSize = limits.pageSize } = input;
    const from = decodeCursor('usage', nextToken, isListPosition);
    const after = from && { time: from[0], id: from[1] };
    const found = await listBots(tx, caller.workspaceId, after, pageSize + 1);
    const { rows, meta } = cutPage('usage', found, pageSize, (row): [number, string] => [
      row.createdAt,
      row.id,
    ]);
    const ids = rows.map((row) => row.id);
    const usage = new Map((await usageOfBotIds(tx, ids)).map((row) => [row.id, row]));
    const hour = Math.floor(services.now() / hourMs);
    const bots: BotUsage[] = [];
    for (const { id, name } of rows) {
      const row = usage.get(id);
      const { messages = 0, files = 0, bytes = 0 } = row ?? {};
      const now = row?.hour === hour ? row : undefined;
      bots.push({
        ...{ id, name, messages, files, bytes },
        conversations: await countConversations(tx, id, maxConversations),
        hourMessages: now?.hourMessages ?? 0,
        hourBytes: now?.hourBytes ?? 0,
      });
    }
    return { body: { bots, limits: limitsOf(services), meta } };
  }),

  handle(server.getServerState, async ({ tx, services }) => ({
    body: {
      server: {
        version: readVersion(),
        database: await describeDatabase(tx),
        ...(await stateOf(services)),
      },
    },
  })),

  handleDecorated(
    server.sendTestMail,
    async ({ tx, caller }) => {
      const member = await findMember(tx, caller.homeWorkspaceId, caller.memberId ?? '');
      const workspace = await findWorkspace(tx, caller.homeWorkspaceId);
      if (!member || !workspace) return missing('member');
      return { body: { to: member.email, workspaceName: workspace.name }, resource: workspace.id };
    },
    {
      // Afterwards: a mail server can take many seconds, in which nobody else could write.
      async decorateResponse({ to, workspaceName }, { services: { mails } }) {
        const problem = mails
          ? await mails.sendTest({ to, workspaceName, id: randomUUID() })
          : 'This server sends no mail (SMTP_URL).';
        return { to, ...(problem !== undefined && { problem }) };
      },
    },
  ),
];

/** 0 is no limit. */
function limitsOf({ settings }: AdminServices): UsageLimits {
  const values = {
    messages: settings.QUOTA_BOT_MESSAGES,
    files: settings.QUOTA_BOT_FILES,
    bytes: settings.QUOTA_BOT_BYTES,
    hourMessages: settings.QUOTA_BOT_MESSAGES_HOUR,
    hourBytes: settings.QUOTA_BOT_BYTES_HOUR,
  };
  return Object.fromEntries(Object.entries(values).filter(([, limit]) => limit > 0));
}

async function stateOf({
  settings,
}: AdminServices): Promise<Pick<ServerState, 'files' | 'disk' | 'mail' | 'backup'>> {
  const { DATA_DIR: folder, SMTP_URL, MAIL_FROM: from = '', PUBLIC_URL: address = '' } = settings;
  // Some file systems do not report it.
  const disk = await statfs(folder).catch(() => undefined);
  const backup = await readLastBackup(folder);
  return {
    files: settings.S3_URL === undefined ? 'folder' : 'object-store',
    ...(disk && {
      disk: {
        freeBytes: disk.bavail * disk.bsize,
        totalBytes: disk.blocks * disk.bsize,
        reserveBytes: settings.DISK_RESERVE_BYTES,
      },
    }),
    ...(SMTP_URL === undefined ? {} : { mail: { from, address } }),
    ...(backup && { backup }),
  };
}
