// The composition root: creates the services of the server around one database and connects them. ../server.ts opens the
// port and the database.
import { join } from 'node:path';
import { limits } from '../../protocol/limits.ts';
import { ensureFirstWorkspace } from '../admin/index.ts';
import { ensureAdminToken } from '../auth/tokens.ts';
import {
  createBotCode,
  createBotRunner,
  createBotStreams,
  createSharedStreams,
  isAnsweredByAgent,
  postPush,
  removeDevelopmentErrors,
} from '../bots/index.ts';
import { assignChatWorkers, createAnswers, createTranscript } from '../chat/index.ts';
import { createCleanup, retentionDefaults } from '../cleanup/index.ts';
import {
  createFileTokens,
  createIndexing,
  createPlatformFiles,
  openFileStore,
  openFullText,
} from '../files/index.ts';
import type { Readiness } from '../http/health.ts';
import { createInbox } from '../inbox/index.ts';
import { createSharedSlotCounts } from '../limits/shared-slot-counts.ts';
import { createSharedUsage } from '../limits/shared-usage.ts';
import { createSignIn } from '../session/index.ts';
import { forgetUnusedConfigurationFiles } from '../storage/bots/configuration-files.ts';
import { createTables } from '../tables/index.ts';
import { createConfigurationStore, createThreads, openWidgetVersions } from '../webchat/index.ts';
import { createServerApp } from './app.ts';
import type { Composition, CompositionOptions } from './options.ts';
import { createProcesses } from './processes.ts';
import { createSearchWords } from './search-words.ts';

/** Milliseconds after which a file that was being written is forgotten: its process was killed. */
const unusedFileLifetimeMs = 60 * 60 * 1000;

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
  const processes = createProcesses(options);
  const { relay, broadcasts, cluster, realtime } = processes;
  const { pubSub, fanOut, streamControl, presence } = realtime;
  const store = await openFileStore({ db, folder: options.filesFolder, s3: options.s3, logger, now });
  const tokens = createFileTokens(options.secret, options.previousSecrets);
  const fileLimits = options.fileLimits ?? { maxBytes: limits.fileBytes, types: [] };
  const unusedSince = options.relay ? now() - unusedFileLifetimeMs : Number.MAX_SAFE_INTEGER;
  await db.write((tx) => forgetUnusedConfigurationFiles(tx, unusedSince));
  const threads = createThreads(options.extraction?.execArgv);
  const configurations = createConfigurationStore({
    db,
    store,
    threads,
    webhookId,
    defaults: options.configuration ?? {},
    ...{ fileLimits, sandboxOrigin: options.sandboxOrigin },
    isAnsweredByAgent: (bot) => isAnsweredByAgent(bot, options.agents?.agent && webhookId),
    allowed: {
      renewal: !personalKeys,
      locale: options.visitorLocale !== false,
      transcriptMail: options.mail !== undefined && options.publicUrl !== undefined,
    },
  });
  const passages = await db.write(openFullText);
  const { extraction, embeddings } = options;
  const indexing = createIndexing({
    db,
    cluster,
    store,
    index: passages,
    extraction,
    embeddings,
    logger,
    now,
  });
  const platformFiles = createPlatformFiles(tokens, {
    passages,
    vectors: indexing.vectors,
    semanticSearch: indexing.semanticSearch,
    onWaiting: indexing.wake,
    onRemoved: () => cleanup.run(),
    now,
  });
  const inbox = createInbox({ db, relay, cluster, getTranscript: () => transcript, logger, now });
  const answerOptions = { db, cluster, post: postPush, onTeamChange: inbox.onChange, logger, now };
  const answers = await createAnswers(options, answerOptions);
  const transcript = createTranscript({
    ...{ db, fanOut, presence },
    streamControl,
    now,
    onDelivery: (id) => runner.wake(id),
    claimFor: (bot) => runner.claimFor(bot),
    onPosted: (written) => runner.deliver(written),
    onSuperseded(conversationId, eventIds) {
      for (const id of eventIds) runner.cancelEvent(conversationId, id);
    },
    onTeamChange: inbox.onChange,
    onTakenFromBot: (id) => runner.takeOver(id),
    answerNotices: answers.notices,
    onRemoved(conversationIds) {
      for (const id of conversationIds) runner.cancel(id);
      cleanup.run();
    },
  });
  const cleanup = createCleanup({
    ...{ db, cluster, store, passages, transcript, logger, now },
    retentionDefaults: retentionDefaults(options.retentionDays ?? 0),
    auditLifetime: (options.auditRetentionDays ?? 365) * 24 * 60 * 60 * 1000,
  });
  assignChatWorkers({ db, cluster, transcript, logger, now });
  const botCode = createBotCode({ ...options, workspaceId });
  const sharedSlots =
    options.relay && createSharedSlotCounts({ db, processId: cluster.id, secret: options.secret, logger });
  const runner = createBotRunner({
    db,
    presence,
    transcript,
    knowledge: platformFiles,
    broadcasts,
    shared: options.relay ? { processes: cluster.processes, ...options.sharedEvents } : undefined,
    onClaimChange: options.onClaimChange,
    handlerOf: botCode.handlerOf,
    agents: { ...options.agents, hasApps: options.sandboxOrigin !== undefined },
    slotCounts: sharedSlots,
    logger,
    now,
    webhookId,
    workspaceId,
    onHandled: options.onHandled,
    isDevelopment: options.isDevelopment ?? false,
    publicUrl: () => publicUrl,
    ...(options.webhooks ? { webhooks: options.webhooks } : {}),
    ...(botTimeLimit === undefined ? {} : { timeLimit: botTimeLimit }),
  });
  const tables = createTables({
    db,
    cluster,
    store,
    logger,
    now,
    onRemoved: cleanup.run,
    model: options.model,
    embeddings: indexing.sharedModel,
    computedLimits: options.computedLimits,
    waitLimit: options.waitComputedLimit,
  });
  const streams = options.relay
    ? createSharedStreams({ db, presence, transcript, logger, now })
    : createBotStreams({ db, presence, transcript, now });
  const sharedUsage =
    // The database has its own clock, so that nothing is shared with a clock of a test.
    db.isShared && options.elapsed === undefined
      ? createSharedUsage(db, options.secret, logger, cluster.processes)
      : undefined;
  const signIn = createSignIn(options, now);
  const searchWords = createSearchWords(db, passages, options.logger);
  const app = createServerApp(options, {
    now,
    personalKeys,
    pubSub,
    fanOut,
    streamControl,
    presence,
    transcript,
    inbox,
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
    sharedSlots,
    signIn,
    pushService: answers.pushService,
    transcriptMails: answers.transcriptMails,
  });
  return {
    ...{ app, pubSub, cluster, workspaceId },
    computed: tables.service.computed,
    routing: inbox.routing,
    async start(url) {
      publicUrl = url ?? publicUrl;
      await runner.start();
      await cluster.start();
      const token = await db.write((tx) => ensureAdminToken(tx, workspaceId, options.adminToken, now()));
      if (readiness.state === 'starting') readiness.state = 'ready';
      searchWords.start();
      return token;
    },
    cleanUp: cleanup.runAndPurge,
    sendAnswers: answers.send,
    announceStop() {
      readiness.state = 'draining';
    },
    async drain({ timeLimit, closingTime }) {
      await runner.drain(timeLimit);
      await Promise.all([inbox.inboxStreams, pubSub].map((streams) => streams.closeInSteps(closingTime)));
    },
    async close() {
      await searchWords.close();
      streams.close();
      await inbox.close();
      realtime.close();
      await threads.close();
      await Promise.all([signIn.close(), answers.close()]);
      await cluster.close();
      tables.close();
      await indexing.close();
      await store.close();
      await runner.close();
      await botCode.close();
      await sharedUsage?.close();
      await sharedSlots?.close();
      await processes.close();
    },
  };
}
