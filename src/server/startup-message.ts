// The message that a start prints: addresses, the workspace, and, as text or in files, the link of the owner and the
// administrator's token.
import type { Settings } from './composition/settings.ts';
import { writeSecret } from './data-folder.ts';
import type { RunningServer } from './server.ts';

/**
 * The lines to print, with the addresses that browsers use: those of PUBLIC_URL, if it is set. A generated token and the link of
 * the owner are printed to a terminal only: other output may be a log that others read, so they are then written to files in the
 * data folder. Throws StartError when that fails. A terminal shows a new link at each start until the owner has used one.
 */
export async function startupMessage(
  { url: ownUrl, admin: { workspaceId, token, issueSetupLink } }: Pick<RunningServer, 'url' | 'admin'>,
  { DATA_DIR: dataFolder, PUBLIC_URL }: Pick<Settings, 'DATA_DIR'> & Partial<Pick<Settings, 'PUBLIC_URL'>>,
  isTerminal: boolean,
): Promise<string> {
  const url = PUBLIC_URL === undefined ? ownUrl : `${PUBLIC_URL}/`;
  const link = isTerminal || token !== undefined ? await issueSetupLink() : undefined;
  const lines = [
    `Demo page   ${url}`,
    `Playground  ${url}playground/`,
    `API         ${url}v1/docs/`,
    `Console     ${url}console/`,
    `Docs        ${url}docs/`,
    `Workspace   ${workspaceId}`,
    ...(link === undefined ? [] : await linkLines(link, dataFolder, isTerminal)),
    ...(token === undefined ? [] : await tokenLines(token, dataFolder, isTerminal)),
  ];
  return `${lines.join('\n')}\n`;
}

async function linkLines(link: string, dataFolder: string, isTerminal: boolean): Promise<string[]> {
  const [first, place] = isTerminal
    ? [`Set up      ${link}`, 'Open this address']
    : [`Link file   ${await writeSecret(dataFolder, 'setup-link', link)}`, 'Open the address in this file'];
  return [
    first,
    `            (${place} to choose your name, e-mail address and password.`,
    '            It works once, within 24 hours.)',
  ];
}

async function tokenLines(token: string, dataFolder: string, isTerminal: boolean): Promise<string[]> {
  const [first, note] = isTerminal
    ? [`Token       ${token}`, 'Shown only once: keep it.']
    : [
        `Token file  ${await writeSecret(dataFolder, 'admin-token', token)}`,
        'Store the token with your other passwords, and delete the file.',
      ];
  return [
    first,
    `            (${note}`,
    '            Token and workspace are for programs, and give access to /v1/admin.',
    '            To replace a lost token, start with ADMIN_TOKEN: docs/guides/self-hosting.md.)',
  ];
}
