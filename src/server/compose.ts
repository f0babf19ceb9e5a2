// The composition root: creates the services of the server around one database and connects them. server.ts opens the
// port and the database.
import { join } from 'node:path';
import { readLocale } from '../protocol/headers/locale.ts';
import { limits } from '../protocol/limits.ts';
import { ensureFirstWorkspace } from './admin/index.ts';
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
import type { Readiness } from './http/health.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createNetworkDigest, createNetworkReader } from './limits/client-address.ts';
import { createFreeDisk } from './limits/free-disk.ts';
import { warnOfProxy } from './limits/proxy-warning.ts';
import { createQuotas } from './limits/quotas.ts';
import { createStreamSlots } from './limits/stream-slots.ts';
import { startPings } from './realtime/pings.ts';
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

export async function composeServer(options: CompositionOptions): Promise<Composition> {
  const { db, logger, webhookId, personalKeys = false, botTimeLimit, now = Date.now } = options;
  if (!options.isDevelopment) await removeDevelopmentErrors(db);
  const workspaceId = await ensureFirstWorkspace(db, webhookId, options.configuration !== undefined, now());
  let publicUrl = options.publicUrl ?? 'http://127.0.0.1:3000';
  const widgetVersions = await openWidgetVersions({
    built: join(options.dist, 'webchat'),
    folder: options.widgetVersions?.folder,
    months: options.widgetVersions?.months ?? 12,
    logger,
    now,
  });
  const readiness: Readiness = { state: 'starting' };
  const pubSub = createPubSub();
  const presence = createPresence(pubSub);
  const store = await openFileStore({ db, folder: options.filesFolder, s3: options.s3, logger, now });
  const tokens = createFileTokens(options.secret, options.previousSecrets);
  const fileLimits = options.fileLimits ?? { maxBytes: limits.fileBytes, types: [] };
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
    auditLifetime: (options.auditRetentionDays ?? 365) * 24 * 60 * 60 * 1000,
  });
  const botCode = createBotCode({ ...options, workspaceId });
  const runner = createBotRunner({
    db,
    presence,
    transcript,
    knowledge: platformFiles,
    handlerOf: botCode.handlerOf,
    logger,
    now,
    workspaceId,
    onHandled: options.onHandled,
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
      files: createFileService(tokens),
      platformFiles,
      tables: tables.service,
      keys: createKeyRing(options.secret, now, options.previousSecrets),
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
    readiness,
    logger,
  });
  const stopPings = startPings(pubSub);
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
      const token = await db.write((tx) => ensureAdminToken(tx, workspaceId, options.adminToken, now()));
      if (readiness.state === 'starting') readiness.state = 'ready';
      return token;
    },
    cleanUp: cleanup.runAndPurge,
    announceStop() {
      readiness.state = 'draining';
    },
    async drain({ timeLimit, closingTime }) {
      await runner.drain(timeLimit);
      await pubSub.closeInSteps(closingTime);
    },
    async close() {
      stopPings();
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
