// Sends one HTTP request with JSON in and out. It never retries; upload.ts sends the bytes of files.
import { ApiError, NetworkError } from './errors.ts';
import { toJson } from './json.ts';

export interface HttpRequest {
  method: string;
  /** The absolute address. */
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON; omitted for GET. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** The response is a stream that stays open. */
  isStream?: boolean;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Milliseconds after which a request without a response fails (existing clients use the same value). */
const timeoutMs = 60_000;

/**
 * Sends a request. If the status is 200 to 399, returns the result of `read`. The signal and the time limit apply until
 * `read` is done, and not longer; the signal of a stream applies until its end.
 * @throws ApiError for any other status; NetworkError without a usable response; the abort reason if aborted.
 */
export async function send<T>(
  fetch: Fetch,
  { method, url, headers, body, signal, isStream }: HttpRequest,
  read: (response: Response) => T | Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  // AbortSignal.any is newer than the browsers we support (Chrome 116, Firefox 124, Safari 17.4).
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url, {
      // Names that a page has added to the prototype of all objects are no options.
      __proto__: null,
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      signal: controller.signal,
      // Keys are sent in a header, not in a cookie. no-store: Firefox delays a second GET of an address (cache lock).
      credentials: 'omit',
      cache: 'no-store',
      // Firefox keeps no page with an open request in its back/forward cache, except with this option. It ends the
      // request with the tab. Chromium does the opposite, so only Firefox gets the option.
      ...(isStream && 'mozInnerScreenX' in globalThis ? { keepalive: true } : {}),
      ...(body === undefined ? {} : { body: toJson(body) }),
    } as RequestInit);
    if (response.status < 400) return await read(response);
    const errorBody: unknown = await response.json().catch(() => undefined);
    throw new ApiError(response.status, errorBody, retryAfter(response.headers.get('retry-after')));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ApiError) throw cause;
    throw new NetworkError('The server could not be reached, or its answer was cut.', { cause });
  } finally {
    clearTimeout(timer);
    // Firefox ends a keepalive request of a page that is left only by this signal, not by the reader.
    if (!isStream) signal?.removeEventListener('abort', abort);
  }
}

/** Sends a request and returns its JSON. A success without JSON is an error: it is from a proxy or a captive portal. */
export const sendJson = (fetch: Fetch, request: HttpRequest): Promise<unknown> =>
  send(fetch, request, (response) => response.json());

/** The longest accepted waiting time, a day: a timer of more than 2^31 ms (25 days) fires at once. */
const maxWaitMs = 86_400_000;

/** Milliseconds of a `Retry-After` header: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(maxWaitMs, Math.max(0, ms));
}

/** The options of one call. */
export interface CallOptions {
  /** Aborts the request; the method rejects with the abort reason. */
  signal?: AbortSignal | undefined;
  /** For creating operations: requests with the same key take effect once (not on a plain server). */
  idempotencyKey?: string;
  /** For `createUser`: the result of `solveChallenge`, if the server requires a proof of work. */
  proof?: string | undefined;
}
