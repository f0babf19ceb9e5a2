// One running server: data folder, database, bot and HTTP, started in order and closed in the opposite one.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { type Configuration, readLayer } from '../protocol/config.ts';
import { loadBot } from './bot-module.ts';
import { keptSecret, openDataFolder } from './data-folder.ts';
import type { Database } from './db/database.ts';
import { lockFolder } from './db/lock.ts';
import { openSqlite } from './db/sqlite.ts';
import { ApiError, errorResponse } from './errors.ts';
import { createPlatform } from './platform.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';

/** Milliseconds for the head of a request: who sends it slower only wants to hold a connection. */
const headersTimeout = 60_000;
/** Milliseconds for the body of a request, but for the bytes of a file: 1 GB may take hours. */
const bodyTimeout = 120_000;
/** Milliseconds without a byte in either direction after which a connection is cut. Streams ping every 30 s. */
const silence = 120_000;
/** Milliseconds that a client has to send the rest of a request that is answered already. */
const lingering = 2_000;
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
  const secret = settings.USER_KEY_SECRET ?? (await keptSecret(settings.DATA_DIR));
  const db = await openDatabase(settings.DATA_DIR);
  const platform = await createPlatform({
    db,
    handler,
    secret,
    webhookId: settings.WEBHOOK_ID,
    logger,
    dist: distFolder(),
    filesFolder: join(settings.DATA_DIR, 'files'),
    fileLimits: { maxBytes: settings.MAX_FILE_BYTES, types: settings.FILE_TYPES ?? [] },
    publicUrl: settings.PUBLIC_URL,
    personalKeys: settings.USER_KEYS === 'personal',
    configuration,
    adminToken: settings.ADMIN_TOKEN,
    allowedOrigins: settings.ALLOWED_ORIGINS,
  });

  const server = createServer(
    // Node's own refusal of a request without Host has no body: the listener below refuses it in words.
    { requestTimeout: 0, headersTimeout, requireHostHeader: false },
    getRequestListener(platform.app.fetch, {
      overrideGlobalObjects: false,
      errorHandler: () => errorResponse(new ApiError('InvalidDataFormat', 'The request could not be read.')),
    }),
  );
  server.timeout = silence;
  server.on('clientError', refuse);
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1); Node would refuse it without a word.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.prependListener('request', closeInStages);
  server.on('request', (request) => limitBody(request, `/chat/${settings.WEBHOOK_ID}/uploads/`));
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
    // Bot code makes absolute links with it (docs/bots.md); the port is known only now.
    process.env.PUBLIC_URL = settings.PUBLIC_URL ?? url.replace(/\/$/, '');
    // Once there is a port: a token made by a start that then fails would never be seen.
    const token = await platform.start();
    return { url, admin: { workspaceId: platform.workspaceId, token }, close };
  } catch (error) {
    await close();
    throw error;
  }
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

/** Cuts a request whose body takes too long; uploads are only bound not to fall silent. */
function limitBody(request: IncomingMessage, uploads: string): void {
  if (request.url?.startsWith(uploads)) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, bodyTimeout).unref();
  request.once('close', () => clearTimeout(timer));
}

/**
 * Where a request is answered before all of it is there, and the connection is to be closed: says the end, and goes on
 * reading (RFC 9112, 9.6). To close at once resets the connection, and the client loses the answer with it.
 */
function closeInStages(request: IncomingMessage): void {
  const { socket } = request;
  const close = () => Socket.prototype.destroySoon.call(socket);
  socket.destroySoon = () => {
    if (request.complete) return close();
    // Once is enough: others who want it closed have to wait too.
    socket.destroySoon = () => {};
    socket.end();
    const timer = setTimeout(close, lingering).unref();
    request.once('close', () => {
      clearTimeout(timer);
      close();
    });
  };
}

/** Answers what is not HTTP, or has more headers than are read (RFC 6585, 5), with the same five fields as all else. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const isLong = error.code === 'HPE_HEADER_OVERFLOW';
  const [code, status] = isLong ? [431, 'Request Header Fields Too Large'] : [400, 'Bad Request'];
  const refusal = isLong
    ? new ApiError('InvalidDataFormat', 'The headers of the request are too large.')
    : new ApiError('InvalidDataFormat', 'The request is not valid HTTP.');
  const body = JSON.stringify({ ...refusal.body(), code });
  socket.end(
    `HTTP/1.1 ${code} ${status}\r\ncontent-type: application/json\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
