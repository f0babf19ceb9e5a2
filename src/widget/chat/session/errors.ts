// Translates what a request failed with into the error the page sees. No behaviour beyond that.
import { ApiError, NetworkError } from '../../../client/errors.ts';
import {
  isPlatformError,
  type PlatformError,
  type PlatformErrorCode,
  platformError,
} from '../../../protocol/error.ts';

const codes: Record<number, PlatformErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  410: 'not_found',
};

/** A quota (403) is about what was sent, not about who sends it or where to. */
const codeOf = ({ code, type }: ApiError) => (type === 'QuotaExceeded' ? undefined : codes[code]);

export function toPlatformError(error: unknown): PlatformError {
  if (isPlatformError(error)) return error;
  if (error instanceof NetworkError) return platformError('network', error.message, error);
  if (error instanceof ApiError) {
    const isBusy = error.code >= 500 || error.code === 429 || error.code === 408;
    return platformError(codeOf(error) ?? (isBusy ? 'server' : 'rejected'), error.message, error);
  }
  if (error instanceof DOMException && error.name === 'AbortError') {
    return platformError('destroyed', 'The conversation was left.', error);
  }
  return platformError('internal', 'Something went wrong inside the chat.', error);
}

/** True when the server does not know, or no longer lets in, whom or what we resumed. */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && !!codeOf(error);
