// Describes why a file was refused, in one sentence. Pure.
import { ApiError, NetworkError } from '../../../../client/core/errors.ts';
import { formatBytes } from '../../../../protocol/locale/file-size.ts';
import { describeError, typeOf } from './describe-error.ts';

/** Whether another attempt can succeed. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.code >= 500 || error.code === 429;

/** `bytes`: the size of the file. */
export function describeFileError(error: unknown, bytes: number): string {
  const metadata = error instanceof ApiError ? error.metadata : undefined;
  const { limit, allowed } = (metadata ?? {}) as { limit?: unknown; allowed?: unknown };
  const type = typeOf(error);
  if (error instanceof NetworkError) return 'The connection was lost.';
  if (type === 'LimitExceeded' && typeof limit === 'number')
    return `The file has ${formatBytes(bytes, 'en')}; at most ${formatBytes(limit, 'en')} are allowed.`;
  if (type === 'UnsupportedMediaType' && Array.isArray(allowed))
    return `Files of this type are not allowed, only ${allowed.join(', ')}.`;
  if (type === 'InsufficientStorage') return 'The server has no space left for files.';
  return describeError(error);
}
