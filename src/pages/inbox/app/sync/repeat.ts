// Repeats reads that have failed and may succeed later, after pauses that grow with each failure.

import { backoffMs } from '../../../../client/core/backoff.ts';
import { isRetryable } from '../../../../client/core/errors.ts';
import { Refusal } from '../../../session/session-api.ts';

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
