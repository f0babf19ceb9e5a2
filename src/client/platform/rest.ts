// Calls one server's APIs: a request, its attempts, its time limit, its answer as JSON. It knows no operation.
import type { Route } from '../../protocol/operations/operation.ts';
import { isApiError, typedError } from '../core/api-errors.ts';
import type { CallOptions } from '../core/call-options.ts';
import { NetworkError } from '../core/errors.ts';
import { retryAfter } from '../core/http.ts';
import { type RetryOptions, readRetry, repeat } from '../core/retry.ts';
import { type ClientOptions, idHeaders, readOptions, readTimeout, type Settings } from './client-options.ts';
import { encodeRequest, headerValue } from './encode.ts';
import { collidingOperation } from './route-collisions.ts';

/** What one call may set for itself. */
export interface RestCallOptions extends CallOptions {
  /** Milliseconds that one attempt may take, in the place of the client's `timeout`. */
  timeout?: number;
  /** In the place of the client's `retry`. */
  retry?: number | RetryOptions;
}

/** An operation to be called. */
export interface RestOperation {
  name: string;
  route: Route;
  /** What has to be given so that the server knows whose things are meant. */
  needs?: 'workspaceId' | 'botId' | undefined;
  /** All operations of the server that may be meant by an address like it. */
  all?: Record<string, Route>;
}

/** A request to any address, with the client's fetch. */
export interface Exchange {
  url: string;
  /** `duplex` goes with a stream as body (Fetch Standard). */
  init: RequestInit & { duplex?: 'half' };
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

export interface Rest {
  settings: Settings;
  /**
   * Calls an operation. Sent again after a failure that may pass: GET, PUT and DELETE, and POST with its
   * Idempotency-Key, which is the same in all attempts; after 429 any.
   * @throws (as a rejection) ApiError of the class of its type; NetworkError when no usable answer came; TypeError for
   * an input that cannot be sent; the abort reason, at once, when aborted.
   */
  call(operation: RestOperation, input?: object, options?: RestCallOptions): Promise<unknown>;
  /** One request, one attempt; gives what `read` makes of an answer below 400. Throws as `call`. */
  exchange<T>(exchange: Exchange, read: (response: Response) => T | Promise<T>): Promise<T>;
}

/** @throws TypeError for options that cannot work. */
export function createRest(options: ClientOptions): Rest {
  const settings = readOptions(options);

  async function exchange<T>(
    { url, init, signal, timeoutMs }: Exchange,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    // AbortSignal.any is newer than the browsers we support (Chrome 116, Firefox 124, Safari 17.4).
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    const late = new NetworkError(`No answer within ${timeoutMs} ms.`);
    const timer =
      timeoutMs === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => controller.abort(late), timeoutMs);
    signal?.addEventListener('abort', abort);
    // A fetch of the caller's own may not know signals: they end the waiting all the same.
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
    });
    const work = async () => {
      const response = await settings.fetch(url, {
        credentials: 'omit',
        cache: 'no-store',
        ...init,
        signal: controller.signal,
      });
      if (response.status < 400) return read(response);
      const answer: unknown = await response.json().catch(() => undefined);
      throw typedError(response.status, answer, retryAfter(response.headers.get('retry-after')));
    };
    try {
      return await Promise.race([work(), ended]);
    } catch (cause) {
      signal?.throwIfAborted();
      // The time limit's own words, not fetch's for an abort.
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
    const { attempts, ...how } = retry === undefined ? settings.retry : readRetry(retry);
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
    /** Whether an attempt ended so that it may have been done all the same. */
    let mayBeDone = false;
    const work = async () => {
      try {
        return await exchange(request, async (response) => readObject(await response.json()));
      } catch (error) {
        // What the attempt before has deleted is not there any more: it did what was asked.
        if (method === 'DELETE' && mayBeDone && isApiError(error) && error.type === 'ResourceNotFound')
          return {};
        throw error;
      }
    };
    const mayRepeat = (error: unknown) => {
      // What was refused because there were too many requests was not begun.
      if (isApiError(error) && error.code === 429) return true;
      mayBeDone = true;
      return !isPost || how.post;
    };
    return repeat(work, mayRepeat, { attempts, ...how }, signal);
  }

  return { settings, call, exchange };
}

/** A success that is not an object is not a success: a proxy or a captive portal spoke. */
function readObject(answer: unknown): object {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer;
  throw new TypeError('The answer is JSON, but no object.');
}

/** As good as a random UUID, which pages without TLS cannot make. */
const createKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
