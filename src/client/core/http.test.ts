// Tests one request: valid and missing responses, and that no timers or listeners remain.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import { ApiError, isRetryable, NetworkError } from './errors.ts';
import { type Fetch, send, sendJson } from './http.ts';

const url = 'https://chat.test/chat/demo/users';
const get = { method: 'GET', url, headers: { 'x-user-key': 'k' } };
const answer =
  (body: BodyInit | null, init?: ResponseInit): Fetch =>
  async () =>
    new Response(body, init);
const json = (status: number, body: unknown, headers = {}) =>
  answer(JSON.stringify(body), { status, headers });
const body = { id: 'err_1', code: 403, type: 'Forbidden', message: 'No.', metadata: { why: 'x' } };

/** The error that the promise rejects with. */
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  );
async function apiFailure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await failure(promise);
  if (!(error instanceof ApiError)) return expect.unreachable(String(error));
  return error;
}

/** A fetch that never responds, and rejects like a real one when it is aborted. */
const silent: Fetch = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted.', 'AbortError')));
  });
/** A response whose body never ends until the request is aborted. */
const endless =
  (status: number): Fetch =>
  async (_, { signal }) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"a":'));
          signal?.addEventListener('abort', () =>
            controller.error(new DOMException('Aborted.', 'AbortError')),
          );
        },
      }),
      { status },
    );

describe('the request', () => {
  const fetch = vi.fn<Fetch>(async () => Response.json({}));
  beforeEach(() => fetch.mockClear());

  test('a GET has no body and no content type; no cookies, no cache', async () => {
    await sendJson(fetch, get);
    expect(fetch).toHaveBeenCalledWith(url, {
      method: 'GET',
      headers: { 'x-user-key': 'k' },
      credentials: 'omit',
      cache: 'no-store',
      signal: expect.any(AbortSignal),
    });
  });

  test.each(['POST', 'PUT', 'DELETE'])('a %s sends JSON', async (method) => {
    await sendJson(fetch, { ...get, method, body: {} });
    expect(fetch.mock.lastCall?.[1]).toMatchObject({
      method,
      body: '{}',
      headers: { 'x-user-key': 'k', 'content-type': 'application/json' },
    });
  });
});

describe('a response', () => {
  test.each([200, 201, 299])('%d gives its JSON', async (status) => {
    expect(await sendJson(json(status, { a: 1 }), get)).toEqual({ a: 1 });
  });

  test('a numeric code in a success is not an error', async () => {
    expect(await sendJson(json(200, { code: 500 }), get)).toEqual({ code: 500 });
  });

  test('the five-field error is parsed completely', async () => {
    const error = await apiFailure(sendJson(json(403, body), get));
    expect(error.toJSON()).toEqual(body);
    expect(error).toMatchObject({
      name: 'ApiError',
      isApiError: true,
      retryAfterMs: undefined,
      message: 'No.',
    });
  });

  test.each([
    ['HTML of a proxy', 502, '<html><h1>Bad gateway</h1></html>'],
    ['text', 500, 'Internal Server Error'],
    ['only a message', 400, '{"message":"bad"}'],
    ['nothing', 404, ''],
    ['cut JSON', 503, '{"id":"err_1","code":5'],
    ['null', 500, 'null'],
  ])('an error with %s is Unknown, with the status', async (_, status, text) => {
    const error = await apiFailure(sendJson(answer(text, { status }), get));
    expect(error).toMatchObject({ code: status, type: 'Unknown', id: '', metadata: undefined });
    expect(error.message).toBe(`The server answered ${status}.`);
  });

  test('the status has precedence over the body', async () => {
    expect(await apiFailure(sendJson(json(500, body), get))).toMatchObject({ code: 500, type: 'Forbidden' });
  });
});

describe('no response', () => {
  test.each([
    ['the connection is refused', async () => Promise.reject(new TypeError('fetch failed'))],
    ['a portal answers with HTML', answer('<html>log in</html>')],
    ['the JSON is cut', answer('{"user":{"id"')],
    ['the body is empty', answer(null, { status: 204 })],
    ['it is not modified', answer(null, { status: 304 })],
    [
      'the body is cut',
      answer(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })),
    ],
  ] satisfies [string, Fetch][])('when %s: NetworkError with its cause', async (_, fetch) => {
    const error = await failure(sendJson(fetch, get));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toHaveProperty('cause');
  });
});

describe('aborting', () => {
  const reason = new Error('left');

  test('before the request: nothing is sent', async () => {
    const fetch = vi.fn(silent);
    expect(await failure(sendJson(fetch, { ...get, signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each([
    ['before the answer', silent],
    ['during a success', endless(200)],
    ['during an error', endless(500)],
  ])('%s: rejects with the reason', async (_, fetch) => {
    const controller = new AbortController();
    const fetchSpy = vi.fn(fetch);
    const failed = failure(sendJson(fetchSpy, { ...get, signal: controller.signal }));
    await waitFor(() =>
      expect(fetchSpy.mock.settledResults.length + fetchSpy.mock.calls.length).toBeGreaterThan(0),
    );
    controller.abort(reason);
    expect(await failed).toBe(reason);
  });

  test.each([
    ['success', json(200, {})],
    ['error', json(500, body)],
    ['failure', answer('x')],
  ])('a long-lived signal keeps no listener after %s', async (_, fetch) => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await sendJson(fetch, { ...get, signal }).catch(() => {});
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      added.mock.calls.map(([type, listener]) => [type, listener]),
    );
  });
});

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2025-01-01T00:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['an answer', silent],
    ['the rest of an answer', endless(200)],
  ])('a minute without %s is a NetworkError', async (_, fetch) => {
    const settled = vi.fn();
    const failed = failure(sendJson(fetch, get));
    void failed.then(settled);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await failed).toBeInstanceOf(NetworkError);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('no timer remains after a response, and the time limit ends with `read`', async () => {
    const aborted = vi.fn();
    const response = await send(
      async (_, { signal }) => {
        signal?.addEventListener('abort', aborted);
        return new Response('x');
      },
      get,
      (given) => given,
    );
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(aborted).not.toHaveBeenCalled();
    expect(await response.text()).toBe('x');
  });

  test.each([
    ['7', 7_000],
    ['0', 0],
    ['Wed, 01 Jan 2025 00:00:30 GMT', 30_000],
    ['Tue, 31 Dec 2024 23:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-5', 0],
    // The maximum of a timer is 2^31 ms; beyond, it fires at once, and the server would be called in a fast loop.
    ['99999999999', 86_400_000],
    ['9'.repeat(400), 86_400_000],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 86_400_000],
  ])('Retry-After: %s is %s ms', async (header, ms) => {
    const error = await apiFailure(sendJson(json(429, body, { 'retry-after': header }), get));
    expect(error.retryAfterMs).toBe(ms);
  });
});

test.each([
  [new NetworkError('x'), true],
  [new ApiError(408, body), true],
  [new ApiError(429, body), true],
  [new ApiError(500, body), true],
  [new ApiError(503, body), true],
  [new ApiError(400, body), false],
  [new ApiError(401, body), false],
  [new ApiError(404, body), false],
  [new ApiError(409, body), false],
  [new TypeError('x'), false],
  [undefined, false],
])('whether a retry of %s can help: %s', (error, can) => expect(isRetryable(error)).toBe(can));
