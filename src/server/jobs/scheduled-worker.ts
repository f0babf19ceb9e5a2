// A worker with a schedule: it does what is due, and waits until the next work is due. The times are in the database. For
// interrupts that expire, snoozing that ends, mails and notifications about answers, the assignment of conversations, and
// computed columns.
import type { Logger } from 'pino';
import type { Worker } from './processes.ts';

/** The longest time between two runs: the clock of the machine may be changed meanwhile. */
const maxWaitMs = 30_000;
/** The time until the next attempt after a failure. */
const retryDelayMs = 5_000;

export interface ScheduledWork {
  /** Does what is due now, until `isClosed`. Returns whether all of it succeeded. */
  run(isClosed: () => boolean): Promise<boolean>;
  /** Returns when the next thing is due, in milliseconds since 1970; undefined if nothing is. */
  nextTime(): Promise<number | undefined>;
  /** The time until the next run, at least: what is due may stay due. */
  leastWaitMs?: number;
  /** The log entry of a run that failed. */
  failure: string;
  logger: Logger;
  now(): number;
}

export interface ScheduledWorker extends Worker {
  start(): void;
  /** Does what is due, and reads the next time again. Must be called when it may have become earlier. */
  wake(): void;
}

export function createScheduledWorker({
  run,
  nextTime,
  leastWaitMs = 0,
  failure,
  logger,
  now,
}: ScheduledWork): ScheduledWorker {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;

  /** Returns the milliseconds until the next run. */
  async function runOnce(): Promise<number> {
    isWoken = false;
    if (!(await run(() => isClosed))) return retryDelayMs;
    const next = (await nextTime()) ?? Number.MAX_SAFE_INTEGER;
    return Math.max(leastWaitMs, Math.min(maxWaitMs, next - now()));
  }

  function runNow(): void {
    if (isClosed) return;
    isWoken = true;
    clearTimeout(timer);
    running ??= runOnce()
      .catch((error: unknown) => {
        if (!isClosed) logger.error({ err: error }, failure);
        return retryDelayMs;
      })
      .then((wait) => {
        running = undefined;
        if (isClosed) return;
        // Work was added, possibly after the next time was read.
        if (isWoken) runNow();
        else timer = setTimeout(runNow, wait).unref();
      });
  }

  return {
    start: runNow,
    wake: runNow,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
