// Calls the APIs of one server: a request with its attempts, its time limit and its JSON response.
import type { Route } from '../../protocol/route.ts';
import { isApiError, typedError } from '../core/api-errors.ts';
import { NetworkError } from '../core/errors.ts';
import { type CallOptions, retryAfter } from '../core/http.ts';
import { type RetryOptions, readRetry, repeat } from '../core/retry.ts';
import { type ClientOptions, idHeaders, readOptions, readTimeout, type Settings } from './client-options.ts';
import { encodeRequest, headerValue } from './encode.ts';

/** The options of one call. */
export interface RestCallOptions extends CallOptions {
  /** Time limit of one attempt in milliseconds, instead of the client's `timeout`. */
  timeout?: number;
  /** Instead of the client's `retry`. */
  retry?: number | RetryOptions;
}

/** The operation to call. */
export interface RestOperation {
  name: string;
  route: Route;
  /** The option that the server needs to identify the workspace or the bot. */
  needs?: 'workspaceId' | 'botId' | undefined;
  /** All operations of the server, to detect an id that makes the address of another operation. */
  all?: Record<string, Route>;
}

/** A request to any address, with the client's fetch. */
export interface Exchange {
  url: string;
  /** `duplex` is required for a stream as body (Fetch Standard). */
  init: RequestInit & { duplex?: 'half' };
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

export interface Rest {
  settings: Settings;
  /**
   * Calls an operation. After a temporary failure it repeats GET, PUT and DELETE, and POST with its Idempotency-Key,
   * which is the same in all attempts; after 429 any request.
   * @throws (as a rejection) ApiError of the class of its type; NetworkError without a usable response; TypeError for
   * an invalid input; the abort reason, at once, if aborted.
   */
  call(operation: RestOperation, input?: object, options?: RestCallOptions): Promise<unknown>;
  /** One request, one attempt. Returns the result of `read` for a status below 400. Throws as `call`. */
  exchange<T>(exchange: Exchange, read: (response: Response) => T | Promise<T>): Promise<T>;
}

/** @throws TypeError for invalid options. */
export function createRest(options: ClientOptions, isOfSession = false): Rest {
  const settings = readOptions(options, isOfSession);

  async function exchange<T>(
    { url, init, signal, timeoutMs }: Exchange,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    // AbortSignal.any is newer than the browsers we support (Chrome 116, Firefox 124, Safari 17.4).
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    const timeoutError = new NetworkError(`No answer within ${timeoutMs} ms.`);
    const timer =
      timeoutMs === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => controller.abort(timeoutError), timeoutMs);
    signal?.addEventListener('abort', abort);
    // A custom fetch may ignore signals, so the wait ends with the signal in any case.
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
    });
    const work = async () => {
      const response = await settings.fetch(url, {
        credentials: settings.credentials,
        cache: 'no-store',
        ...init,
        signal: controller.signal,
      });
      if (response.status < 400) return read(response);
      const body: unknown = await response.json().catch(() => undefined);
      throw typedError(response.status, body, retryAfter(response.headers.get('retry-after')));
    };
    try {
      return await Promise.race([work(), ended]);
    } catch (cause) {
      signal?.throwIfAborted();
      // The error of the time limit, instead of fetch's error for an abort.
      controller.signal.throwIfAborted();
      if (isApiError(cause)) throw cause;
      throw new NetworkError('The server could not be reached, or its answer was cut.', { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async function call(
    { name, route, needs, all = {} }: RestOperation,
    input: object = {},
    { signal, idempotencyKey, timeout, retry }: RestCallOptions = {},
  ): Promise<unknown> {
    if (needs && !settings.headers[idHeaders[needs]]) {
      throw new TypeError(`${name} needs ${needs}: give it to the client.`);
    }
    const { method, target, headers, body } = encodeRequest(name, route, input);
    const collision = collidingOperation(route, target, all);
    if (collision) throw new TypeError(`${name}: ${target} is the address of ${collision}; use another id.`);
    const isPost = method === 'POST';
    const key = isPost ? (idempotencyKey ?? createKey()) : undefined;
    const { attempts, ...retryOptions } = retry === undefined ? settings.retry : readRetry(retry);
    const request = {
      url: settings.apiUrl + target,
      init: {
        method,
        headers: {
          ...settings.headers,
          ...headers,
          ...(key && { 'idempotency-key': headerValue('idempotencyKey', key) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      },
      signal,
      timeoutMs: timeout === undefined ? settings.timeoutMs : readTimeout(timeout),
    };
    /** Whether the server may have executed an attempt that failed. */
    let mayBeDone = false;
    const work = async () => {
      try {
        return await exchange(request, async (response) => readObject(await response.json()));
      } catch (error) {
        // The previous attempt has deleted the resource, so the deletion has succeeded.
        if (method === 'DELETE' && mayBeDone && isApiError(error) && error.type === 'ResourceNotFound')
          return {};
        throw error;
      }
    };
    const mayRepeat = (error: unknown) => {
      // The server did not execute a request that it refused with 429.
      if (isApiError(error) && error.code === 429) return true;
      mayBeDone = true;
      return !isPost || retryOptions.post;
    };
    return repeat(work, mayRepeat, { attempts, ...retryOptions }, signal);
  }

  return { settings, call, exchange };
}

/** A success that is not an object is an error: it is from a proxy or a captive portal. */
function readObject(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new TypeError('The answer is JSON, but no object.');
}

/** Equivalent to a random UUID, which pages without TLS cannot create. */
const createKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

// Detects an id that makes the address of another operation: the file `tags` has the address of the list of all tags.
// Pure; routes are compared segment by segment.

/** The operation of `all` that would be called instead of `route`, if the address matches one. */
export function collidingOperation(
  route: Route,
  target: string,
  all: Record<string, Route>,
): string | undefined {
  const [method, template = ''] = route.split(' ');
  const [path = ''] = target.split('?');
  const own = template.split('/');
  const parts = path.split('/');
  const found = Object.entries(all).find(([, other]) => {
    const [otherMethod, otherTemplate = ''] = other.split(' ');
    const theirs = otherTemplate.split('/');
    return (
      otherMethod === method &&
      theirs.length === parts.length &&
      theirs.every((part, index) => isParameter(part) || part === parts[index]) &&
      // The other route has a literal segment where this route has a parameter.
      theirs.some((part, index) => !isParameter(part) && isParameter(own[index] ?? ''))
    );
  });
  return found?.[0];
}

const isParameter = (part: string): boolean => part.startsWith('{');
