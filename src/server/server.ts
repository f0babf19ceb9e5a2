// Starts and stops a server: data folder, database, services and HTTP, closed in reverse order.
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Configuration } from '../protocol/page-api/config.ts';
import { readLayer } from '../protocol/page-api/config-layers.ts';
import { issueSetupLink } from './admin/index.ts';
import { warnOfAnonymousUserIds } from './auth/user-keys.ts';
import { digestBotCode, inProcess, loadBotCode, readAgent } from './bots/index.ts';
import type { Composition } from './composition/options.ts';
import { connectRelay } from './composition/processes.ts';
import { composeServer, modelOf } from './composition/server.ts';
import type { Settings } from './composition/settings.ts';
import { hasSecret, openDataFolder, readSecrets } from './data-folder.ts';
import { uploadPaths } from './files/index.ts';
import { createHttpServer } from './http/connections.ts';
import { loadMetrics } from './http/metrics.ts';
import { checkSandboxOrigin } from './http/sandbox.ts';
import { checkDatabaseSettings, openServerDatabase } from './server-database.ts';
import { StartError } from './startup/start-error.ts';
import { lockFolder } from './storage/open.ts';

export interface RunningServer {
  /** The address, with the real port: `http://127.0.0.1:3000/`. */
  url: string;
  admin: {
    workspaceId: string;
    /** The administrator's token if this start generated it. */
    token: string | undefined;
    /** Returns a link with which the first owner sets up their account; undefined if that is done, or with ADMIN_TOKEN. */
    issueSetupLink(): Promise<string | undefined>;
  };
  /** Where the figures are read, if METRICS is set. */
  metricsUrl: string | undefined;
  /** Drains the server, stops all bots and closes the database. */
  close(): Promise<void>;
}

/** Starts a server; resolves when it accepts requests. Throws StartError for a problem that the operator can fix. */
export async function startServer(settings: Settings, logger: Logger): Promise<RunningServer> {
  checkDatabaseSettings(settings);
  checkSandboxOrigin(settings);
  const configuration = await readConfiguration(settings.CONFIGURATION);
  const botThreads = settings.BOT_THREADS === 'on' ? { logger } : undefined;
  const agent = await readAgent(settings);
  // Without a module of its own, the default bot is the agent.
  const isAgent = agent !== undefined && settings.BOT === undefined;
  const botModule = settings.BOT ?? demoBotModule();
  const bot = isAgent ? inProcess(() => {}) : await loadBotCode(botModule, botThreads);
  await openDataFolder(settings.DATA_DIR);
  const unlock = await lockFolder(settings.DATA_DIR);
  const secrets = await readSecrets(settings);
  const metrics = await loadMetrics(settings.METRICS);
  const db = await openServerDatabase(settings, logger, {
    // The process stops in order, as its operator would stop it (run.ts).
    onTaken: () => process.kill(process.pid, 'SIGTERM'),
    ...(metrics ? { onBatch: metrics.onBatch } : {}),
    onFull(isFull) {
      metrics?.onFull(isFull);
      if (isFull) logger.error('the disk of the data folder is full: writes are refused with 503');
      else logger.info('the disk of the data folder has space again');
    },
  });
  const relay = await connectRelay(settings, db).catch(async (error: unknown) => {
    await db.close();
    unlock();
    throw error;
  });
  const composition = await composeServer(settings, {
    ...{ db, relay, logger, bot, botThreads, configuration },
    agent: isAgent ? agent : undefined,
    model: modelOf(agent),
    secret: secrets.current,
    previousSecrets: secrets.previous,
    dist: distFolder(),
    // Only several processes compare it.
    botCode: relay && (await digestBotCode(botModule, settings.BOTS)),
    onHandled: metrics?.onHandled,
    onClaimChange: metrics?.onClaimChange,
  });
  metrics?.observe({ db, pubSub: composition.pubSub, processes: composition.processes });

  // With personal keys every POST /users is rejected, so no warning is needed.
  if (settings.ANONYMOUS_USER_IDS === 'allow' && settings.USER_KEYS !== 'personal') {
    await warnOfAnonymousUserIds(db, logger, hasSecret(settings));
  }
  const max = settings.MAX_CONNECTIONS;
  const server = createHttpServer(metrics ? metrics.measure(composition.app.fetch) : composition.app.fetch, {
    max,
    maxPerAddress: settings.TRUST_PROXY > 0 ? undefined : Math.ceil(max / 10),
    uploads: uploadPaths,
  });
  const shutDown = createShutdown(server, composition, {
    delay: settings.DRAIN_DELAY * 1_000,
    timeLimit: settings.DRAIN_TIMEOUT * 1_000,
  });
  const close = async (): Promise<void> => {
    await shutDown();
    await metrics?.close();
    await db.close();
    unlock();
  };
  try {
    const metricsUrl = await metrics?.listen();
    const url = await listen(server, settings);
    const publicUrl = settings.PUBLIC_URL ?? url.replace(/\/$/, '');
    // Public contract with bot code (docs/guides/bots.md), also as `bot.publicUrl`; the port is known only now.
    process.env.PUBLIC_URL = publicUrl;
    // After listening: a token generated by a start that then fails would never be shown.
    const token = await composition.start(publicUrl);
    const { workspaceId } = composition;
    const issue = async () =>
      settings.ADMIN_TOKEN === undefined
        ? db.write((tx) => issueSetupLink(tx, workspaceId, { address: publicUrl, now: Date.now() }))
        : undefined;
    return { url, metricsUrl, admin: { workspaceId, token, issueSetupLink: issue }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The folder of built files, relative to this source file or to its build in `dist/node/src/server`. */
export function distFolder(): string {
  const path = import.meta.url.endsWith('.ts') ? '../../dist' : '../../..';
  return fileURLToPath(new URL(path, import.meta.url));
}

/** The module of the demo bot, the default of BOT. It is outside of src, also in the build: `dist/node/demo/bot.js`. */
function demoBotModule(): string {
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

/** Listens and returns the address that a browser on this machine can open. */
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

/** Milliseconds that the last responses have to leave, also after bot code has used all of the time. */
const lastMomentMs = 1_000;

export interface ShutdownOptions {
  /** Milliseconds between the 503 of `/readyz` and the end of new connections. */
  delay: number;
  /** Milliseconds that running bot code, and running requests, have to finish. */
  timeLimit: number;
}

/**
 * Stops a server in steps: a load balancer stops sending requests, bot code and requests finish, clients reconnect spread over
 * time. Returns the function that stops the server and the composition. It resolves when all connections are closed. With a
 * delay there are other processes, to which the clients of the streams move within twice that time; without one they would wait
 * for this server to come back, so all streams are closed at once.
 */
export function createShutdown(
  server: Server,
  composition: Composition,
  { delay, timeLimit }: ShutdownOptions,
): () => Promise<void> {
  let isClosing = false;
  // Otherwise a kept-alive connection stays open for as long as its client sends requests.
  server.prependListener('request', (_, response) => {
    if (isClosing) response.setHeader('connection', 'close');
  });
  return async () => {
    composition.announceStop();
    if (delay > 0 && server.listening) await wait(delay);
    isClosing = true;
    const begun = performance.now();
    const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
    await composition.drain({ timeLimit, closingTime: 2 * delay });
    const remaining = Math.max(lastMomentMs, begun + timeLimit - performance.now());
    const timer = setTimeout(() => server.closeAllConnections(), remaining);
    await composition.close();
    await closed;
    clearTimeout(timer);
  };
}
