// The composition root: creates the services of the server around one database and connects them. server.ts opens the
// port and the database.
import { join } from 'node:path';
import { limits } from '../protocol/limits.ts';
import { ensureFirstWorkspace } from './admin/index.ts';
import { ensureAdminToken } from './auth/tokens.ts';
import { createBotCode, createBotRunner, createBotStreams, removeDevelopmentErrors } from './bots/index.ts';
import { createTranscript } from './chat/index.ts';
import { createCleanupJob } from './cleanup/index.ts';
import { createBroadcasts } from './cluster/broadcasts.ts';
import { createLocalRelay } from './cluster/relay.ts';
import { createServerApp } from './compose-app.ts';
import type { CompositionOptions } from './compose-options.ts';
import type { Composition } from './composition.ts';
import {
  createFileTokens,
  createIndexing,
  createPlatformFiles,
  openFileStore,
  openFullText,
} from './files/index.ts';
import type { Readiness } from './http/health.ts';
import { createSharedUsage } from './limits/shared-usage.ts';
import { startPings } from './realtime/pings.ts';
import { createPresence } from './realtime/presence.ts';
import { createPubSub } from './realtime/pub-sub.ts';
import { forgetUnusedConfigurationFiles } from './storage/bots/configuration-files.ts';
import { createTables } from './tables/index.ts';
import { createConfigurationStore, createThreads, openWidgetVersions } from './webchat/index.ts';

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
  const relay = options.relay ?? createLocalRelay();
  const broadcasts = createBroadcasts(relay, logger);
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
  const sharedUsage =
    // The database has its own clock, so that nothing is shared with a clock of a test.
    db.dialect === 'postgres' && options.elapsed === undefined
      ? createSharedUsage(db, options.secret, logger)
      : undefined;
  const app = createServerApp(options, {
    now,
    personalKeys,
    pubSub,
    presence,
    transcript,
    store,
    tokens,
    fileLimits,
    platformFiles,
    indexing,
    threads,
    configurations,
    tables,
    botCode,
    runner,
    streams,
    cleanup,
    widgetVersions,
    readiness,
    sharedUsage,
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
      await sharedUsage?.close();
      broadcasts.close();
      await relay.close();
    },
  };
}
