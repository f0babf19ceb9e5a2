// Wakes conversations whose deliveries are due. The due times are in the database; this file keeps one timer.
import type { Logger } from 'pino';
import { clampDueTimes, conversationsDue, deliveryStates, nextDue } from '../../storage/bots/deliveries.ts';
import type { Database } from '../../storage/database.ts';
import { maxDelay } from './retry.ts';

/** The longest time between two polls in milliseconds: the clock of the machine may be changed meanwhile. */
const maxSleep = 30_000;
/** The shortest time between two polls in milliseconds, so that many events share one poll. */
const minSleep = 20;

export interface DeliveryScheduler {
  /** Wakes the conversations that became due while the server was down, then polls until closed. */
  start(): Promise<void>;
  /** Makes sure that a poll runs at this time. */
  schedule(at: number): void;
  close(): Promise<void>;
}

export function createDeliveryScheduler({
  db,
  logger,
  now,
  wake,
}: {
  db: Database;
  logger: Logger;
  now(): number;
  wake(conversationId: string): void;
}): DeliveryScheduler {
  /** Everything due up to this time has been woken. */
  let polledUntil = -1;
  let timer: NodeJS.Timeout | undefined;
  let nextTickAt = Number.POSITIVE_INFINITY;
  let polling: Promise<void> | undefined;
  let closed = false;

  async function poll(): Promise<void> {
    const at = now();
    // The clock was set back: an event that was due in an hour might now be due in a year.
    if (at < polledUntil) await db.write((tx) => clampDueTimes(tx, at + maxDelay));
    const after = Math.min(polledUntil, at);
    polledUntil = at;
    const times: number[] = [];
    for (const state of [deliveryStates.pending, deliveryStates.deferred]) {
      for (const id of await db.read((tx) => conversationsDue(tx, state, after, at))) wake(id);
      const next = await db.read((tx) => nextDue(tx, state, at));
      if (next !== undefined) times.push(next);
    }
    schedule(Math.min(...times, at + maxSleep));
  }

  function tick(): void {
    nextTickAt = Number.POSITIVE_INFINITY;
    timer = undefined;
    if (closed) return;
    if (polling !== undefined) schedule(now() + minSleep);
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
    timer = setTimeout(tick, Math.min(maxSleep, Math.max(minSleep, at - now()))).unref();
  }

  return {
    async start() {
      await db.write((tx) => clampDueTimes(tx, now() + maxDelay));
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
