// Waits for a function that the page has given, but not for ever.

/** Milliseconds after which the page's function has failed. */
const timeoutMs = 10_000;

/**
 * Settles as `call` does. Rejects with the error of `createTimeoutError` after ten seconds, and with the signal's reason
 * when it aborts.
 */
export async function callPage<Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
  createTimeoutError: () => Error,
): Promise<Result> {
  const done = new AbortController();
  const end = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(createTimeoutError()), timeoutMs);
    done.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
  });
  try {
    return await Promise.race([call(), end]);
  } finally {
    done.abort();
  }
}
