// A composed server: what the start of the process, and tests, use of it.
import type { Hono } from 'hono';
import type { PubSub } from './realtime/pub-sub.ts';
import type { ComputedWork } from './tables/index.ts';

export interface Composition {
  app: Hono;
  pubSub: PubSub;
  /** The computed columns of tables. */
  computed: ComputedWork;
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
