// Repeats a task that may succeed later, after a pause. The caller decides what may be repeated.
// Why not `p-retry`: the client has no dependencies (decision 152).
import { backoffMs } from './backoff.ts';
import { isRetryable } from './errors.ts';

/** How often, and after how long, a failed request is sent again. */
export interface RetryOptions {
  /** Attempts after the first one; 0 disables retries. Default 3. */
  attempts?: number;
  /**
   * Milliseconds before the next attempt, after `failures` failures in a row (from 1). Default: 1, 2 and 4 seconds, then
   * 5 up to the twelfth failure, then doubled each time up to 60, with jitter; never less than the server's
   * `Retry-After`.
   */
  delayMs?(failures: number, error: unknown): number;
  /** The longest pause in milliseconds: if the server asks for more, the call fails at once. Default 60,000. */
  maxDelayMs?: number;
  /**
   * Whether a POST is sent again after an error or without a response. It has an `Idempotency-Key`, so that it takes
   * effect once; set false for a server that does not support that key. Default true.
   */
  post?: boolean;
}

export type Retry = Required<RetryOptions>;

/** @throws RangeError for an invalid number of attempts. */
export function readRetry(retry: number | RetryOptions = {}): Retry {
  const options = typeof retry === 'number' ? { attempts: retry } : retry;
  const { attempts = 3, delayMs = backoffMs, maxDelayMs = 60_000, post = true } = options;
  if (!Number.isInteger(attempts) || attempts < 0) {
    throw new RangeError('retry: attempts must be a whole number from 0.');
  }
  // Without the third argument of backoffMs, which is for tests.
  return { attempts, delayMs: (failures, error) => delayMs(failures, error), maxDelayMs, post };
}

/**
 * Repeats the task until it succeeds, fails permanently, or the attempts are used up; rejects with the last failure.
 * `mayRepeat` decides for each temporary failure. If aborted, also during a pause, it rejects at once with the reason.
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

/** Resolves after `ms` milliseconds; rejects with the abort reason as soon as the signal is aborted. */
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
