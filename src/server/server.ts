// One running server: data folder, database, bot and HTTP, started in order and closed in the opposite one.
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { type Configuration, readLayer } from '../protocol/config.ts';
import { warnOfAnonymousUserIds } from './auth/anonymous-user-ids.ts';
import { loadBot } from './bots/index.ts';
import { createPlatform } from './compose.ts';
import { keptSecrets, openDataFolder, type Secrets } from './data-folder.ts';
import { uploadPath } from './http/apis.ts';
import { createHttpServer } from './http/connections.ts';
import { readQuotas } from './limits/quota-settings.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import type { Database } from './storage/database.ts';
import { lockFolder } from './storage/lock.ts';
import { openSqlite } from './storage/sqlite.ts';

/** Milliseconds that requests get to finish when the server stops. */
const grace = 10_000;

export interface RunningServer {
  /** The address, with the real port: `http://127.0.0.1:3000/`. */
  url: string;
  /** The workspace of the administrator, and their token when it was made just now. */
  admin: { workspaceId: string; token: string | undefined };
  /** Refuses new work, closes streams, lets requests finish, stops the bot, closes the database. */
  close(): Promise<void>;
}

/** Starts a server; resolves when it accepts requests. Throws StartError for what the operator can mend. */
export async function startServer(settings: Settings, logger: Logger): Promise<RunningServer> {
  const configuration = await readConfiguration(settings.CONFIGURATION);
  const handler = await loadBot(settings.BOT ?? demoBot());
  await openDataFolder(settings.DATA_DIR);
  const unlock = await lockFolder(settings.DATA_DIR);
  const secrets = await readSecrets(settings);
  const db = await openDatabase(settings.DATA_DIR);
  const platform = await createPlatform({
    db,
    handler,
    secret: secrets.current,
    previousSecrets: secrets.previous,
    webhookId: settings.WEBHOOK_ID,
    botsFolder: settings.BOTS,
    webhooks: { privateNetworks: settings.WEBHOOK_PRIVATE },
    logger,
    dist: distFolder(),
    filesFolder: join(settings.DATA_DIR, 'files'),
    fileLimits: { maxBytes: settings.MAX_FILE_BYTES, types: settings.FILE_TYPES ?? [] },
    retentionDays: settings.RETENTION_DAYS,
    publicUrl: settings.PUBLIC_URL,
    personalKeys: settings.USER_KEYS === 'personal',
    participants: settings.PARTICIPANTS,
    anonymousUserIds: settings.ANONYMOUS_USER_IDS === 'allow',
    keyLifetime: settings.USER_KEY_LIFETIME,
    configuration,
    adminToken: settings.ADMIN_TOKEN,
    workspaceCreators: settings.WORKSPACES,
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    proofOfWork: settings.PROOF_OF_WORK,
    rateLimit: settings.RATE_LIMIT,
    quotas: readQuotas(settings),
    disk: { reserve: settings.DISK_RESERVE_BYTES },
    trustProxy: settings.TRUST_PROXY,
  });

  // With personal keys POST /users is refused whatever it asks for.
  if (settings.ANONYMOUS_USER_IDS === 'allow' && settings.USER_KEYS !== 'personal') {
    await warnOfAnonymousUserIds(db, logger, settings.USER_KEY_SECRET !== undefined);
  }
  const max = settings.MAX_CONNECTIONS;
  const server = createHttpServer(platform.app.fetch, {
    max,
    maxPerAddress: settings.TRUST_PROXY > 0 ? undefined : Math.ceil(max / 10),
    uploads: uploadPath,
  });
  let isClosing = false;
  // A kept-alive connection would be served for as long as its client goes on asking.
  server.prependListener('request', (_, response) => {
    if (isClosing) response.setHeader('connection', 'close');
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    const finished = closeServer(server);
    await platform.close();
    await finished;
    await db.close();
    unlock();
  };
  try {
    const url = await listen(server, settings);
    // Bot code makes absolute links with it (docs/guides/bots.md); the port is known only now.
    process.env.PUBLIC_URL = settings.PUBLIC_URL ?? url.replace(/\/$/, '');
    // Once there is a port: a token made by a start that then fails would never be seen.
    const token = await platform.start();
    return { url, admin: { workspaceId: platform.workspaceId, token }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The secrets of the settings, or those in the data folder. The previous one of the settings counts for both. */
async function readSecrets({ DATA_DIR, ...settings }: Settings): Promise<Secrets> {
  const { USER_KEY_SECRET: current, USER_KEY_SECRET_PREVIOUS: previous } = settings;
  const secrets = current === undefined ? await keptSecrets(DATA_DIR) : { current, previous: [] };
  return previous === undefined ? secrets : { ...secrets, previous: [previous, ...secrets.previous] };
}

/** The folder of built files, seen from this module's source and from its built form in `dist/node/src/server`. */
export function distFolder(): string {
  const path = import.meta.url.endsWith('.ts') ? '../../dist' : '../../..';
  return fileURLToPath(new URL(path, import.meta.url));
}

function demoBot(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../../demo/bot.${extension}`, import.meta.url));
}

async function readConfiguration(path: string | undefined): Promise<Configuration | undefined> {
  if (path === undefined) return undefined;
  let layer: unknown;
  try {
    layer = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new StartError(`CONFIGURATION: the file ${path} cannot be read as JSON.`);
  }
  return readLayer(layer, ({ message }) => {
    throw new StartError(`CONFIGURATION: ${path}: ${message}`);
  });
}

async function openDatabase(folder: string): Promise<Database> {
  try {
    return await openSqlite(join(folder, 'platform.db'));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATA_DIR: the database cannot be opened: ${String(error).split('\n')[0]}`);
  }
}

/** Listens, and gives the address that a browser on this machine can open. */
async function listen(server: Server, { PORT, HOST }: Settings): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new StartError(`Cannot listen on ${HOST}:${PORT} (${error.code}).`)),
    );
    server.listen(PORT, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host}:${port}/`;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}
