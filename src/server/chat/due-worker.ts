// A worker that does what is due, and waits until the next thing is: for interrupts that expire, and snoozing that ends.
import type { Logger } from 'pino';
import type { Worker } from '../cluster/cluster.ts';

/** Milliseconds between two looks at the database, at most. */
const longestWait = 30_000;
/** Milliseconds until the next attempt after a failure. */
const retryTime = 5_000;

export interface DueWork {
  /** Does what is due now, until `isClosed`. Returns whether all of it succeeded. */
  run(isClosed: () => boolean): Promise<boolean>;
  /** Returns when the next thing is due, in milliseconds since 1970; undefined if nothing is. */
  nextTime(): Promise<number | undefined>;
  /** Milliseconds until the next run, at least: what is due may stay due. */
  leastWait?: number;
  /** The log entry of a run that failed. */
  failure: string;
  logger: Logger;
  now(): number;
}

export function createDueWorker({ run, nextTime, leastWait = 0, failure, logger, now }: DueWork): Worker {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /** Returns the milliseconds until the next run. */
  async function runOnce(): Promise<number> {
    if (!(await run(() => isClosed))) return retryTime;
    const next = (await nextTime()) ?? Number.MAX_SAFE_INTEGER;
    return Math.max(leastWait, Math.min(longestWait, next - now()));
  }

  function runNow(): void {
    if (isClosed) return;
    clearTimeout(timer);
    running ??= runOnce()
      .catch((error: unknown) => {
        if (!isClosed) logger.error({ err: error }, failure);
        return retryTime;
      })
      .then((wait) => {
        running = undefined;
        if (!isClosed) timer = setTimeout(runNow, wait).unref();
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
