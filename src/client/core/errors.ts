// The errors of a request: the server refused (ApiError), or there is no usable response (NetworkError).
import { type ErrorType, isErrorBody } from '../../protocol/error.ts';

/** The server returned an error status. Detect it by `isApiError === true` (safe across bundles). */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly isApiError = true;
  /** The HTTP status. */
  readonly code: number;
  /** A type of the error table; `Unknown` if the body was not an error of the API. */
  readonly type: ErrorType;
  /** The id of the error in the server's log; '' if the body did not contain one. */
  readonly id: string;
  readonly metadata: Record<string, unknown> | undefined;
  /** Milliseconds that the server asked to wait (`Retry-After`), if any. */
  readonly retryAfterMs: number | undefined;

  constructor(code: number, body: unknown, retryAfterMs?: number) {
    super(isErrorBody(body) ? body.message : `The server answered ${code}.`);
    this.code = code;
    this.type = isErrorBody(body) ? body.type : 'Unknown';
    this.id = isErrorBody(body) ? body.id : '';
    this.metadata = isErrorBody(body) ? body.metadata : undefined;
    this.retryAfterMs = retryAfterMs;
  }

  toJSON(): Record<string, unknown> {
    const { id, code, type, message, metadata } = this;
    return { id, code, type, message, metadata };
  }
}

/** There is no usable response: the connection failed or was cut, a time-out, or a response that is not JSON. */
export class NetworkError extends Error {
  override readonly name: string = 'NetworkError';
}

/** True for failures after which the same request may succeed: no response, 408, 429, 5xx. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 408 || error.code === 429 || error.code >= 500;
  // A file of the widget that could not be loaded may be available later.
  return error instanceof NetworkError || Object(error).code === 'chunk_failed';
}
