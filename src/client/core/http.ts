// One HTTP request with JSON in and out. It knows no operation and never retries; the bytes of files go by upload.ts.
import { ApiError, NetworkError } from './errors.ts';

export interface HttpRequest {
  method: string;
  /** The whole address. */
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON; left out for GET. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Milliseconds until a request without an answer fails (existing clients use the same). */
const timeoutMs = 60_000;

/**
 * Sends a request; when the status is 200 to 399, gives what `read` makes of the response. The signal and the
 * time limit hold until `read` is done, and no longer.
 * @throws ApiError for any other status; NetworkError when no usable answer came; the abort reason when aborted.
 */
export async function send<T>(
  fetch: Fetch,
  { method, url, headers, body, signal }: HttpRequest,
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
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      signal: controller.signal,
      // Keys travel in a header, never in a cookie. no-store: Firefox lets a second GET of one address wait (cache lock).
      credentials: 'omit',
      cache: 'no-store',
      ...(body === undefined ? {} : { body: JSON.stringify(body, keepArrays) }),
    });
    if (response.status < 400) return await read(response);
    const answer: unknown = await response.json().catch(() => undefined);
    throw new ApiError(response.status, answer, retryAfter(response.headers.get('retry-after')));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ApiError) throw cause;
    throw new NetworkError('The server could not be reached, or its answer was cut.', { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** For JSON.stringify. Prototype.js gives arrays a `toJSON` that makes text of them: here they stay arrays. */
function keepArrays(this: Record<string, unknown>, key: string, value: unknown): unknown {
  return Array.isArray(this[key]) ? this[key] : value;
}

/** Sends a request and gives its JSON. A success without JSON is not a success: a proxy or a captive portal spoke. */
export const sendJson = (fetch: Fetch, request: HttpRequest): Promise<unknown> =>
  send(fetch, request, (response) => response.json());

/** The longest a server may make us wait, a day: beyond 2^31 ms (25 days) a timer fires at once. */
const longestWaitMs = 86_400_000;

/** Milliseconds from a `Retry-After` header: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(longestWaitMs, Math.max(0, ms));
}
