// Converts the failure of a request to the error that the page receives.
import { ApiError, NetworkError } from '../../../client/core/errors.ts';
import {
  isPlatformError,
  type PlatformError,
  type PlatformErrorCode,
  platformError,
} from '../../../protocol/error.ts';
import type { Widget } from '../../launcher-chat-interface.ts';

const codes: Record<number, PlatformErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  410: 'not_found',
};

/** A quota error (403) concerns the content, not the user or the conversation. */
const codeOf = ({ code, type }: ApiError) => (type === 'QuotaExceeded' ? undefined : codes[code]);

export function toPlatformError(error: unknown): PlatformError {
  if (isPlatformError(error)) return error;
  if (error instanceof NetworkError) {
    // The page has not given a key, for example.
    return isPlatformError(error.cause) ? error.cause : platformError('network', error.message, error);
  }
  if (error instanceof ApiError) {
    const isBusy = error.code >= 500 || error.code === 429 || error.code === 408;
    return platformError(codeOf(error) ?? (isBusy ? 'server' : 'rejected'), error.message, error);
  }
  if (error instanceof DOMException && error.name === 'AbortError') {
    return platformError('destroyed', 'The conversation was left.', error);
  }
  return platformError('internal', 'Something went wrong inside the chat.', error);
}

/** Caused by the visitor or the page: the promise rejects, but no `error` event is emitted. */
const quietCodes: readonly PlatformErrorCode[] = ['destroyed', 'discarded'];
const isQuiet = ({ code }: PlatformError): boolean => quietCodes.includes(code);

/** Reports each error to the page once, as a PlatformError, which it returns. */
export function createReporter(widget: Widget): (error: unknown) => PlatformError {
  const reported = new WeakSet<PlatformError>();
  return (error) => {
    const platformError = toPlatformError(error);
    if (!isQuiet(platformError) && !widget.signal.aborted && !reported.has(platformError)) {
      reported.add(platformError);
      widget.emit('error', platformError);
    }
    return platformError;
  };
}

/** True if the server does not know, or no longer accepts, the user or conversation that was resumed. */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && !!codeOf(error);
