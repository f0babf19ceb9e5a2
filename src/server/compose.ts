// Joins the parts of the server around one database: Chat and Admin API, streams, bot. It opens no port and owns no file.
import type { Hono } from 'hono';
import { limits } from '../protocol/limits.ts';
import { openBot, openWorkspace } from './admin/index.ts';
import { createProofOfWork } from './auth/proof-of-work.ts';
import { settleToken } from './auth/tokens.ts';
import { createKeyRing } from './auth/user-keys.ts';
import { createBotCode, createBotRunner, createBotStreams } from './bots/index.ts';
import { createTranscript } from './chat/index.ts';
import { createCleanupJob } from './cleanup/index.ts';
import type { PlatformOptions } from './compose-options.ts';
import {
  createDownloadHandler,
  createExtraction,
  createFileService,
  createFileTokens,
  createIndexer,
  createPlatformFiles,
  createUploadHandler,
  openFileStore,
  openFullText,
} from './files/index.ts';
import { createApp } from './http/app.ts';
import { createAuditTrail } from './http/audit.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createAddressReader, createNetworkDigest } from './limits/client-address.ts';
import { createFreeDisk } from './limits/free-disk.ts';
import { warnOfProxy } from './limits/proxy-warning.ts';
import { createQuotas } from './limits/quotas.ts';
import { createStreamSlots } from './limits/stream-slots.ts';
import { createLive } from './realtime/presence.ts';
import { type Bus, createBus } from './realtime/pub-sub.ts';
import { createTableFiles, createTableJobs, searchWords } from './tables/index.ts';
import { createDashboard } from './webchat/index.ts';

/** Milliseconds between two pings: existing clients give up after 45 s without a byte. */
const pingInterval = 30_000;

const day = 24 * 60 * 60 * 1000;

export interface Platform {
  app: Hono;
  bus: Bus;
  /** Where the administrator's token is good. */
  workspaceId: string;
  /**
   * Continues what a previous run left undone: pending bot events, jobs, deletions. Returns the administrator's token when
   * it was created just now: it can be read this once.
   */
  start(): Promise<string | undefined>;
  /** Removes what has expired or was deleted, and resolves when nothing of it is left in the data folder; also done in the background. */
  cleanUp(): Promise<void>;
  /** Closes all streams and stops the bot. The database stays open. */
  close(): Promise<void>;
}

export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const { db, handler, logger, webhookId, personalKeys = false, botTimeLimit, now = Date.now } = options;
  const workspaceId = await db.write(async (tx) => {
    const id = await openWorkspace(tx, webhookId, options.configuration !== undefined, now());
    await openBot(tx, id, webhookId, now());
    return id;
  });
  const bus = createBus();
  const live = createLive(bus);
  const store = await openFileStore(options.filesFolder);
  const tokens = createFileTokens(options.secret, options.previousSecrets);
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
    onRemoved: () => void cleanup.run(),
    now,
  });
  const transcript = createTranscript({
    bus,
    now,
    onDelivery: (conversationId) => runner.wake(conversationId),
    onRemoved(conversationId) {
      runner.cancel(conversationId);
      void cleanup.run();
    },
  });
  const cleanup = createCleanupJob({
    db,
    store,
    passages,
    transcript,
    logger,
    now,
    retentionDays: options.retentionDays ?? 0,
    auditLifetime: (options.auditRetentionDays ?? 365) * day,
  });
  const botCode = createBotCode({ webhookId, workspaceId, handler, folder: options.botsFolder, logger });
  const runner = createBotRunner({
    db,
    live,
    transcript,
    handlerOf: botCode.handlerOf,
    logger,
    now,
    workspaceId,
    ...(options.webhooks ? { webhooks: options.webhooks } : {}),
    ...(botTimeLimit === undefined ? {} : { timeLimit: botTimeLimit }),
  });
  const tableFiles = createTableFiles({ db, store, onRemoved: () => void cleanup.run(), now });
  const tableJobs = createTableJobs({ db, files: tableFiles, logger, now });
  const streams = createBotStreams({ db, live, transcript });
  const keys = createKeyRing(options.secret, now, options.previousSecrets);
  const clientOf = createAddressReader(options.trustProxy ?? 0);
  const disk = createFreeDisk({ folder: options.filesFolder, logger, reserve: 0, ...options.disk });
  const app = createApp({
    clientOf,
    audit: createAuditTrail({ db, logger, now, elapsed: options.elapsed }),
    streamSlots: createStreamSlots(options.streamLimits),
    quotas: createQuotas(options.quotas ?? {}, now),
    disk,
    db,
    bus,
    live,
    services: {
      transcript,
      live,
      files,
      platformFiles,
      tables: {
        jobs: tableJobs,
        files: tableFiles,
        onRemoved: () => void cleanup.run(),
        search: searchWords,
      },
      keys,
      personalKeys,
      workspaceCreators: options.workspaceCreators ?? 'operator',
      participants: options.participants ?? 'invited',
      anonymousUserIds: options.anonymousUserIds ?? false,
      keyLifetime: options.keyLifetime ?? 0,
      dashboard: createDashboard(db, webhookId, options.configuration ?? {}, files, !personalKeys),
      proofOfWork: createProofOfWork(options.proofOfWork ?? 0, options.elapsed),
      botCode,
      onBotRemoved(botId) {
        bus.closeBot(botId);
        void cleanup.run();
      },
      onKeysEnded: bus.closeBot,
      onKeysRevoked: bus.closeUser,
      streams,
      onDelivery: (conversationId) => runner.wake(conversationId),
      onUserRemoved(userId) {
        bus.endUser(userId);
        runner.cancelOwner(userId);
        void cleanup.run();
      },
      networkDigest: createNetworkDigest(options.secret),
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
      disk,
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
      void cleanup.start();
      indexer.wake();
      tableJobs.wake();
      return db.write((tx) => settleToken(tx, workspaceId, options.adminToken, now()));
    },
    cleanUp: cleanup.runAndPurge,
    async close() {
      clearInterval(pings);
      streams.close();
      bus.closeAll();
      await indexer.close();
      await tableJobs.close();
      await cleanup.close();
      await store.close();
      await runner.close();
    },
  };
}
