// Does work again when it may succeed later, after a pause. What may be done twice, the caller knows; this does not.
import { backoffMs } from './backoff.ts';
import { isRetryable } from './errors.ts';

/** How often, and after how long, a request that failed is sent again. */
export interface RetryOptions {
  /** Attempts after the first one; 0 for none. Default 3. */
  attempts?: number;
  /**
   * Milliseconds before the next attempt, after `failures` failures in a row (from 1). Default: one second, doubled
   * each time up to 30, with jitter; never less than the server's `Retry-After`.
   */
  delayMs?(failures: number, error: unknown): number;
  /** The longest pause in milliseconds: a server that asks for more is given up at once. Default 60,000. */
  maxDelayMs?: number;
  /**
   * Whether a POST that met a fault or got no answer is sent again. It carries an `Idempotency-Key`, so that it happens
   * once; say false for a server that does not keep that key. Default true.
   */
  post?: boolean;
}

export type Retry = Required<RetryOptions>;

/** @throws RangeError for a number of attempts that is none. */
export function readRetry(given: number | RetryOptions = {}): Retry {
  const options = typeof given === 'number' ? { attempts: given } : given;
  const { attempts = 3, delayMs = backoffMs, maxDelayMs = 60_000, post = true } = options;
  if (!Number.isInteger(attempts) || attempts < 0) {
    throw new RangeError('retry: attempts must be a whole number from 0.');
  }
  // backoffMs takes a third argument, which is not the caller's.
  return { attempts, delayMs: (failures, error) => delayMs(failures, error), maxDelayMs, post };
}

/**
 * Does the work until it succeeds, fails for good, or the attempts are used up; rejects with the last failure.
 * `mayRepeat` is asked for each failure that could pass. Aborted, it rejects at once with the reason, also in a pause.
 */
export async function repeat<T>(
  work: (failures: number) => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
  { attempts, delayMs, maxDelayMs }: Retry,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await work(failures);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetryable(error) || !mayRepeat(error) || ++failures > attempts) throw error;
      const delay = delayMs(failures, error);
      if (delay > maxDelayMs) throw error;
      await pause(delay, signal);
    }
  }
}

/** Resolves after so many milliseconds; rejects with the reason as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
