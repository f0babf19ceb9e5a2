// A check that runs again and again, one at a time.
import type { Logger } from 'pino';

export interface PeriodicCheck {
  /** Checks now, unless a check is running. Never rejects. */
  run(): Promise<void>;
  stop(): void;
}

/** `interval`: milliseconds between the beginnings of two checks. `failure`: what the log says when a check has failed. */
export function startPeriodicCheck(
  check: () => Promise<void>,
  interval: number,
  logger: Logger,
  failure: string,
): PeriodicCheck {
  let isChecking = false;
  let hasFailed = false;
  let isStopped = false;

  async function run(): Promise<void> {
    if (isChecking || isStopped) return;
    isChecking = true;
    try {
      await check();
      hasFailed = false;
    } catch (error) {
      // Logged once, because all checks fail while the database is unavailable.
      if (!hasFailed && !isStopped) logger.warn({ err: error }, failure);
      hasFailed = true;
    } finally {
      isChecking = false;
    }
  }

  const timer = setInterval(() => void run(), interval).unref();
  return {
    run,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
