// The lease under which this process handles events of bots, renewed while it lives. When it is over, others take its
// events over, and nothing is written under it any more.
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { publish } from '../../startup/events.ts';
import {
  deleteEventLease,
  deleteExpiredEventLeases,
  insertEventLease,
  renewEventLease,
} from '../../storage/cluster/processes.ts';
import type { Database } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';

/** Milliseconds that a lease is valid without a renewal, unless tests choose others. */
export const defaultLeaseTimeMs = 15_000;
/** Renewals in the time of a lease. */
export const renewals = 3;

export interface ProcessLease {
  /** The id of the lease; undefined while this process has none, and must not begin an event. */
  owner(): string | undefined;
  /** The clock of the database in milliseconds since 1970. */
  now(): number;
  /** Acquires the lease. */
  start(): Promise<void>;
  /** Gives it up. Never rejects: others wait until it is over if the database does not answer. */
  close(): Promise<void>;
}

export interface ProcessLeaseOptions {
  db: Database;
  logger: Logger;
  /** Milliseconds; the default is 15,000. */
  duration?: number | undefined;
  /** The lease is over, or may be: others may handle its events. */
  onLost(): void;
  /** There is a new lease after one was lost. */
  onRenewed(): void;
}

export function createProcessLease(options: ProcessLeaseOptions): ProcessLease {
  const { db, logger, duration = defaultLeaseTimeMs, onLost, onRenewed } = options;
  const interval = duration / renewals;
  let id: string | undefined;
  /** The time of the database, and the monotonic time at which it was known. */
  let clock = { time: Date.now(), at: performance.now() };
  let expiry: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | undefined;
  let isClosed = false;

  /** `sent`: the monotonic time at which a renewal was sent. The lease is valid from then on, or from later on. */
  function extend(sent: number): void {
    clearTimeout(expiry);
    const remaining = sent + duration - performance.now();
    if (remaining > 0) expiry = setTimeout(lose, remaining).unref();
    else lose();
  }

  function lose(): void {
    clearTimeout(expiry);
    if (id === undefined) return;
    logger.warn({ lease: id }, 'the lease of bot events was lost: other processes may handle them');
    id = undefined;
    publish('leaseLost', { kind: 'bot_events' });
    onLost();
  }

  async function acquire(): Promise<void> {
    const acquired = createId('lease');
    const sent = performance.now();
    const time = await db.write(async (tx) => {
      await deleteExpiredEventLeases(tx);
      return insertEventLease(tx, acquired, duration);
    });
    clock = { time, at: performance.now() };
    id = acquired;
    extend(sent);
  }

  /** Renews the lease, or acquires another one. */
  async function renew(): Promise<void> {
    const current = id;
    if (current === undefined) {
      await acquire();
      return onRenewed();
    }
    const sent = performance.now();
    const time = await db.write((tx) => renewEventLease(tx, current, duration));
    // It was over meanwhile, by the clock of this process.
    if (id !== current) return;
    if (time === undefined) {
      lose();
      return renew();
    }
    clock = { time, at: performance.now() };
    extend(sent);
  }

  function schedule(): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      renewing = renew()
        .catch((error: unknown) => {
          // The lease stays valid until it expires.
          if (!isClosed) logger.warn({ err: error }, 'renewing the lease of bot events failed');
        })
        .finally(schedule);
    }, interval).unref();
  }

  return {
    owner: () => id,
    now: () => Math.floor(clock.time + performance.now() - clock.at),
    async start() {
      await acquire();
      schedule();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(expiry);
      await renewing;
      clearTimeout(expiry);
      const last = id;
      id = undefined;
      if (last !== undefined) await db.write((tx) => deleteEventLease(tx, last)).catch(() => {});
    },
  };
}
