// What a platform is made with: the parts that are given to it, and the settings that change what it does.
import type { Logger } from 'pino';
import type { BotHandler } from '../protocol/bot.ts';
import type { Configuration } from '../protocol/config.ts';
import type { WorkspaceCreators } from '../protocol/permissions.ts';
import type { WebhookSettings } from './bots/index.ts';
import type { ExtractionOptions, FileLimits } from './files/index.ts';
import type { FreeDiskOptions } from './limits/free-disk.ts';
import type { QuotaLimits } from './limits/quota-settings.ts';
import type { Database } from './storage/database.ts';

export interface PlatformOptions {
  db: Database;
  /** The code of the bot of the settings. */
  handler: BotHandler;
  /** Where the code of all other bots lies; left out: there is none. */
  botsFolder?: string | undefined;
  /** Secret of user keys. */
  secret: string;
  /** Secrets of before: what they signed is still accepted. */
  previousSecrets?: readonly string[];
  /** The last part of the address of the chat of the settings. */
  webhookId: string;
  logger: Logger;
  /** The folder of built files. */
  dist: string;
  /** The folder of files; made when it is missing. */
  filesFolder: string;
  /** What visitors may send; 100 MB of any type when left out. */
  fileLimits?: FileLimits;
  /** Days after which unused conversations are deleted; left out or 0: never. */
  retentionDays?: number;
  /** How files are read for their words. */
  extraction?: ExtractionOptions;
  /** Under which address browsers reach the server; left out: the one that each request came to. */
  publicUrl?: string | undefined;
  /** Apps sign user keys themselves. */
  personalKeys?: boolean;
  /** `direct`: owners of conversations add users without asking them; left out: `invited`. */
  participants?: 'invited' | 'direct';
  /** Whether callers of `POST /users` may choose an id; left out: no. */
  anonymousUserIds?: boolean;
  /** Seconds until an issued user key expires; left out or 0: never. */
  keyLifetime?: number;
  /** The dashboard configuration where an administrator has stored nothing. */
  configuration?: Configuration | undefined;
  /** The administrator's token, in place of the one before; left out: made at the first start. */
  adminToken?: string | undefined;
  /** Who creates workspaces; left out: the operator alone. */
  workspaceCreators?: WorkspaceCreators;
  /** Days that the audit trail is kept; 365 when left out. */
  auditRetentionDays?: number;
  allowedOrigins?: readonly string[] | undefined;
  /** Zero bits of the proof of work that `POST /users` needs; left out or 0: none. */
  proofOfWork?: number;
  /** Requests a minute of one user key; left out or 0: no limit. */
  rateLimit?: number;
  /** How much visitors may send and store; left out: no limit. */
  quotas?: QuotaLimits;
  /** The free disk below which visitors cannot write; left out: no reserve. */
  disk?: Pick<FreeDiskOptions, 'reserve' | 'statfs' | 'elapsed'>;
  /** Streams that may be open at a time. */
  streamLimits?: { perUser: number; perAddress: number };
  /** Proxies before this server whose X-Forwarded-For is believed; left out: none. */
  trustProxy?: number;
  /** Milliseconds that bot code may take for one event. */
  botTimeLimit?: number;
  /** How events are sent to bots at other addresses. */
  webhooks?: WebhookSettings;
  /** The clock, milliseconds since 1970. */
  now?: () => number;
  /** Milliseconds of a clock that never goes back. */
  elapsed?: () => number;
}
