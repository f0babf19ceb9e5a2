// What a start prints: addresses, the workspace, and the administrator's token or where it is kept.
import { keepAdminToken } from './data-folder.ts';
import type { RunningServer } from './server.ts';

/**
 * The lines to print. A token that this start made is in them only where a person reads them: what is not a terminal may be a
 * log that others read or keep, so there the token goes into a file of the data folder. Throws StartError when it cannot.
 */
export async function greeting(
  { url, admin: { workspaceId, token } }: Pick<RunningServer, 'url' | 'admin'>,
  dataFolder: string,
  isTerminal: boolean,
): Promise<string> {
  const lines = [
    `Demo page   ${url}`,
    `Playground  ${url}playground/`,
    `API         ${url}v1/docs/`,
    `Workspace   ${workspaceId}`,
    ...(token === undefined ? [] : await tokenLines(token, dataFolder, isTerminal)),
  ];
  return `${lines.join('\n')}\n`;
}

async function tokenLines(token: string, dataFolder: string, isTerminal: boolean): Promise<string[]> {
  const [first, note] = isTerminal
    ? [`Token       ${token}`, 'shown only now: keep it.']
    : [
        `Token file  ${await keepAdminToken(dataFolder, token)}`,
        'keep the token in it, and delete the file.',
      ];
  return [
    first,
    `            (${note} With the workspace it opens the playground and /v1/admin;`,
    '            to replace a lost one, start with ADMIN_TOKEN, see docs/guides/self-hosting.md)',
  ];
}
