// Which server is asked, and as whom: options before the environment. A token is read, never shown.
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Client } from '../client/index.ts';
import type { Command, Io, Option, OptionTable, Values } from './command.ts';
import { UsageError } from './errors.ts';

/** Where `serve` listens when nothing else is said. */
const defaultUrl = 'http://127.0.0.1:3000';

const all = {
  url: {
    value: 'ADDRESS',
    env: 'PLATFORM_API_URL',
    doc: `The server. Default: ${defaultUrl}.`,
  },
  'token-file': {
    value: 'FILE',
    doc: 'A file with the token; `-` reads it from stdin.',
  },
  token: {
    value: 'TOKEN',
    env: 'PLATFORM_TOKEN',
    doc: 'The token itself. On a command line everybody on the machine can read it: better by the variable.',
  },
  workspace: { value: 'ID', env: 'PLATFORM_WORKSPACE_ID', doc: 'The workspace.' },
  bot: { value: 'ID', env: 'PLATFORM_BOT_ID', doc: 'The bot.' },
} as const satisfies OptionTable;

/** The options of the connection that a command takes, by whose things it is about. */
export function connectionOptions(needs: Command['needs']): OptionTable {
  if (!needs) return {};
  const { url, 'token-file': file, token } = all;
  return { url, 'token-file': file, token, [needs]: all[needs] };
}

/** All of them, for the documentation. */
export const everyConnectionOption: OptionTable = all;

/** The address that will be asked. */
export const apiUrlOf = ({ url }: { url?: unknown }, { env }: Io): string =>
  typeof url === 'string' ? url : env[all.url.env] || defaultUrl;

/** A client for these settings. Throws UsageError for what is missing, each with its cure. */
export async function connect(
  needs: Command['needs'],
  values: Partial<Values<typeof all>>,
  io: Io,
): Promise<Client> {
  const token = await readToken(values, io);
  if (!token) {
    throw new UsageError('There is no token: set PLATFORM_TOKEN, or give a file with it by --token-file.');
  }
  const ids =
    needs === 'bot' ? { botId: need('bot', values, io) } : { workspaceId: need('workspace', values, io) };
  try {
    return new Client({ apiUrl: apiUrlOf(values, io), token, ...ids });
  } catch (error) {
    // The client's own words for an address, a token or an id that cannot be sent.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function need(name: 'bot' | 'workspace', values: Partial<Values<typeof all>>, { env }: Io): string {
  const option: Option & { env: string } = all[name];
  const value = values[name] ?? env[option.env];
  if (value) return value;
  throw new UsageError(`There is no ${name}: set ${option.env}, or give its id by --${name}.`);
}

async function readToken(
  { token, 'token-file': file }: Partial<Values<typeof all>>,
  { env, stdin, stderr }: Io,
): Promise<string | undefined> {
  if (token !== undefined && file !== undefined) {
    throw new UsageError('Give --token or --token-file, not both.');
  }
  if (token !== undefined) {
    stderr.write(
      'Warning: others on this machine can read --token. Use PLATFORM_TOKEN or --token-file instead.\n',
    );
    return token;
  }
  if (file === undefined) return env[all.token.env]?.trim();
  if (file === '-') return (await readAll(stdin)).trim();
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new UsageError(`--token-file: ${file} cannot be read (${code}).`);
  }
}

async function readAll(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}
