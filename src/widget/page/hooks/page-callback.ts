// Calls hooks of the page with a time limit, and checks their results.
import { type PlatformError, platformError } from '../../../protocol/error.ts';
import type { Payload } from '../../../protocol/message.ts';

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

/** Returns a copy of the payload that a hook returns. Throws if it is none. */
export function payloadOf({ payload }: { payload: Payload }): Payload {
  if (typeof payload?.type !== 'string') throw new TypeError('It must return { payload }, with a type.');
  return structuredClone(payload);
}

export const hookError = (name: string, cause: unknown): PlatformError =>
  platformError('hook_failed', `The hook ${name} of the page has failed: ${String(cause)}`, cause);
