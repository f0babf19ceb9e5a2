// Repeats a task that may succeed later, after a pause. The caller decides what may be repeated.
// Why not `p-retry`: the client has no dependencies (decision 152).
import { ApiError, isRetryable } from './errors.ts';

// The time to wait before the next attempt, for requests and for the stream. Pure except for randomness.

/** The steps are 1, 2 and 4 s, then 5 s for the first minute of an outage, and then they double up to one minute. */
const firstStepMs = 1_000;
const quickStepMs = 5_000;
const lastStepMs = 60_000;
/** How many failures have a quick step: they take 42 to 52 s. */
const quickFailures = 12;

/**
 * Milliseconds to wait after `failures` failures in a row (from 1), or as long as the server requested. The first step
 * is spread from 0.2 to 1.8 s, so that the streams of a restarted server do not return in the same moment: 9,000 make
 * 6,100 attempts in the busiest second, not 9,000 in a fifth of one. The later steps are spread over a fifth, which adds
 * up. A server that was away for less than 40 s is found within 5 s; ten minutes take at most 30 attempts.
 */
export function backoffMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const quick = Math.min(quickStepMs, firstStepMs * 2 ** (failures - 1));
  const step = Math.min(lastStepMs, quick * 2 ** Math.max(0, failures - quickFailures));
  const requested = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(requested, step * (failures > 1 ? 0.8 + 0.2 * random() : 0.2 + 1.6 * random()));
}

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
