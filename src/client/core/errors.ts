// What a request can fail with: an answer that says no (ApiError), or no answer (NetworkError).
import { type ErrorType, isErrorBody } from '../../protocol/error.ts';

/** The server answered with an error status. Detect it by `isApiError === true` (safe across bundles). */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly isApiError = true;
  /** The HTTP status. */
  readonly code: number;
  /** One word of the wire's table; `Unknown` when the body was not the five-field error. */
  readonly type: ErrorType;
  /** The id to look for in the server's log; '' when the body had none. */
  readonly id: string;
  readonly metadata: Record<string, unknown> | undefined;
  /** Milliseconds the server asked to wait (`Retry-After`), if it did. */
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

/** No usable answer came: connection refused or cut, time-out, or an answer that is not JSON. */
export class NetworkError extends Error {
  override readonly name: string = 'NetworkError';
}

/** True for failures where the same request may succeed later: no answer, 408, 429, 5xx. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 408 || error.code === 429 || error.code >= 500;
  // A file of the widget that did not come may come later.
  return error instanceof NetworkError || Object(error).code === 'chunk_failed';
}
