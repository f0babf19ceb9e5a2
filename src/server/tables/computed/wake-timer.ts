// One timer that wakes a queue when its next work is due. The due times are in the database.
import type { Logger } from 'pino';

/** The longest time between two polls in milliseconds: the clock of the machine may be changed meanwhile. */
const maxSleepMs = 30_000;
const minSleepMs = 20;

export interface WakeTimer {
  /** Finds out when the next work is due, and wakes the queue then. */
  schedule(): void;
  close(): void;
}

export function createWakeTimer({
  now,
  nextDue,
  wake,
  logger,
}: {
  now(): number;
  nextDue(): Promise<number | undefined>;
  wake(): void;
  logger: Logger;
}): WakeTimer {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function plan(): Promise<void> {
    const due = await nextDue();
    if (due === undefined || isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        wake();
        schedule();
      },
      Math.min(maxSleepMs, Math.max(minSleepMs, due - now())),
    ).unref();
  }

  function schedule(): void {
    if (isClosed) return;
    plan().catch((error: unknown) => {
      if (!isClosed) logger.error({ err: error }, 'the next time of computed columns could not be read');
    });
  }

  return {
    schedule,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
