// The composition of what answers requests: limits, and the services that operations use.
import { readLocale } from '../../protocol/headers/locale.ts';
import { createProofOfWork } from '../auth/proof-of-work.ts';
import { createKeyRing } from '../auth/user-keys.ts';
import type { BotStreams, createBotCode, createBotRunner } from '../bots/index.ts';
import {
  createArchiveHandler,
  createArchives,
  createUnsubscribe,
  type PushService,
  type Transcript,
  type TranscriptMails,
} from '../chat/index.ts';
import { type createCleanup, retentionDefaults } from '../cleanup/index.ts';
import {
  createDownloadHandler,
  createFileService,
  type createFileTokens,
  type createIndexing,
  type createPlatformFiles,
  createUploadHandler,
  type FileLimits,
  type openFileStore,
} from '../files/index.ts';
import { createApp } from '../http/app.ts';
import { createAuditTrail } from '../http/audit.ts';
import type { Readiness } from '../http/health.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { type Inbox, notesToExport } from '../inbox/index.ts';
import { createNetworkDigest, createNetworkReader } from '../limits/client-address.ts';
import { createFreeDisk } from '../limits/free-disk.ts';
import { warnOfProxy } from '../limits/proxy-warning.ts';
import { createQuotas } from '../limits/quotas.ts';
import type { SharedUsage } from '../limits/shared-usage.ts';
import type { SlotCounts } from '../limits/slot-counts.ts';
import { createStreamSlots } from '../limits/stream-slots.ts';
import type { FanOut } from '../realtime/fan-out/fan-out.ts';
import type { Presence } from '../realtime/presence.ts';
import type { PubSub } from '../realtime/pub-sub.ts';
import type { StreamControl } from '../realtime/stream-control.ts';
import type { SignIn } from '../session/index.ts';
import { botById } from '../storage/bots/bots.ts';
import type { createTables } from '../tables/index.ts';
import { type createConfigurationStore, fileLimitsOf, type openWidgetVersions } from '../webchat/index.ts';
import type { Composition, CompositionOptions } from './options.ts';

/** The services of a server, which server.ts creates. */
interface Parts {
  now(): number;
  personalKeys: boolean;
  pubSub: PubSub;
  fanOut: FanOut;
  streamControl: StreamControl;
  presence: Presence;
  transcript: Transcript;
  inbox: Inbox;
  store: Awaited<ReturnType<typeof openFileStore>>;
  tokens: ReturnType<typeof createFileTokens>;
  fileLimits: FileLimits;
  platformFiles: ReturnType<typeof createPlatformFiles>;
  indexing: ReturnType<typeof createIndexing>;
  configurations: ReturnType<typeof createConfigurationStore>;
  tables: ReturnType<typeof createTables>;
  botCode: ReturnType<typeof createBotCode>;
  runner: ReturnType<typeof createBotRunner>;
  streams: BotStreams;
  cleanup: ReturnType<typeof createCleanup>;
  widgetVersions: Awaited<ReturnType<typeof openWidgetVersions>>;
  readiness: Readiness;
  /** What other processes use of the limits; in a server that can have several. */
  sharedUsage: SharedUsage | undefined;
  /** The open streams of all processes; in a server that can have several. */
  sharedSlots: SlotCounts | undefined;
  signIn: SignIn;
  /** What clients need for Web Push, if the server sends pushes. */
  pushService: PushService | undefined;
  transcriptMails: TranscriptMails | undefined;
}

/** Composes the HTTP application of a server. */
export function createServerApp(options: CompositionOptions, parts: Parts): Composition['app'] {
  const { db, logger } = options;
  const { now, store, tokens, fileLimits, platformFiles, indexing, configurations } = parts;
  const { pubSub, fanOut, streamControl, presence, transcript, tables } = parts;
  const { botCode, runner, streams, cleanup } = parts;
  const { isShared } = db;
  const clientOf = createNetworkReader(options.trustProxy ?? 0);
  const disk = createFreeDisk({ folder: options.filesFolder, logger, reserve: 0, ...options.disk });
  return createApp({
    clientOf,
    audit: createAuditTrail({ db, logger, now, elapsed: options.elapsed }),
    streamSlots: createStreamSlots(options.streamLimits, parts.sharedSlots),
    quotas: createQuotas(options.quotas ?? {}, now, parts.sharedUsage),
    disk,
    db,
    pubSub,
    fanOut,
    presence,
    networkDigest: createNetworkDigest(options.secret),
    services: {
      ...parts.signIn.services,
      transcript,
      ...parts.inbox,
      presence,
      files: createFileService(tokens),
      archives: createArchives(tokens, now),
      fileLimits: fileLimitsOf(fileLimits, {}),
      platformFiles,
      tables: tables.service,
      keys: createKeyRing(options.secret, now, options.previousSecrets),
      mailsAnswers: options.mail !== undefined && options.publicUrl !== undefined,
      pushService: parts.pushService,
      transcriptMails: parts.transcriptMails,
      personalKeys: parts.personalKeys,
      workspaceCreators: options.workspaceCreators ?? 'operator',
      participants: options.participants ?? 'invited',
      anonymousUserIds: options.anonymousUserIds ?? false,
      keyLifetime: options.keyLifetime ?? 0,
      localeOf: (headers) => (options.visitorLocale === false ? undefined : readLocale(headers)),
      configurations,
      proofOfWork: createProofOfWork(
        options.proofOfWork ?? 0,
        options.elapsed ?? (isShared ? now : undefined),
        isShared ? { sharedSecret: options.secret } : {},
      ),
      botCode,
      onBotRemoved(botId) {
        streamControl.closeBot(botId);
        cleanup.run();
      },
      onKeysEnded: streamControl.closeBot,
      onKeysRevoked: streamControl.closeUser,
      streams,
      retentionDefaults: retentionDefaults(options.retentionDays ?? 0),
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
      now,
    },
    rateLimit: createRateLimit({
      perMinute: options.rateLimit ?? 0,
      addressOf: clientOf,
      onAddressRefused: warnOfProxy(options.trustProxy ?? 0, logger),
      sharedUsage: parts.sharedUsage,
      ...(options.elapsed ? { now: options.elapsed } : {}),
    }),
    uploads: createUploadHandler({
      db,
      store,
      tokens,
      disk,
      async limitsOf({ ownerType, botId }) {
        const bot = ownerType === 'visitor' && (await db.read((tx) => botById(tx, botId)));
        // What visitors of a bot may send does not limit its team; and the file of a deleted bot is not completed.
        return bot ? (await configurations.webchat(bot)).fileLimits : fileLimitsOf(fileLimits, {});
      },
      onComplete: indexing.wake,
      onRemoved: platformFiles.onRemoved,
      now,
    }),
    visitorDownloads: createDownloadHandler({ db, store, tokens, of: 'visitors', now }),
    platformDownloads: createDownloadHandler({ db, store, tokens, of: 'platform', now }),
    archiveDownloads: createArchiveHandler({ db, store, tokens, team: notesToExport, now }),
    publicUrl: options.publicUrl,
    allowedOrigins: options.allowedOrigins,
    sandboxOrigin: options.sandboxOrigin,
    dist: options.dist,
    widgetVersions: parts.widgetVersions,
    readiness: parts.readiness,
    unsubscribe: createUnsubscribe({
      ...{ db, publicUrl: options.publicUrl, handlings: transcript.handlings, now },
    }),
    logger,
  });
}
