// Reads the address of the server, the token and the ids from options or the environment. Tokens are never printed.
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { Client } from '../client/index.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findBot, findWorkspace, isId } from './names.ts';

/** The address that `serve` listens on by default. */
const defaultUrl = 'http://127.0.0.1:3000';

/** The heading of these options in --help. */
export const connectionHeading = 'Connection:';

interface ConnectionOption {
  flags: string;
  /** The environment variable that is read when the option is missing. */
  variable?: string;
  doc: string;
}

const table = {
  url: { flags: '--url <address>', variable: 'PLATFORM_API_URL', doc: `The server. Default: ${defaultUrl}.` },
  tokenFile: {
    flags: '--token-file <file>',
    doc: 'A file that contains the token; `-` reads the token from stdin.',
  },
  token: {
    flags: '--token <token>',
    variable: 'PLATFORM_TOKEN',
    doc: 'The token. Every user of the machine can read the command line: prefer the variable or a file.',
  },
  workspace: {
    flags: '--workspace <workspace>',
    variable: 'PLATFORM_WORKSPACE_ID',
    doc: 'The workspace: its id, or its name.',
  },
  bot: { flags: '--bot <bot>', variable: 'PLATFORM_BOT_ID', doc: 'The bot: its id, or its name.' },
} as const satisfies Record<string, ConnectionOption>;

/** All options of the connection, for the documentation. */
export const connectionTable: readonly ConnectionOption[] = Object.values(table);

/** The scope of the commands of an API: the kind of id that each request needs. */
type Scope = 'workspace' | 'bot';

/** The values of the options of a connection. */
export type ConnectionValues = { [N in keyof typeof table]?: string | undefined };

/**
 * Adds the options of the connection to a command. Commander's own `env()` is not used, because it reads
 * `process.env` and would treat PLATFORM_TOKEN like `--token`.
 */
// biome-ignore lint/suspicious/noExplicitAny: the constraint that Command declares for its arguments.
export function withConnection<A extends any[], O extends OptionValues>(
  command: Command<A, O>,
  scope: Scope,
): Command<A, O & Omit<ConnectionValues, keyof O>> {
  for (const name of ['url', 'tokenFile', 'token', scope] as const) {
    const { flags, doc, variable }: ConnectionOption = table[name];
    const text = variable ? `${doc} Variable: ${variable}.` : doc;
    command.addOption(new Option(flags, text).helpGroup(connectionHeading));
  }
  return command as Command<A, O & Omit<ConnectionValues, keyof O>>;
}

/** The address of the server that requests go to. */
export const apiUrlOf = ({ url }: { url?: unknown }, { env }: Io): string =>
  typeof url === 'string' ? url : env[table.url.variable] || defaultUrl;

/**
 * Creates a client from options and environment. A name is looked up first. Throws UsageError for a missing value, with
 * a remedy.
 */
export async function connect(scope: Scope, values: ConnectionValues, io: Io): Promise<Client> {
  const token = await readToken(values, io);
  if (!token) {
    throw new UsageError('The token is missing. Set PLATFORM_TOKEN, or name a file with --token-file.');
  }
  const idOrName = readId(scope, values, io);
  const create = (ids: { botId?: string; workspaceId?: string } = {}) =>
    new Client({ apiUrl: apiUrlOf(values, io), token, ...ids });
  try {
    // A client that cannot be created is reported before any request.
    create();
    if (scope === 'workspace') {
      return create({
        workspaceId: isId('ws', idOrName) ? idOrName : await workspaceOf(idOrName, create, io),
      });
    }
    return create({ botId: isId('bot', idOrName) ? idOrName : await botOf(idOrName, create, io) });
  } catch (error) {
    // The message of the client for an address or a token that cannot be sent.
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

type Create = (ids?: { workspaceId?: string }) => Client;

/** The id of the workspace with this name. */
const workspaceOf = async (name: string, create: Create, { signal }: Io): Promise<string> =>
  (await findWorkspace(create(), name, signal)).id;

/** The id of the bot with this name, in the workspace of the environment or else in that of the token. */
async function botOf(name: string, create: Create, io: Io): Promise<string> {
  const { env, signal } = io;
  const { token } = await create().getCurrentToken({}, { signal });
  if (token.botId !== undefined) {
    throw new UsageError(
      `The token belongs to one bot, and cannot look up names. Pass --bot ${token.botId}.`,
    );
  }
  const workspace = env[table.workspace.variable] || token.workspaceId;
  const workspaceId = isId('ws', workspace) ? workspace : await workspaceOf(workspace, create, io);
  return (await findBot(create({ workspaceId }), name, signal)).id;
}

function readId(scope: Scope, values: ConnectionValues, { env }: Io): string {
  const { variable } = table[scope];
  const value = values[scope] ?? env[variable];
  if (value) return value;
  throw new UsageError(
    `The ${scope} is missing. Set ${variable}, or pass its id or its name with --${scope}.`,
  );
}

async function readToken(
  { token, tokenFile }: ConnectionValues,
  { env, stdin, stderr }: Io,
): Promise<string | undefined> {
  if (token !== undefined && tokenFile !== undefined) {
    throw new UsageError('Pass either --token or --token-file, not both.');
  }
  if (token !== undefined) {
    stderr.write(
      'Warning: other users of this machine can read --token. Use PLATFORM_TOKEN or --token-file instead.\n',
    );
    return token;
  }
  if (tokenFile === undefined) return env[table.token.variable]?.trim();
  if (tokenFile === '-') return (await readAll(stdin)).trim();
  try {
    return (await readFile(tokenFile, 'utf8')).trim();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new UsageError(`--token-file: ${tokenFile} cannot be read (${code}).`);
  }
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
