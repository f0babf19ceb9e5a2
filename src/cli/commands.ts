// The table of all commands. What each does stands in its own file.
import { listAudit } from './audit.ts';
import { createBot, listBots, snippet } from './bots.ts';
import type { Command } from './command.ts';
import { pushFiles } from './files.ts';
import { serve } from './serve.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';
import { deleteUser, exportUser } from './users.ts';
import { deleteWorkspace, listWorkspaces } from './workspaces.ts';

/** In the order of --help. */
export const commands: readonly Command[] = [
  serve,
  listBots,
  createBot,
  snippet,
  listTokens,
  createToken,
  revokeToken,
  listWorkspaces,
  deleteWorkspace,
  listAudit,
  pushFiles,
  exportUser,
  deleteUser,
];
