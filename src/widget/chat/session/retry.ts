// Retries a task with increasing pauses, until an abort signal ends it.
// Why not `p-retry`: the network and the visitor also end a pause (decision 152).

import { backoffMs } from '../../../client/core/backoff.ts';
import { isRetryable, NetworkError } from '../../../client/core/errors.ts';
import type { Fetch } from '../../../client/core/http.ts';

/** The functions that end the pauses after lost connections, with the time when each began. */
const pauses = new Map<() => void, number>();

/**
 * Returns the `fetch` of the page as it is now. Each response ends the pauses after lost connections that have lasted a
 * second, and calls `onReached`: whatever waits for the server need not wait longer. `onRefused` may replace a 401.
 */
export function createFetch(
  onReached: () => void,
  onRefused: (
    response: Response,
    fetch: Fetch,
    ...request: Parameters<Fetch>
  ) => Response | Promise<Response>,
): Fetch {
  const fetch = globalThis.fetch.bind(globalThis);
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.status < 500) {
      for (const [resume, since] of pauses) if (Date.now() - since >= 1_000) resume();
      onReached();
    }
    return response.status === 401 ? onRefused(response, fetch, url, init) : response;
  };
}

/**
 * Resolves after `ms`, or at once when the browser goes online or the function passed to `onPause` is called, or with
 * `canHurry` when the server was reached; rejects with the reason when `signal` aborts.
 */
export function pause(
  ms: number,
  signal: AbortSignal,
  onPause?: (resume: () => void) => void,
  canHurry?: boolean,
): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const timer = setTimeout(() => resume(), ms);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      pauses.delete(resume);
      done.abort();
      settle();
    };
    const resume = () => finish(resolve);
    onPause?.(resume);
    if (canHurry) pauses.set(resume, Date.now());
    addEventListener('online', resume, { signal: done.signal });
    signal.addEventListener('abort', () => finish(() => reject(signal.reason)), { signal: done.signal });
  });
}

export interface RetryOptions {
  signal: AbortSignal;
  /** The maximum number of attempts; unlimited by default. */
  attempts?: number;
  onFailure?(error: unknown): void;
  /** Called with the function that ends the pause at once. */
  onPause?(resume: () => void): void;
}

/** Runs `task` until it succeeds, fails permanently, or has used up its attempts. Waits 1 s, 2 s, 4 s … up to 30 s. */
export async function retryWithBackoff<T>(task: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, attempts = Number.POSITIVE_INFINITY, onFailure, onPause } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      signal.throwIfAborted();
      if (!isRetryable(error) || attempt >= attempts) throw error;
      onFailure?.(error);
      await pause(backoffMs(attempt, error), signal, onPause, error instanceof NetworkError);
    }
  }
}
