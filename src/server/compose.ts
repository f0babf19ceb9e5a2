// The composition root: creates the services of the server around one database and connects them. server.ts opens the
// port and the database.
import { join } from 'node:path';
import { readLocale } from '../protocol/headers/locale.ts';
import { limits } from '../protocol/limits.ts';
import { ensureBot, ensureWorkspace } from './admin/index.ts';
import { createProofOfWork } from './auth/proof-of-work.ts';
import { ensureAdminToken } from './auth/tokens.ts';
import { createKeyRing } from './auth/user-keys.ts';
import { createBotCode, createBotRunner, createBotStreams, removeDevelopmentErrors } from './bots/index.ts';
import { createTranscript } from './chat/index.ts';
import { createCleanupJob } from './cleanup/index.ts';
import type { CompositionOptions } from './compose-options.ts';
import type { Composition } from './composition.ts';
import {
  createDownloadHandler,
  createFileService,
  createFileTokens,
  createIndexing,
  createPlatformFiles,
  createUploadHandler,
  openFileStore,
  openFullText,
} from './files/index.ts';
import { createApp } from './http/app.ts';
import { createAuditTrail } from './http/audit.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createNetworkDigest, createNetworkReader } from './limits/client-address.ts';
import { createFreeDisk } from './limits/free-disk.ts';
import { warnOfProxy } from './limits/proxy-warning.ts';
import { createQuotas } from './limits/quotas.ts';
import { createStreamSlots } from './limits/stream-slots.ts';
import { createPresence } from './realtime/presence.ts';
import { createPubSub } from './realtime/pub-sub.ts';
import { botById } from './storage/bots/bots.ts';
import { forgetUnusedConfigurationFiles } from './storage/bots/configuration-files.ts';
import { createTables } from './tables/index.ts';
import {
  createConfigurationStore,
  createLargeBodies,
  createThreads,
  fileLimitsOf,
  openWidgetVersions,
} from './webchat/index.ts';

/** Milliseconds between two pings: existing clients close a stream after 45 s without data. */
const pingInterval = 30_000;

const day = 24 * 60 * 60 * 1000;

export async function composeServer(options: CompositionOptions): Promise<Composition> {
  const { db, bot, logger, webhookId, personalKeys = false, botTimeLimit, now = Date.now } = options;
  if (!options.isDevelopment) await removeDevelopmentErrors(db);
  const workspaceId = await db.write(async (tx) => {
    const id = await ensureWorkspace(tx, webhookId, options.configuration !== undefined, now());
    await ensureBot(tx, id, webhookId, now());
    return id;
  });
  let publicUrl = options.publicUrl ?? 'http://127.0.0.1:3000';
  const widgetVersions = await openWidgetVersions({
    built: join(options.dist, 'webchat'),
    folder: options.widgetVersions?.folder,
    months: options.widgetVersions?.months ?? 12,
    logger,
    now,
  });
  const pubSub = createPubSub();
  const presence = createPresence(pubSub);
  const store = await openFileStore(options.filesFolder);
  const tokens = createFileTokens(options.secret, options.previousSecrets);
  const fileLimits = options.fileLimits ?? { maxBytes: limits.fileBytes, types: [] };
  const files = createFileService(tokens);
  await db.write(forgetUnusedConfigurationFiles);
  const threads = createThreads(options.extraction?.execArgv);
  const configurations = createConfigurationStore({
    db,
    store,
    threads,
    webhookId,
    defaults: options.configuration ?? {},
    fileLimits,
    allowed: { renewal: !personalKeys, locale: options.visitorLocale !== false },
  });
  const passages = await db.write(openFullText);
  const { extraction, embeddings } = options;
  const indexing = createIndexing({ db, store, index: passages, extraction, embeddings, logger, now });
  const platformFiles = createPlatformFiles(tokens, {
    passages,
    vectors: indexing.vectors,
    semanticSearch: indexing.semanticSearch,
    onWaiting: indexing.indexer.wake,
    onRemoved: () => void cleanup.run(),
    now,
  });
  const transcript = createTranscript({
    pubSub,
    now,
    onDelivery: (conversationId) => runner.wake(conversationId),
    onPosted: (written) => runner.deliver(written),
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
  const { botsFolder, botThreads } = options;
  const botCode = createBotCode({ webhookId, workspaceId, bot, botsFolder, botThreads, logger });
  const runner = createBotRunner({
    db,
    presence,
    transcript,
    knowledge: platformFiles,
    handlerOf: botCode.handlerOf,
    logger,
    now,
    workspaceId,
    isDevelopment: options.isDevelopment ?? false,
    publicUrl: () => publicUrl,
    ...(options.webhooks ? { webhooks: options.webhooks } : {}),
    ...(botTimeLimit === undefined ? {} : { timeLimit: botTimeLimit }),
  });
  const tables = createTables({
    db,
    store,
    logger,
    now,
    onRemoved: () => void cleanup.run(),
    model: options.model,
    embeddings: indexing.sharedModel,
    computedLimits: options.computedLimits,
    waitLimit: options.waitComputedLimit,
  });
  const streams = createBotStreams({ db, presence, transcript });
  const keys = createKeyRing(options.secret, now, options.previousSecrets);
  const clientOf = createNetworkReader(options.trustProxy ?? 0);
  const disk = createFreeDisk({ folder: options.filesFolder, logger, reserve: 0, ...options.disk });
  const app = createApp({
    clientOf,
    audit: createAuditTrail({ db, logger, now, elapsed: options.elapsed }),
    streamSlots: createStreamSlots(options.streamLimits),
    quotas: createQuotas(options.quotas ?? {}, now),
    disk,
    db,
    largeBodies: createLargeBodies({ db, store, threads, now, onRemoved: () => void cleanup.run() }),
    pubSub,
    presence,
    networkDigest: createNetworkDigest(options.secret),
    services: {
      transcript,
      presence,
      files,
      platformFiles,
      tables: tables.service,
      keys,
      personalKeys,
      workspaceCreators: options.workspaceCreators ?? 'operator',
      participants: options.participants ?? 'invited',
      anonymousUserIds: options.anonymousUserIds ?? false,
      keyLifetime: options.keyLifetime ?? 0,
      localeOf: (headers) => (options.visitorLocale === false ? undefined : readLocale(headers)),
      configurations,
      proofOfWork: createProofOfWork(options.proofOfWork ?? 0, options.elapsed),
      botCode,
      onBotRemoved(botId) {
        pubSub.closeBot(botId);
        void cleanup.run();
      },
      onKeysEnded: pubSub.closeBot,
      onKeysRevoked: pubSub.closeUser,
      streams,
      onDelivery: (conversationId) => runner.wake(conversationId),
      onUserMerged(userId, intoUserId) {
        pubSub.moveUser(userId, intoUserId);
        runner.changeOwner(userId, intoUserId);
      },
      onUserRemoved(userId) {
        pubSub.closeUserAndOwnedConversations(userId);
        runner.cancelOwner(userId);
        void cleanup.run();
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
      disk,
      async limitsOf(botId) {
        const bot = await db.read((tx) => botById(tx, botId));
        // The file of a deleted bot is not completed.
        return bot ? (await configurations.webchat(bot)).fileLimits : fileLimitsOf(fileLimits, {});
      },
      onComplete: indexing.indexer.wake,
      onRemoved: platformFiles.onRemoved,
      now,
    }),
    visitorDownloads: createDownloadHandler({ db, store, tokens, of: 'visitors', now }),
    platformDownloads: createDownloadHandler({ db, store, tokens, of: 'platform', now }),
    publicUrl: options.publicUrl,
    allowedOrigins: options.allowedOrigins,
    dist: options.dist,
    widgetVersions,
    logger,
  });
  const pings = setInterval(() => pubSub.ping(), pingInterval);
  pings.unref();

  return {
    app,
    pubSub,
    workspaceId,
    computed: tables.service.computed,
    async start(url) {
      publicUrl = url ?? publicUrl;
      await runner.start();
      void cleanup.start();
      indexing.start();
      await tables.start();
      return db.write((tx) => ensureAdminToken(tx, workspaceId, options.adminToken, now()));
    },
    cleanUp: cleanup.runAndPurge,
    async close() {
      clearInterval(pings);
      streams.close();
      pubSub.closeAll();
      await threads.close();
      await tables.close();
      await indexing.close();
      await cleanup.close();
      await store.close();
      await runner.close();
      await botCode.close();
    },
  };
}
