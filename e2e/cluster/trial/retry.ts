// Retries requests of a trial while a fault prevents them.
import { ApiError, FileUploadError, NetworkError } from '../../../src/client/index.ts';
import { pollUntil } from '../../support/poll.ts';

/** Errors after which a client repeats a request: processes, the database or the store are away. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError ||
  (error instanceof ApiError && (error.code >= 500 || error.code === 429)) ||
  (error instanceof FileUploadError && isTemporary(error.innerError));

/** Repeats a request until it succeeds: a fault may be in the way. */
export async function retry<T>(work: () => Promise<T>): Promise<T> {
  const attempt = async () => {
    try {
      return { result: await work() };
    } catch (error) {
      if (!isTemporary(error)) throw error;
      return undefined;
    }
  };
  // The trial itself ends when nothing makes progress.
  const options = { timeoutMs: Number.POSITIVE_INFINITY, intervalMs: 100 };
  return (await pollUntil('a request succeeds', attempt, options)).result;
}
