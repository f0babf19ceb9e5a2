// Joins the parts of the server around one database: Chat and Admin API, streams, bot. It opens no port and owns no file.
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { BotHandler } from '../protocol/bot.ts';
import type { Configuration } from '../protocol/config.ts';
import { limits } from '../protocol/limits.ts';
import { createApp } from './app.ts';
import { createBotRunner, type WebhookSettings } from './bot.ts';
import { createBotCode } from './bot-code.ts';
import { createBotStreams } from './bot-streams.ts';
import { type Bus, createBus } from './bus.ts';
import { createAddressReader } from './client-address.ts';
import { createDashboard } from './dashboard.ts';
import type { Database } from './db/database.ts';
import { createDownloadHandler } from './files/download.ts';
import { openFullText } from './files/full-text.ts';
import { createExtraction, type ExtractionOptions } from './files/indexing/extraction.ts';
import { createIndexer } from './files/indexing/indexer.ts';
import { createPlatformFiles } from './files/platform-files.ts';
import { createFileService, type FileLimits } from './files/service.ts';
import { openFileStore } from './files/store.ts';
import { createFileTokens } from './files/tokens.ts';
import { createUploadHandler } from './files/upload.ts';
import { createLive } from './live.ts';
import { createRateLimit } from './rate-limit.ts';
import { createStreamSlots } from './stream-slots.ts';
import { createSweeper } from './sweeper.ts';
import { createTableJobs } from './tables/jobs.ts';
import { searchWords } from './tables/search.ts';
import { createTableFiles } from './tables/stored-files.ts';
import { settleToken } from './tokens.ts';
import { createTranscript } from './transcript.ts';
import { createKeyRing } from './user-keys.ts';
import { openBot, openWorkspace } from './workspace.ts';

/** Milliseconds between two pings: existing clients give up after 45 s without a byte. */
const pingInterval = 30_000;

export interface PlatformOptions {
  db: Database;
  /** The code of the bot of the settings. */
  handler: BotHandler;
  /** Where the code of all other bots lies; left out: there is none. */
  botsFolder?: string | undefined;
  /** Secret of user keys. */
  secret: string;
  /** The last part of the address of the chat of the settings. */
  webhookId: string;
  logger: Logger;
  /** The folder of built files. */
  dist: string;
  /** The folder of files; made when it is missing. */
  filesFolder: string;
  /** What visitors may send; 100 MB of any type when left out. */
  fileLimits?: FileLimits;
  /** Days after which unused conversations are deleted; left out or 0: never. */
  retentionDays?: number;
  /** How files are read for their words. */
  extraction?: ExtractionOptions;
  /** Under which address browsers reach the server; left out: the one that each request came to. */
  publicUrl?: string | undefined;
  /** Apps sign user keys themselves. */
  personalKeys?: boolean;
  /** The dashboard configuration where an administrator has stored nothing. */
  configuration?: Configuration | undefined;
  /** The administrator's token, in place of the one before; left out: made at the first start. */
  adminToken?: string | undefined;
  allowedOrigins?: readonly string[] | undefined;
  /** Requests a minute of one user key; left out or 0: no limit. */
  rateLimit?: number;
  /** Streams that may be open at a time. */
  streamLimits?: { perUser: number; perAddress: number };
  /** Proxies before this server whose X-Forwarded-For is believed; left out: none. */
  trustProxy?: number;
  /** Milliseconds that bot code may take for one event. */
  botTimeLimit?: number;
  /** How events are sent to bots at other addresses. */
  webhooks?: WebhookSettings;
  /** The clock, milliseconds since 1970. */
  now?: () => number;
  /** Milliseconds of a clock that never goes back. */
  elapsed?: () => number;
}

export interface Platform {
  app: Hono;
  bus: Bus;
  /** Where the administrator's token is good. */
  workspaceId: string;
  /**
   * Takes up what an earlier life left undone: waiting bot events, rows to sweep. Gives the administrator's token when
   * it was made just now: this is the one time that it can be read.
   */
  start(): Promise<string | undefined>;
  /** Removes what is past its time or deleted, and resolves when nothing is left in the data folder; it does so by itself. */
  sweep(): Promise<void>;
  /** Closes all streams and stops the bot. The database stays open. */
  close(): Promise<void>;
}

export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const { db, handler, logger, webhookId, personalKeys = false, botTimeLimit, now = Date.now } = options;
  const { retentionDays = 0 } = options;
  const workspaceId = await db.write(async (tx) => {
    const id = await openWorkspace(tx, webhookId, options.configuration !== undefined, now());
    await openBot(tx, id, webhookId, now());
    return id;
  });
  const bus = createBus();
  const live = createLive(bus);
  const store = await openFileStore(options.filesFolder);
  const tokens = createFileTokens(options.secret);
  const files = createFileService(options.fileLimits ?? { maxBytes: limits.fileBytes, types: [] }, tokens);
  const passages = await db.write(openFullText);
  const indexer = createIndexer({
    db,
    store,
    index: passages,
    extraction: createExtraction(options.extraction),
    logger,
    now,
  });
  const platformFiles = createPlatformFiles(tokens, {
    passages,
    onWaiting: indexer.wake,
    onRemoved: () => void sweeper.sweep(),
    now,
  });
  const transcript = createTranscript({
    bus,
    now,
    onDelivery: (conversationId) => runner.wake(conversationId),
    onRemoved(conversationId) {
      runner.cancel(conversationId);
      void sweeper.sweep();
    },
  });
  const sweeper = createSweeper({ db, store, passages, transcript, logger, now, retentionDays });
  const botCode = createBotCode({ webhookId, workspaceId, handler, folder: options.botsFolder, logger });
  const runner = createBotRunner({
    db,
    live,
    transcript,
    handlerOf: botCode.handlerOf,
    logger,
    now,
    ...(options.webhooks ? { webhooks: options.webhooks } : {}),
    ...(botTimeLimit === undefined ? {} : { timeLimit: botTimeLimit }),
  });
  const tableFiles = createTableFiles({ db, store, onRemoved: () => void sweeper.sweep(), now });
  const tableJobs = createTableJobs({ db, files: tableFiles, logger, now });
  const streams = createBotStreams({ db, live, transcript });
  const keys = createKeyRing(options.secret, now);
  const clientOf = createAddressReader(options.trustProxy ?? 0);
  const app = createApp({
    clientOf,
    streamSlots: createStreamSlots(options.streamLimits),
    db,
    bus,
    live,
    services: {
      transcript,
      live,
      files,
      platformFiles,
      tables: { jobs: tableJobs, files: tableFiles, search: searchWords },
      keys,
      personalKeys,
      dashboard: createDashboard(webhookId, options.configuration ?? {}, files),
      botCode,
      onBotRemoved(botId) {
        bus.closeBot(botId);
        void sweeper.sweep();
      },
      onKeysEnded: bus.closeBot,
      streams,
      onDelivery: (conversationId) => runner.wake(conversationId),
      onUserRemoved(userId) {
        bus.endUser(userId);
        runner.cancelOwner(userId);
        void sweeper.sweep();
      },
      now,
    },
    rateLimit: createRateLimit({
      perMinute: options.rateLimit ?? 0,
      addressOf: clientOf,
      onAddressRefused: warnOfProxy(options.trustProxy ?? 0, logger),
      ...(options.elapsed ? { now: options.elapsed } : {}),
    }),
    uploads: createUploadHandler({
      db,
      store,
      tokens,
      fileTypes: files.types,
      onComplete: indexer.wake,
      onRemoved: platformFiles.onRemoved,
      now,
    }),
    visitorDownloads: createDownloadHandler({ db, store, tokens, of: 'visitors', now }),
    platformDownloads: createDownloadHandler({ db, store, tokens, of: 'platform', now }),
    publicUrl: options.publicUrl,
    allowedOrigins: options.allowedOrigins,
    dist: options.dist,
    logger,
  });
  const pings = setInterval(() => bus.ping(), pingInterval);
  pings.unref();

  return {
    app,
    bus,
    workspaceId,
    async start() {
      await runner.start();
      void sweeper.start();
      indexer.wake();
      tableJobs.wake();
      return db.write((tx) => settleToken(tx, workspaceId, options.adminToken, now()));
    },
    sweep: sweeper.sweepAndPurge,
    async close() {
      clearInterval(pings);
      streams.close();
      bus.closeAll();
      await indexer.close();
      await tableJobs.close();
      await sweeper.close();
      await store.close();
      await runner.close();
    },
  };
}

/**
 * Once, and without the address: behind a proxy that this server does not know of, all visitors together are one, and
 * the operator has no other way to see why they are refused.
 */
function warnOfProxy(trustProxy: number, logger: Logger): () => void {
  let isSaid = false;
  return () => {
    if (isSaid || trustProxy > 0) return;
    isSaid = true;
    logger.warn('an address asks too often (RATE_LIMIT); if it is your proxy, set TRUST_PROXY');
  };
}
