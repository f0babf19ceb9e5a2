// A loop for work that is found in the data itself, without jobs: it works until nothing is missing, and after a failure it
// tries again, later each time. For the vectors of files and of rows.

const defaultFirstPauseMs = 2_000;
const maxPauseMs = 5 * 60 * 1000;

export interface BackgroundLoopOptions {
  /**
   * Looks for work and does it until nothing is left, or the signal aborts. Calls `onProgress` when something has succeeded: the next
   * failure is followed by the first pause again.
   */
  work(signal: AbortSignal, onProgress: () => void): Promise<void>;
  onFailure(error: unknown): void;
  /** Milliseconds before the first repetition after a failure; each failure doubles them. */
  firstPause?: number | undefined;
}

export interface BackgroundLoop {
  /** Aborts when the loop is closed. */
  readonly signal: AbortSignal;
  /** Must be called when there may be work. After a failure, the timer decides when to try again. */
  wake(): void;
  /** Resolves when nothing is left or the work has failed. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export function createBackgroundLoop({
  work,
  onFailure,
  firstPause = defaultFirstPauseMs,
}: BackgroundLoopOptions): BackgroundLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let pause = firstPause;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;

  function onProgress(): void {
    pause = firstPause;
  }

  async function run(): Promise<void> {
    try {
      do {
        isWoken = false;
        await work(signal, onProgress);
      } while (isWoken && !signal.aborted);
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      timer = setTimeout(() => {
        timer = undefined;
        wake();
      }, pause).unref();
      pause = Math.min(maxPauseMs, pause * 2);
    }
  }

  function wake(): void {
    isWoken = true;
    if (signal.aborted || timer || running) return;
    running = run().finally(() => {
      running = undefined;
      // Woken after the last look.
      if (isWoken) wake();
    });
  }

  return {
    signal,
    wake,
    async idle() {
      while (running !== undefined) await running;
    },
    async close() {
      stopping.abort(new Error('The server stops.'));
      clearTimeout(timer);
      await running;
    },
  };
}
