// The message that a start prints: addresses, the workspace, and the administrator's token or its file.
import type { Settings } from './composition/settings.ts';
import { writeAdminToken } from './data-folder.ts';
import type { RunningServer } from './server.ts';

/**
 * The lines to print, with the addresses that browsers use: those of PUBLIC_URL, if it is set. A generated token is printed to a terminal only: other output may be a log that others read, so
 * the token is then written to a file in the data folder. Throws StartError when that fails.
 */
export async function startupMessage(
  { url: ownUrl, admin: { workspaceId, token } }: Pick<RunningServer, 'url' | 'admin'>,
  { DATA_DIR: dataFolder, PUBLIC_URL }: Pick<Settings, 'DATA_DIR'> & Partial<Pick<Settings, 'PUBLIC_URL'>>,
  isTerminal: boolean,
): Promise<string> {
  const url = PUBLIC_URL === undefined ? ownUrl : `${PUBLIC_URL}/`;
  const lines = [
    `Demo page   ${url}`,
    `Playground  ${url}playground/`,
    `API         ${url}v1/docs/`,
    `Inbox       ${url}inbox/`,
    `Workspace   ${workspaceId}`,
    ...(token === undefined ? [] : await tokenLines(token, dataFolder, isTerminal)),
  ];
  return `${lines.join('\n')}\n`;
}

async function tokenLines(token: string, dataFolder: string, isTerminal: boolean): Promise<string[]> {
  const [first, note] = isTerminal
    ? [`Token       ${token}`, 'Shown only once: keep it.']
    : [
        `Token file  ${await writeAdminToken(dataFolder, token)}`,
        'Store the token with your other passwords, and delete the file.',
      ];
  return [
    first,
    `            (${note} The token and the workspace give access to the playground`,
    '            and /v1/admin. To replace a lost token, start with ADMIN_TOKEN: docs/guides/self-hosting.md.)',
  ];
}
