// Coalesced and repeated reads.

import { isRetryable } from '../../../../client/core/errors.ts';
import { backoffMs } from '../../../../client/core/retry.ts';
import { Refusal } from '../../session-api.ts';

type Work = () => Promise<void>;

/** Does the work of a name. Resolves when work that began after the request has ended; errors are passed to `onError`. */
export type Coalesce = (name: string, work: Work) => Promise<void>;

/**
 * Runs the work of each name once at a time, never during the request itself: an effect that asks for work does not depend on what
 * the work reads. Requests during a run cause one more run, of the work that was asked for last, unless the signal is aborted.
 */
export function createCoalescer(signal: AbortSignal, onError: (error: unknown) => void): Coalesce {
  const runs = new Map<string, { next: Work | undefined; done: Promise<void> }>();

  async function runAll(name: string, run: { next: Work | undefined }): Promise<void> {
    await undefined;
    while (run.next && !signal.aborted) {
      const work = run.next;
      run.next = undefined;
      await work().catch(onError);
    }
    runs.delete(name);
  }

  return (name, work) => {
    const running = runs.get(name);
    if (running) {
      running.next = work;
      return running.done;
    }
    const run = { next: work, done: Promise.resolve() };
    runs.set(name, run);
    run.done = runAll(name, run);
    return run.done;
  };
}

// Repeats reads that have failed and may succeed later, after pauses that grow with each failure.

const isTemporary = (error: unknown): boolean =>
  error instanceof Refusal
    ? error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500
    : isRetryable(error);

/**
 * Returns a function that reads, and rejects as `read` does. After a temporary error `again` is called when the pause is over,
 * unless it was read meanwhile, or the signal is aborted.
 */
export function repeatAfterErrors(
  read: () => Promise<void>,
  signal: AbortSignal,
  again?: () => Promise<void>,
): () => Promise<void> {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer));
  const run = async (): Promise<void> => {
    clearTimeout(timer);
    try {
      await read();
      failures = 0;
    } catch (error) {
      if (!signal.aborted && isTemporary(error)) {
        clearTimeout(timer);
        // The first caller is told of the error. Nobody waits for this repetition.
        timer = setTimeout(() => void (again ?? run)().catch(() => {}), backoffMs(++failures, error));
      }
      throw error;
    }
  };
  return run;
}
