// The composition root: creates the services of the server around one database and connects them. ../server.ts opens the
// port and the database.
import { join } from 'node:path';
import { ensureFirstWorkspace } from '../admin/index.ts';
import { ensureAdminToken } from '../auth/tokens.ts';
import {
  type Agent,
  createAddressPolicy,
  createBotCode,
  createBotRunner,
  isAnsweredByAgent,
  postPush,
  removeDevelopmentErrors,
} from '../bots/index.ts';
import { assignChatWorkers, createTranscript } from '../chat/index.ts';
import type { FileStore } from '../files/index.ts';
import type { Readiness } from '../http/health.ts';
import { createAlerts, createInbox } from '../inbox/index.ts';
import { createCleanup } from '../maintenance/cleanup/index.ts';
import { createAnswers } from '../notifications/answers.ts';
import { openPushSender } from '../notifications/push-sender.ts';
import { createSignIn } from '../session/index.ts';
import { createTextIndex } from '../storage/inbox/searched-texts.ts';
import { createTables, type ModelOptions } from '../tables/index.ts';
import { createBotOrigins, createConfigurationStore, openWidgetVersions } from '../webchat/index.ts';
import { type AppParts, createServerApp } from './app.ts';
import { createFiles } from './files.ts';
import type { Composition, Wiring } from './options.ts';
import { createProcesses, type ProcessParts } from './processes.ts';
import { createSearchWords } from './search-words.ts';
import { readExternalServices, type Settings } from './settings.ts';

/** Throws StartError for settings that do not fit together. */
export async function composeServer(settings: Settings, wiring: Wiring): Promise<Composition> {
  const { db, logger, now = Date.now } = wiring;
  const external = readExternalServices(settings);
  if (settings.DEV_ERRORS === 'off') await removeDevelopmentErrors(db);
  const hasFile = wiring.configuration !== undefined;
  const workspaceId = await ensureFirstWorkspace(db, settings.WEBHOOK_ID, hasFile, now());
  const widgetVersions = await openWidgetVersions({
    built: join(wiring.dist, 'webchat'),
    folder: join(settings.DATA_DIR, 'webchat'),
    months: settings.WEBCHAT_KEEP_VERSIONS,
    logger,
    now,
  });
  const connection = createProcesses(wiring);
  const { processes, realtime, team, slotCounts, sharedUsage } = connection;
  const { fanOut, streamControl, presence } = realtime;
  const onRemoved = () => cleanup.run();
  const files = await createFiles(settings, wiring, { external, processes, now, onRemoved });
  const { store, passages } = files;
  const configurations = createConfigurations(settings, wiring, { external, store });
  await db.write(createTextIndex);
  const inbox = createInbox({ db, team, processes, getTranscript: () => transcript, logger, now });
  presence.pages.follow((workspaceId, told) => inbox.onChange(workspaceId, { kind: 'page', ...told }));
  const sender = external.push && (await openPushSender(external.push, { db, post: postPush, logger, now }));
  const answers = createAnswers(external, {
    ...{ db, processes, sender, onTeamChange: inbox.onChange, logger, now },
  });
  const transcript = createTranscript({
    ...{ db, fanOut, presence, streamControl, now },
    onDelivery: (id) => runner.wake(id),
    claimFor: (bot) => runner.claimFor(bot),
    onPosted: (written) => runner.deliver(written),
    onSuperseded(conversationId, eventIds) {
      for (const id of eventIds) runner.cancelEvent(conversationId, id);
    },
    onTeamChange: inbox.onChange,
    isWatched: team.isWatched,
    onTakenFromBot: (id) => runner.takeOver(id),
    answerNotices: answers.notices,
    onRemoved(conversationIds) {
      for (const id of conversationIds) runner.cancel(id);
      cleanup.run();
    },
  });
  const cleanup = createCleanup({ settings, db, processes, store, passages, transcript, logger, now });
  assignChatWorkers({ db, processes, transcript, logger, now });
  const botCode = createBotCode({ ...wiring, settings, workspaceId });
  const address = { url: settings.PUBLIC_URL ?? 'http://127.0.0.1:3000' };
  const alerts = createAlerts({
    ...{ db, processes, mail: external.mail, sender, logger, now },
    delay: settings.INBOX_ALERT_DELAY * 60_000,
    addressesOf: createAddressPolicy(settings.WEBHOOK_PRIVATE, workspaceId),
    address: () => address.url,
  });
  const runner = createBotRunner({
    ...{ settings, db, presence, transcript, processes, slotCounts, logger, now, workspaceId },
    knowledge: files.platformFiles,
    createClaims: connection.createClaims,
    handlerOf: botCode.handlerOf,
    agent: wiring.agent,
    agentHooks: wiring.agentHooks,
    onHandled: wiring.onHandled,
    publicUrl: () => address.url,
    webhookTimes: wiring.webhookTimes,
    timeLimit: wiring.botTimeLimit,
  });
  const tables = createTables({
    ...{ settings, db, processes, store, logger, now },
    onRemoved: cleanup.run,
    model: wiring.model,
    embeddings: files.indexing.sharedModel,
    waitLimit: wiring.waitComputedLimit,
  });
  const streams = connection.createStreams({ db, transcript, now });
  const parts = {
    ...{ now, external, realtime, transcript, inbox, files, configurations, tables },
    ...{
      botCode,
      runner,
      streams,
      cleanup,
      widgetVersions,
      sharedUsage,
      slotCounts,
      answers,
      alerts,
      sender,
      workspaceId,
    },
    botOrigins: createBotOrigins(processes.broadcasts, now),
    readiness: { state: 'starting' } as Readiness,
    signIn: createSignIn({ ...external, db, secret: wiring.secret, logger }, now),
  };
  const app = createServerApp(settings, wiring, parts);
  return { app, ...lifecycleOf(settings, wiring, { ...parts, connection, address }) };
}

type LifecycleParts = AppParts & {
  connection: ProcessParts;
  /** The address for links in messages of bots. */
  address: { url: string };
};

function lifecycleOf(
  settings: Settings,
  { db, logger }: Wiring,
  { connection, workspaceId, address, ...parts }: LifecycleParts,
): Omit<Composition, 'app'> {
  const { readiness, runner, answers, alerts, inbox, tables, files } = parts;
  const { processes, realtime } = connection;
  const searchWords = createSearchWords(db, files.passages, logger);
  return {
    ...{ pubSub: realtime.pubSub, processes, workspaceId },
    computed: tables.service.computed,
    routing: inbox.routing,
    async start(url) {
      address.url = url ?? address.url;
      await runner.start();
      await processes.start();
      const token = await db.write((tx) =>
        ensureAdminToken(tx, workspaceId, settings.ADMIN_TOKEN, parts.now()),
      );
      if (readiness.state === 'starting') readiness.state = 'ready';
      searchWords.start();
      return token;
    },
    cleanUp: parts.cleanup.runAndPurge,
    sendAnswers: answers.send,
    sendAlerts: alerts.look,
    announceStop() {
      readiness.state = 'draining';
    },
    async drain({ timeLimit, closingTime }) {
      await runner.drain(timeLimit);
      const all = [inbox.inboxStreams, realtime.pubSub];
      await Promise.all(all.map((streams) => streams.closeInSteps(closingTime)));
    },
    async close() {
      await searchWords.close();
      parts.streams.close();
      await inbox.close();
      realtime.close();
      await Promise.all([parts.signIn.close(), answers.close(), alerts.close()]);
      await processes.close();
      tables.close();
      await files.indexing.close();
      await files.store.close();
      await runner.close();
      await parts.botCode.close();
      await connection.close();
    },
  };
}

function createConfigurations(
  settings: Settings,
  wiring: Wiring,
  parts: Pick<AppParts, 'external'> & { store: FileStore },
) {
  const { store } = parts;
  const answeredByAgent = wiring.agent && settings.WEBHOOK_ID;
  return createConfigurationStore({
    ...{ settings, db: wiring.db, store },
    defaults: wiring.configuration ?? {},
    isAnsweredByAgent: (bot) => isAnsweredByAgent(bot, answeredByAgent),
    allowed: {
      renewal: settings.USER_KEYS === 'issued',
      locale: settings.VISITOR_LOCALE === 'on',
      transcriptMail: parts.external.mail !== undefined,
    },
  });
}

/** The language model of computed columns: the agent, if it has chat completions. */
export const modelOf = (agent: Agent | undefined): ModelOptions | undefined =>
  agent?.protocol === 'openai-chat' && agent.model !== undefined
    ? { url: agent.url, key: agent.key, headers: agent.headers, model: agent.model, options: agent.options }
    : undefined;
