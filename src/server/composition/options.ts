// The options of composeServer: parts that are created elsewhere, and values of settings. And its result: what the start of
// the process, and tests, use of a server.
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { WorkspaceCreators } from '../../protocol/admin/permissions.ts';
import type { Configuration } from '../../protocol/page-api/config.ts';
import type {
  AgentOptions,
  BotThreads,
  ClaimChange,
  LoadedBot,
  SharedEvents,
  WebhookSettings,
} from '../bots/index.ts';
import type { PushOptions } from '../chat/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Relay } from '../cluster/relay.ts';
import type { EmbeddingOptions, ExtractionOptions, FileLimits, S3Options } from '../files/index.ts';
import type { Inbox } from '../inbox/index.ts';
import type { FreeDiskOptions } from '../limits/free-disk.ts';
import type { QuotaLimits } from '../limits/quota-settings.ts';
import type { MailOptions } from '../mail/mailer.ts';
import type { PubSub } from '../realtime/pub-sub.ts';
import type { RealtimeIntervals } from '../realtime/realtime.ts';
import type { OidcOptions } from '../session/index.ts';
import type { Database } from '../storage/database.ts';
import type { ComputedLimits, ComputedWork, ModelOptions } from '../tables/index.ts';

export interface CompositionOptions {
  db: Database;
  /** Connects this process with others on the same database; by default there is none. It is closed with the server. */
  relay?: Relay | undefined;
  /** Milliseconds until other processes take the background work of one that has ended; the default is 15,000. */
  leaseTime?: number | undefined;
  /** A digest of the code of bots, which processes compare; without it, this one does not tell. */
  botCode?: string | undefined;
  /** How often it is checked what a relay can lose. */
  realtimeIntervals?: RealtimeIntervals;
  /** The default bot. */
  bot: LoadedBot;
  /** The agent that answers instead of the default bot, and the limits of all agents. */
  agents?: AgentOptions | undefined;
  /** How the code of all other bots runs: in threads, or, by default, in this process. */
  botThreads?: BotThreads | undefined;
  /** The folder with the code of all other bots; optional. */
  botsFolder?: string | undefined;
  /** The secret that signs user keys. */
  secret: string;
  /** Previous secrets: keys that they signed are still accepted. */
  previousSecrets?: readonly string[];
  /** The last part of the chat address of the default bot. */
  webhookId: string;
  logger: Logger;
  /** The folder of the built widget and pages. */
  dist: string;
  /** Where the widget of earlier versions is kept, and for how many months; without it, only the built versions. */
  widgetVersions?: { folder: string; months: number };
  /** The folder of uploaded files; created when it is missing. */
  filesFolder: string;
  /** The object store for files; without it, they are in the folder. */
  s3?: S3Options | undefined;
  /** The files that visitors may send; the default is 100 MB of any type. */
  fileLimits?: FileLimits;
  /** Days after which unused conversations are deleted; 0, the default, for never. */
  retentionDays?: number;
  /** How text is extracted from files. */
  extraction?: ExtractionOptions;
  /** Semantic search; off by default. */
  embeddings?: EmbeddingOptions | undefined;
  /** The address under which browsers reach the server; the default is the one that each request was sent to. */
  publicUrl?: string | undefined;
  /** True when applications sign user keys themselves. */
  personalKeys?: boolean;
  /** `direct`: owners of conversations add users without an invitation. The default is `invited`. */
  participants?: 'invited' | 'direct';
  /** Whether callers of `POST /users` can choose an id; the default is false. */
  anonymousUserIds?: boolean;
  /** Seconds until an issued user key expires; 0, the default, for never. */
  keyLifetime?: number;
  /** The dashboard configuration of fields that no administrator has set. */
  configuration?: Configuration | undefined;
  /** The administrator's token, which replaces the previous one; by default generated at the first start. */
  adminToken?: string | undefined;
  /** How mails are sent; without it, none are. Links in them begin with `publicUrl`, which is then required. */
  mail?: MailOptions | undefined;
  /** How answers are pushed to visitors; without it, none are. Links begin with `publicUrl`, which is then required. */
  push?: PushOptions | undefined;
  /** The other service with which members sign in; it returns to `publicUrl`, which is then required. */
  oidc?: OidcOptions | undefined;
  /** Who can create workspaces; the default is the operator only. */
  workspaceCreators?: WorkspaceCreators;
  /** Days that the audit trail is kept; the default is 365. */
  auditRetentionDays?: number;
  /** Whether bots get the languages and the time zone of visitors; the default is true. */
  visitorLocale?: boolean;
  allowedOrigins?: readonly string[] | undefined;
  /** The origin in which apps of bots run, another address of this server; by default there are no apps. */
  sandboxOrigin?: string | undefined;
  /** Zero bits of the proof of work that `POST /users` requires; 0, the default, for none. */
  proofOfWork?: number;
  /** Requests per minute of one user key; 0, the default, for no limit. */
  rateLimit?: number;
  /** How much visitors can send and store; unlimited by default. */
  quotas?: QuotaLimits;
  /** The free disk space below which visitors cannot write; no reserve by default. */
  disk?: Pick<FreeDiskOptions, 'reserve' | 'statfs' | 'elapsed'>;
  /** The number of concurrent streams. */
  streamLimits?: { perUser: number; perAddress: number };
  /** The number of trusted proxies in front of this server (X-Forwarded-For); the default is 0. */
  trustProxy?: number;
  /** Milliseconds that bot code can take for one event. */
  botTimeLimit?: number;
  /** Whether visitors see the errors of bots; the default is false. */
  isDevelopment?: boolean;
  /** Called when bot code, a webhook or an agent has handled an event, or failed, with its milliseconds. */
  onHandled?: ((kind: 'code' | 'webhook' | 'agent', ms: number) => void) | undefined;
  /** How processes that a relay connects share the events of bots. */
  sharedEvents?: SharedEvents | undefined;
  /** Called when the claims of events change as they do when a process fails, with the number of events. */
  onClaimChange?: ((change: ClaimChange, count: number) => void) | undefined;
  /** How events are sent to webhooks. */
  webhooks?: WebhookSettings;
  /** The language model of computed columns; without it, the cells that need one say so. */
  model?: ModelOptions | undefined;
  /** The costs of computed columns; unlimited by default. */
  computedLimits?: ComputedLimits;
  /** Milliseconds that `waitComputed` waits. */
  waitComputedLimit?: number;
  /** The clock in milliseconds since 1970. */
  now?: () => number;
  /** A monotonic clock in milliseconds. */
  elapsed?: () => number;
}

/** A composed server. */
export interface Composition {
  app: Hono;
  pubSub: PubSub;
  cluster: Cluster;
  /** The computed columns of tables. */
  computed: ComputedWork;
  /** What assigns conversations of the inbox to members. */
  routing: Inbox['routing'];
  /** The workspace of the administrator's token. */
  workspaceId: string;
  /**
   * Continues the unfinished work of the previous run: pending bot events, jobs, deletions. Returns the administrator's
   * token if this start created it, because it cannot be read again. `publicUrl`: the address for links in bot
   * messages, if it is known only now.
   */
  start(publicUrl?: string): Promise<string | undefined>;
  /** Removes deleted and expired data, also in the background. Resolves when none of it remains in the data folder. */
  cleanUp(): Promise<void>;
  /** Looks for answers to mail and to push now, and not only when the next is due. */
  sendAnswers(): void;
  /** Makes `/readyz` answer 503, so that a load balancer sends no further requests. */
  announceStop(): void;
  /**
   * Takes no further bot events, gives the running bot code `timeLimit` milliseconds to finish, and then closes all
   * streams in steps within `closingTime` milliseconds.
   */
  drain(limits: { timeLimit: number; closingTime: number }): Promise<void>;
  /** Closes all streams and stops the bot. The database stays open. */
  close(): Promise<void>;
}
