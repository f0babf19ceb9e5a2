// The composition of what answers requests: limits, and the services that operations use.
import { readLocale } from '../../protocol/headers.ts';
import { createProofOfWork } from '../auth/proof-of-work.ts';
import { createKeyRing } from '../auth/user-keys.ts';
import {
  type BotStreams,
  createAgentTests,
  type createBotCode,
  type createBotRunner,
} from '../bots/index.ts';
import { createArchiveHandler, createArchives, type Transcript } from '../chat/index.ts';
import {
  createDownloadHandler,
  createFileService,
  createUploadHandler,
  readFileLimits,
} from '../files/index.ts';
import type { Services } from '../http/apis.ts';
import { createApp } from '../http/app.ts';
import { createAuditTrail } from '../http/audit.ts';
import type { Readiness } from '../http/health.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { type Alerts, type Inbox, notesToExport } from '../inbox/index.ts';
import { createNetworkDigest, createNetworkReader, warnOfProxy } from '../limits/client-address.ts';
import { createFreeDisk } from '../limits/free-disk.ts';
import { createQuotas } from '../limits/quotas.ts';
import type { SharedUsage } from '../limits/shared-limit.ts';
import { createStreamSlots, type SlotCounts, streamsPerUser } from '../limits/slots.ts';
import { type createCleanup, retentionDefaults } from '../maintenance/cleanup/index.ts';
import type { AnswerNotifications } from '../notifications/answers.ts';
import type { PushSender } from '../notifications/push-sender.ts';
import { createUnsubscribe } from '../notifications/return-links.ts';
import type { Realtime } from '../realtime/realtime.ts';
import type { SignIn } from '../session/index.ts';
import { botById } from '../storage/bots/bots.ts';
import type { createTables } from '../tables/index.ts';
import {
  type BotOrigins,
  type createConfigurationStore,
  fileLimitsOf,
  type openWidgetVersions,
} from '../webchat/index.ts';
import type { createFiles } from './files.ts';
import type { Composition, Wiring } from './options.ts';
import type { ExternalServices, Settings } from './settings.ts';

/** The services of a server, which server.ts creates. */
export interface AppParts {
  now(): number;
  external: ExternalServices;
  realtime: Realtime;
  transcript: Transcript;
  inbox: Inbox;
  files: Awaited<ReturnType<typeof createFiles>>;
  configurations: ReturnType<typeof createConfigurationStore>;
  tables: ReturnType<typeof createTables>;
  botCode: ReturnType<typeof createBotCode>;
  botOrigins: BotOrigins;
  /** The first workspace. */
  workspaceId: string;
  runner: ReturnType<typeof createBotRunner>;
  streams: BotStreams;
  cleanup: ReturnType<typeof createCleanup>;
  widgetVersions: Awaited<ReturnType<typeof openWidgetVersions>>;
  readiness: Readiness;
  /** The usage of limits by other processes; in a server that can have several. */
  sharedUsage: SharedUsage | undefined;
  /** The open streams of all processes; in a server that can have several. */
  slotCounts: SlotCounts | undefined;
  signIn: SignIn;
  answers: AnswerNotifications;
  alerts: Alerts;
  /** Sends pushes, if the server does. */
  sender: PushSender | undefined;
}

/** Composes the HTTP application of a server. */
export function createServerApp(settings: Settings, wiring: Wiring, parts: AppParts): Composition['app'] {
  const { db, logger } = wiring;
  const { now, configurations, transcript } = parts;
  const { folder, store, tokens, indexing, platformFiles } = parts.files;
  const clientOf = createNetworkReader(settings.TRUST_PROXY);
  const reserve = settings.DISK_RESERVE_BYTES;
  const disk = createFreeDisk({ folder, logger, reserve, ...wiring.disk });
  const perUser = wiring.streamsPerUser ?? streamsPerUser;
  const streamLimits = { perUser, perAddress: settings.MAX_STREAMS_PER_ADDRESS };
  const { pubSub, fanOut, presence } = parts.realtime;
  return createApp({
    ...{ settings, db, logger, clientOf, disk, pubSub, fanOut, presence },
    audit: createAuditTrail({ db, logger, now, elapsed: wiring.elapsed }),
    streamSlots: createStreamSlots(streamLimits, parts.slotCounts),
    quotas: createQuotas(settings, now, parts.sharedUsage),
    networkDigest: createNetworkDigest(wiring.secret),
    services: createServices(settings, wiring, parts),
    rateLimit: createRateLimit({
      perMinute: settings.RATE_LIMIT,
      addressOf: clientOf,
      onAddressRefused: warnOfProxy(settings.TRUST_PROXY, logger),
      sharedUsage: parts.sharedUsage,
      ...(wiring.elapsed ? { now: wiring.elapsed } : {}),
    }),
    uploads: createUploadHandler({
      ...{ db, store, tokens, disk },
      async limitsOf({ ownerType, botId }) {
        const bot = ownerType === 'visitor' && (await db.read((tx) => botById(tx, botId)));
        // The limits of visitors do not apply to the team; and the file of a deleted bot is not completed.
        return bot
          ? (await configurations.webchat(bot)).fileLimits
          : fileLimitsOf(readFileLimits(settings), {});
      },
      onComplete: indexing.wake,
      onRemoved: platformFiles.onRemoved,
      now,
    }),
    visitorDownloads: createDownloadHandler({ db, store, tokens, of: 'visitors', now }),
    platformDownloads: createDownloadHandler({ db, store, tokens, of: 'platform', now }),
    archiveDownloads: createArchiveHandler({ db, store, tokens, team: notesToExport, now }),
    dist: wiring.dist,
    widgetVersions: parts.widgetVersions,
    readiness: parts.readiness,
    unsubscribe: createUnsubscribe({ settings, db, handlings: transcript.handlings, now }),
  });
}

/** The services that the operations of all APIs use. */
function createServices(settings: Settings, wiring: Wiring, parts: AppParts): Services {
  const { db, secret, elapsed } = wiring;
  const { now, files, runner, cleanup } = parts;
  const { presence, streamControl } = parts.realtime;
  const { isShared } = db;
  return {
    ...parts.signIn.services,
    ...parts.inbox,
    alerts: parts.alerts.service,
    ...{ settings, presence, now },
    transcript: parts.transcript,
    files: createFileService(files.tokens),
    archives: createArchives(files.tokens, now),
    fileLimits: fileLimitsOf(readFileLimits(settings), {}),
    platformFiles: files.platformFiles,
    tables: parts.tables.service,
    keys: createKeyRing(secret, now, wiring.previousSecrets),
    mailsAnswers: parts.external.mail !== undefined,
    pushService: parts.sender?.service,
    transcriptMails: parts.answers.transcriptMails,
    localeOf: (headers) => (settings.VISITOR_LOCALE === 'off' ? undefined : readLocale(headers)),
    configurations: parts.configurations,
    proofOfWork: createProofOfWork(
      settings.PROOF_OF_WORK,
      elapsed ?? (isShared ? now : undefined),
      isShared ? { sharedSecret: secret } : {},
    ),
    botCode: parts.botCode,
    botOrigins: parts.botOrigins,
    agentTests: createAgentTests({
      ...{ settings, db, now, agent: wiring.agent },
      ...{ slotCounts: parts.slotCounts, workspaceId: parts.workspaceId },
    }),
    onBotRemoved(botId) {
      streamControl.closeBot(botId);
      cleanup.run();
    },
    onKeysEnded: streamControl.closeBot,
    onKeysRevoked: streamControl.closeUser,
    streams: parts.streams,
    retentionDefaults: retentionDefaults(settings),
    onDelivery: (conversationId) => runner.wake(conversationId),
    onUserMerged(userId, intoUserId) {
      streamControl.moveUser(userId, intoUserId);
      runner.changeOwner(userId, intoUserId);
    },
    onUserRemoved(userId) {
      streamControl.closeUserAndOwnedConversations(userId);
      runner.cancelOwner(userId);
      cleanup.run();
    },
  };
}
