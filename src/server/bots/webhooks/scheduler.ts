// Wakes conversations whose deliveries are due. The due times are in the database; this file keeps one timer.
import type { Logger } from 'pino';
import { clampDueTimes } from '../../storage/bots/deliveries.ts';
import type { Database } from '../../storage/database.ts';
import { maxDelayMs } from './retry.ts';

/** The default of the longest time between two polls in milliseconds: the clock may be changed meanwhile. */
const defaultMaxSleepMs = 30_000;
/** The shortest time between two polls in milliseconds, so that many events share one poll. */
const minSleepMs = 20;

export interface DeliveryScheduler {
  /** Wakes the conversations that became due while the server was down, then polls until closed. */
  start(): Promise<void>;
  /** Makes sure that a poll runs at this time. */
  schedule(at: number): void;
  close(): Promise<void>;
}

/**
 * Wakes the conversations to deliver now. `after`: everything due up to this time has been woken before. Resolves to the
 * next time at which something is due; infinity if nothing is.
 */
export type DuePoll = (after: number, at: number) => Promise<number>;

export interface DeliverySchedulerOptions {
  db: Database;
  logger: Logger;
  now(): number;
  poll: DuePoll;
  /** Milliseconds; the default is 30,000. */
  maxSleep?: number | undefined;
}

export function createDeliveryScheduler(options: DeliverySchedulerOptions): DeliveryScheduler {
  const { db, logger, now, maxSleep = defaultMaxSleepMs } = options;
  /** Everything due up to this time has been woken. */
  let polledUntil = -1;
  let timer: NodeJS.Timeout | undefined;
  let nextTickAt = Number.POSITIVE_INFINITY;
  let polling: Promise<void> | undefined;
  let closed = false;

  async function poll(): Promise<void> {
    const at = now();
    // The clock was set back: an event that was due in an hour might now be due in a year.
    if (at < polledUntil) await db.write((tx) => clampDueTimes(tx, at + maxDelayMs));
    const after = Math.min(polledUntil, at);
    polledUntil = at;
    schedule(Math.min(await options.poll(after, at), at + maxSleep));
  }

  function tick(): void {
    nextTickAt = Number.POSITIVE_INFINITY;
    timer = undefined;
    if (closed) return;
    if (polling !== undefined) schedule(now() + minSleepMs);
    else void runPoll();
  }

  function runPoll(): Promise<void> {
    polling = poll()
      .catch((error: unknown) => {
        if (closed) return;
        logger.error({ err: error }, 'polling for due deliveries failed');
        schedule(now() + maxSleep);
      })
      .finally(() => {
        polling = undefined;
      });
    return polling;
  }

  function schedule(at: number): void {
    if (closed || at >= nextTickAt) return;
    clearTimeout(timer);
    nextTickAt = at;
    timer = setTimeout(tick, Math.min(maxSleep, Math.max(minSleepMs, at - now()))).unref();
  }

  return {
    async start() {
      await db.write((tx) => clampDueTimes(tx, now() + maxDelayMs));
      await runPoll();
    },
    schedule: schedule,
    async close() {
      closed = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
