// Wakes conversations when the time of an event comes. The times are in the database; here is one timer.
import type { Logger } from 'pino';
import { conversationsDue, hastenDeliveries, nextDue } from '../../storage/bots/deliveries.ts';
import type { Database } from '../../storage/database.ts';
import { longestDelay } from './retry.ts';

/** Milliseconds between two looks at most: the clock may be set anew meanwhile. */
const longestSleep = 30_000;
/** Milliseconds between two looks at least, so that many events do not make many looks. */
const shortestSleep = 20;

export interface Alarm {
  /** Takes up what is due since an earlier life of the server, and goes on. */
  start(): Promise<void>;
  /** There is an event that is due at this time. */
  set(at: number): void;
  close(): Promise<void>;
}

export function createAlarm({
  db,
  logger,
  now,
  wake,
}: {
  db: Database;
  logger: Logger;
  now(): number;
  wake(conversationId: string): void;
}): Alarm {
  /** Everything that was due until then has been woken. */
  let seen = -1;
  let timer: NodeJS.Timeout | undefined;
  let ringsAt = Number.POSITIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let closed = false;

  async function look(): Promise<void> {
    const at = now();
    // Set back: what was due in an hour may be due in a year now.
    if (at < seen) await db.write((tx) => hastenDeliveries(tx, at + longestDelay));
    const after = Math.min(seen, at);
    seen = at;
    const times: number[] = [];
    for (const state of ['waiting', 'parked'] as const) {
      for (const id of await db.read((tx) => conversationsDue(tx, state, after, at))) wake(id);
      const next = await db.read((tx) => nextDue(tx, state, at));
      if (next !== undefined) times.push(next);
    }
    schedule(Math.min(...times, at + longestSleep));
  }

  function ring(): void {
    ringsAt = Number.POSITIVE_INFINITY;
    timer = undefined;
    if (closed) return;
    if (looking !== undefined) schedule(now() + shortestSleep);
    else void take();
  }

  function take(): Promise<void> {
    looking = look()
      .catch((error: unknown) => {
        if (closed) return;
        logger.error({ err: error }, 'looking for due events failed');
        schedule(now() + longestSleep);
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  function schedule(at: number): void {
    if (closed || at >= ringsAt) return;
    clearTimeout(timer);
    ringsAt = at;
    timer = setTimeout(ring, Math.min(longestSleep, Math.max(shortestSleep, at - now()))).unref();
  }

  return {
    async start() {
      await db.write((tx) => hastenDeliveries(tx, now() + longestDelay));
      await take();
    },
    set: schedule,
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
