// Joins the parts of the server around one database: Chat API, streams, bot. It opens no port and owns no file.
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { BotHandler } from '../protocol/bot.ts';
import type { Configuration } from '../protocol/config.ts';
import { limits } from '../protocol/limits.ts';
import type { Webchat } from '../protocol/webchat.ts';
import { createApp } from './app.ts';
import { createBotRunner } from './bot.ts';
import { type Bus, createBus } from './bus.ts';
import { type BotRow, ensureBot, setConfiguration } from './db/bots.ts';
import type { Database } from './db/database.ts';
import { insertUser } from './db/users.ts';
import { createDownloadHandler } from './files/download.ts';
import { createFileService, type FileLimits, type FileService } from './files/service.ts';
import { openFileStore } from './files/store.ts';
import { createFileTokens } from './files/tokens.ts';
import { createUploadHandler } from './files/upload.ts';
import { createId } from './ids.ts';
import { createLive } from './live.ts';
import { createSweeper } from './sweeper.ts';
import { createTranscript } from './transcript.ts';
import { createUserKeys } from './user-keys.ts';

/** Milliseconds between two pings: existing clients give up after 45 s without a byte. */
const pingInterval = 30_000;

export interface PlatformOptions {
  db: Database;
  handler: BotHandler;
  /** Secret of user keys. */
  secret: string;
  webhookId: string;
  logger: Logger;
  /** The folder of built files. */
  dist: string;
  /** The folder of visitors' files; made when it is missing. */
  filesFolder: string;
  /** What visitors may send; 100 MB of any type when left out. */
  fileLimits?: FileLimits;
  /** Under which address browsers reach the server; left out: the one that each request came to. */
  publicUrl?: string | undefined;
  /** Apps sign user keys themselves. */
  personalKeys?: boolean;
  /** Replaces the stored dashboard configuration. */
  configuration?: Configuration | undefined;
  allowedOrigins?: readonly string[] | undefined;
  /** Milliseconds that bot code may take for one event. */
  botTimeLimit?: number;
  /** The clock, milliseconds since 1970. */
  now?: () => number;
}

export interface Platform {
  app: Hono;
  bus: Bus;
  /** Takes up what an earlier life left undone: waiting bot events, rows to sweep. */
  start(): Promise<void>;
  /** Closes all streams and stops the bot. The database stays open. */
  close(): Promise<void>;
}

export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const { db, handler, logger, webhookId, personalKeys = false, botTimeLimit, now = Date.now } = options;
  const bot = await identity(options, now());
  const bus = createBus();
  const live = createLive(bus);
  const store = await openFileStore(options.filesFolder);
  const tokens = createFileTokens(options.secret);
  const files = createFileService(options.fileLimits ?? { maxBytes: limits.fileBytes, types: [] }, tokens);
  const sweeper = createSweeper(db, store, logger, now);
  const transcript = createTranscript({
    bus,
    now,
    onDelivery: (conversationId) => runner.wake(conversationId),
    onRemoved(conversationId) {
      runner.cancel(conversationId);
      void sweeper.sweep();
    },
  });
  const runner = createBotRunner({
    db,
    live,
    transcript,
    handler,
    bot,
    logger,
    ...(botTimeLimit === undefined ? {} : { timeLimit: botTimeLimit }),
  });
  const keys = createUserKeys(options.secret, now);
  const app = createApp({
    db,
    bus,
    live,
    services: {
      transcript,
      live,
      files,
      keys,
      personalKeys,
      webchat: webchatOf(bot, files),
      onUserRemoved: () => void sweeper.sweep(),
      now,
    },
    uploads: createUploadHandler({ db, store, tokens, fileTypes: files.types, now }),
    downloads: createDownloadHandler({ db, store, tokens }),
    publicUrl: options.publicUrl,
    webhookId,
    allowedOrigins: options.allowedOrigins,
    dist: options.dist,
    logger,
  });
  const pings = setInterval(() => bus.ping(), pingInterval);
  pings.unref();

  return {
    app,
    bus,
    async start() {
      await runner.start();
      void sweeper.start();
    },
    async close() {
      clearInterval(pings);
      bus.closeAll();
      await sweeper.close();
      await store.close();
      await runner.close();
    },
  };
}

/** The bot behind the webhook id, made at the first start; a given configuration replaces the stored one. */
async function identity({ db, webhookId, configuration }: PlatformOptions, now: number): Promise<BotRow> {
  return db.write(async (tx) => {
    const fresh: BotRow = { id: createId('bot'), userId: createId('user'), configuration: '{}' };
    const bot = await ensureBot(tx, webhookId, fresh);
    if (bot === fresh) {
      const nothing = { foreignId: null, name: null, pictureUrl: null, profile: null };
      await insertUser(tx, { id: fresh.userId, ...nothing, createdAt: now, updatedAt: now, isBot: true });
    }
    if (!configuration) return bot;
    const text = JSON.stringify(configuration);
    await setConfiguration(tx, bot.id, text);
    return { ...bot, configuration: text };
  });
}

/** What every visitor may know. The admin key is not among it. */
function webchatOf(bot: BotRow, files: FileService): Webchat {
  const { adminKey: _, ...configuration } = JSON.parse(bot.configuration) as Configuration;
  return {
    configuration,
    features: ['replay', 'idempotency', 'stream', 'typing', 'files', 'feedback'],
    limits: { messageBytes: limits.payloadBytes, fileBytes: files.maxBytes, fileTypes: [...files.types] },
  };
}
