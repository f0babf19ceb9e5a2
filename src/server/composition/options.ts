// The parts that composeServer connects and that are created elsewhere, and its result: a server for the start of the process
// and for tests.
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Configuration } from '../../protocol/page-api/config.ts';
import type { Agent, AgentHooks, BotThreads, ClaimChange, LoadedBot, WebhookTimes } from '../bots/index.ts';
import type { RealtimeIntervals } from '../cluster/fan-out/shared-realtime.ts';
import type { SharedEvents } from '../cluster/leases/shared-claims.ts';
import type { Relay } from '../cluster/relay/relay.ts';
import type { EmbeddingHooks, ExtractionOptions } from '../files/index.ts';
import type { Inbox } from '../inbox/index.ts';
import type { Processes } from '../jobs/processes.ts';
import type { FreeDiskOptions } from '../limits/free-disk.ts';
import type { PubSub } from '../realtime/pub-sub.ts';
import type { Database } from '../storage/database.ts';
import type { ComputedWork, ModelOptions } from '../tables/index.ts';

export interface Wiring extends Hooks {
  db: Database;
  /** Connects this process with others on the same database; by default there is none. It is closed with the server. */
  relay?: Relay | undefined;
  logger: Logger;
  /** The secret that signs user keys, and previous ones: keys that they signed are still accepted. */
  secret: string;
  previousSecrets?: readonly string[];
  /** The folder of the built widget and pages. */
  dist: string;
  /** The content of the file CONFIGURATION. */
  configuration?: Configuration | undefined;
  /** The default bot. */
  bot: LoadedBot;
  /** The agent that answers instead of the default bot. */
  agent?: Agent | undefined;
  /** The language model of computed columns; without it, the cells that need one say so. */
  model?: ModelOptions | undefined;
  /** How the code of all other bots runs: in threads, or, by default, in this process. */
  botThreads?: BotThreads | undefined;
  /** A digest of the code of bots, which processes compare; without it, this one does not tell. */
  botCode?: string | undefined;
  /** Called when bot code, a webhook or an agent has handled an event, or failed, with its milliseconds. */
  onHandled?: ((kind: 'code' | 'webhook' | 'agent', ms: number) => void) | undefined;
  /** Called when the claims of events change as they do when a process fails, with the number of events. */
  onClaimChange?: ((change: ClaimChange, count: number) => void) | undefined;
}

/** Clocks, times and numbers that only tests change. Times are in milliseconds. */
interface Hooks {
  now?: () => number;
  /** A monotonic clock. */
  elapsed?: () => number;
  botTimeLimit?: number | undefined;
  webhookTimes?: WebhookTimes;
  agentHooks?: AgentHooks;
  embeddingHooks?: EmbeddingHooks;
  extraction?: ExtractionOptions;
  /** Until other processes take the background work of one that has ended; the default is 15,000. */
  leaseTime?: number | undefined;
  /** How often it is checked what a relay can lose. */
  realtimeIntervals?: RealtimeIntervals;
  /** How processes that a relay connects share the events of bots. */
  sharedEvents?: SharedEvents | undefined;
  /** The duration of `waitComputed`. */
  waitComputedLimit?: number;
  streamsPerUser?: number;
  disk?: Pick<FreeDiskOptions, 'statfs' | 'elapsed'>;
}

/** A composed server. */
export interface Composition {
  app: Hono;
  pubSub: PubSub;
  processes: Processes;
  /** The computed columns of tables. */
  computed: ComputedWork;
  /** The worker that assigns conversations of the inbox to members. */
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
  /** Looks for waiting visitors of whom members are told now, and not only when the next is due. */
  sendAlerts(): void;
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
