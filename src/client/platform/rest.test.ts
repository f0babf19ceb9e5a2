// Tests requests on a bad network: repeated only if that is safe, ended by time limits and signals in each phase, and
// never resolved with an invalid response. They use a real server whose responses each test sets.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Route } from '../../protocol/operations/operation.ts';
import { NetworkError, RateLimitedError, ResourceNotFoundError, UnknownError } from '../index.ts';
import type { ClientOptions } from './client-options.ts';
import { collidingOperation, createRest, type RestCallOptions } from './rest.ts';

type Step = (response: ServerResponse, request: IncomingMessage) => void;
interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The response to each request in order; the last one is repeated. */
let script: Step[] = [];
let seen: Seen[] = [];
/** Called with each request. */
let onRequest = () => {};
const server = createServer((request, response) => {
  const step = script.length > 1 ? script.shift() : script[0];
  const entry: Seen = { method: request.method, url: request.url, headers: request.headers, body: '' };
  seen.push(entry);
  request.on('data', (chunk) => {
    entry.body += chunk;
  });
  request.on('end', () => {
    step?.(response, request);
    onRequest();
  });
});
let apiUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  script = [];
  seen = [];
  onRequest = () => {};
});

const errorBody = (code: number, type: string) => ({ id: 'err_1', code, type, message: 'No.' });
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const ok = json(200, { fine: true });
const broken = json(500, errorBody(500, 'Internal'));
const busy = (headers?: Record<string, string>) => json(429, errorBody(429, 'RateLimited'), headers);
const gone = json(404, errorBody(404, 'ResourceNotFound'));
const reset: Step = (response) => response.destroy();
/** Sends the head of a response and half of its body, and then nothing, or ends the connection. */
const half =
  (then: (response: ServerResponse) => void): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"fine":', () => then(response));
  };
const silent: Step = () => {};

/** The tests skip pauses. */
const at = { attempts: 3, delayMs: () => 0 };
const rest = (options: ClientOptions = {}) =>
  createRest({ apiUrl, token: 't', workspaceId: 'w', retry: at, ...options });
const route: Record<string, Route> = {
  GET: 'GET /o/{id}',
  PUT: 'PUT /o/{id}',
  DELETE: 'DELETE /o/{id}',
  POST: 'POST /o/{id}',
};
const call = (method = 'GET', options: RestCallOptions = {}, given: ClientOptions = {}) =>
  rest(given).call(
    { name: 'operate', route: route[method] as Route, needs: 'workspaceId' },
    { id: 'a', field: 1 },
    options,
  );

describe('the request', () => {
  test('has credentials, ids and headers of the caller, which have precedence; JSON only with a body', async () => {
    script = [ok];
    const given = { botId: 'b', headers: { 'X-Bot-Id': 'other', 'x-more': 'm' } };
    await call('PUT', {}, given);
    await call('GET', {}, given);
    const [put, get] = seen;
    expect(put).toMatchObject({ method: 'PUT', url: '/o/a', body: '{"field":1}' });
    expect(put?.headers).toMatchObject({
      authorization: 'Bearer t',
      'x-workspace-id': 'w',
      'x-bot-id': 'other',
      'x-more': 'm',
      'content-type': 'application/json',
    });
    expect(put?.headers['idempotency-key']).toBeUndefined();
    expect(get).toMatchObject({ method: 'GET', url: '/o/a?field=1', body: '' });
    expect(get?.headers['content-type']).toBeUndefined();
  });

  test('is not sent for an operation without its required id', async () => {
    const lacking = createRest({ apiUrl, token: 't' });
    for (const needs of ['workspaceId', 'botId'] as const) {
      await expect(lacking.call({ name: 'listBots', route: 'GET /o', needs })).rejects.toThrow(
        new TypeError(`listBots needs ${needs}: give it to the client.`),
      );
    }
    expect(seen).toEqual([]);
  });
});

describe('attempts', () => {
  test.each(['GET', 'PUT', 'DELETE', 'POST'])(
    '%s is repeated after temporary faults, cuts and refusals',
    async (method) => {
      for (const fault of [broken, reset, half((response) => response.destroy()), busy(), json(503, 'x')]) {
        script = [fault, fault, ok];
        seen = [];
        expect(await call(method)).toEqual({ fine: true });
        expect(seen).toHaveLength(3);
        expect(new Set(seen.map(({ body, url }) => `${url} ${body}`)).size).toBe(1);
      }
    },
  );

  test('are limited; then the last failure is thrown', async () => {
    script = [reset, broken, busy(), broken];
    await expect(call()).rejects.toMatchObject({ name: 'InternalError', code: 500, id: 'err_1' });
    expect(seen).toHaveLength(4);
  });

  test.each([0, { attempts: 0 }])('with retry %j there is one attempt', async (retry) => {
    script = [reset];
    await expect(call('GET', { retry })).rejects.toBeInstanceOf(NetworkError);
    await expect(call('GET', {}, { retry })).rejects.toBeInstanceOf(NetworkError);
    expect(seen).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 410, 413])('%i is final', async (status) => {
    script = [json(status, errorBody(status, 'Forbidden'))];
    await expect(call('PUT')).rejects.toMatchObject({ code: status });
    expect(seen).toHaveLength(1);
  });

  test('a POST has one key for all attempts, a new one for the next call, or that of the caller', async () => {
    script = [reset, broken, busy(), ok];
    await call('POST');
    await call('POST');
    await call('POST', { idempotencyKey: 'mine' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys.slice(0, 4)).toEqual(Array(4).fill(keys[0]));
    expect(keys[4]).toMatch(/^[\da-f]{32}$/);
    expect(keys[4]).not.toBe(keys[0]);
    expect(keys[5]).toBe('mine');
    await expect(call('POST', { idempotencyKey: 'ü' })).rejects.toThrow(TypeError);
  });

  test('if the server does not support keys, a POST is repeated only if it was not executed', async () => {
    const retry = { ...at, post: false };
    for (const fault of [reset, broken, half((response) => response.destroy())]) {
      script = [fault, ok];
      seen = [];
      await expect(call('POST', { retry })).rejects.toThrow();
      expect(seen).toHaveLength(1);
    }
    script = [busy(), ok];
    expect(await call('POST', { retry })).toEqual({ fine: true });
  });

  test('a DELETE that finds nothing after a lost response has succeeded', async () => {
    for (const lost of [reset, half((response) => response.destroy()), broken]) {
      script = [lost, gone];
      expect(await call('DELETE')).toEqual({});
    }
    script = [gone];
    await expect(call('DELETE')).rejects.toBeInstanceOf(ResourceNotFoundError);
    // A refused request was not executed.
    script = [busy(), gone];
    await expect(call('DELETE')).rejects.toBeInstanceOf(ResourceNotFoundError);
    // A 404 of another type does not mean that the resource was deleted.
    script = [reset, json(404, '<html>')];
    await expect(call('DELETE')).rejects.toBeInstanceOf(UnknownError);
    script = [reset, gone];
    await expect(call('GET')).rejects.toBeInstanceOf(ResourceNotFoundError);
  });

  test('with repeated 429 the pauses are as long as the server requests, and the attempts end', async () => {
    const delays: number[] = [];
    const delayMs = vi.fn((_: number, error: unknown) => {
      delays.push((error as RateLimitedError).retryAfterMs ?? -1);
      return 0;
    });
    script = [
      busy({ 'retry-after': '2' }),
      busy({ 'retry-after': '7' }),
      busy({ 'retry-after': 'soon' }),
      busy(),
    ];
    await expect(call('GET', { retry: { attempts: 3, delayMs } })).rejects.toBeInstanceOf(RateLimitedError);
    expect(delays).toEqual([2_000, 7_000, -1]);
    expect(delayMs.mock.calls.map(([failures]) => failures)).toEqual([1, 2, 3]);
  });

  test('if the server requests a longer pause than allowed, the call fails at once', async () => {
    script = [busy({ 'retry-after': '61' }), ok];
    await expect(call('GET', { retry: 3 })).rejects.toMatchObject({ retryAfterMs: 61_000 });
    expect(seen).toHaveLength(1);
  });

  test('there are never more attempts than allowed, and none after a refusal, whatever the server does', async () => {
    const steps = { ok, broken, reset, busy: busy(), gone };
    const name = fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[]));
    await fc.assert(
      fc.asyncProperty(fc.array(name, { maxLength: 8 }), fc.nat(4), async (names, attempts) => {
        script = [...names.map((one) => steps[one]), ok];
        seen = [];
        const given = [...names, 'ok'];
        const end = given.findIndex((one) => one === 'ok' || one === 'gone');
        const result = await call('GET', { retry: { ...at, attempts } }).then(
          () => 'ok',
          () => 'failed',
        );
        expect(seen).toHaveLength(Math.min(end, attempts) + 1);
        expect(result).toBe(given[end] === 'ok' && end <= attempts ? 'ok' : 'failed');
      }),
      { numRuns: 60 },
    );
  });
});

describe('invalid responses', () => {
  test.each<[string, Step]>([
    [
      'HTML',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
    ],
    ['nothing', (response) => response.writeHead(200).end()],
    ['204', (response) => response.writeHead(204).end()],
    ['a list', json(200, [])],
    ['null', json(200, null)],
    ['text', json(200, 'fine')],
    ['half of one', half((response) => response.destroy())],
  ])('%s is a NetworkError', async (_, step) => {
    script = [step];
    await expect(call('GET', { retry: 0 })).rejects.toBeInstanceOf(NetworkError);
  });

  test('a refusal in HTML, cut, or without a body keeps its status', async () => {
    for (const step of [
      (response) => response.writeHead(403).end('<html>'),
      (response) => response.writeHead(403).end(),
      (response) => {
        response.writeHead(403, { 'content-length': '100' }).write('{', () => response.destroy());
      },
    ] as Step[]) {
      script = [step];
      await expect(call()).rejects.toMatchObject({ name: 'UnknownError', code: 403, type: 'Unknown' });
    }
  });

  test('an address without a server is a NetworkError', async () => {
    const nobody = createServer();
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
    const { port } = nobody.address() as AddressInfo;
    await new Promise((resolve) => nobody.close(resolve));
    await expect(call('GET', {}, { apiUrl: `http://127.0.0.1:${port}` })).rejects.toBeInstanceOf(
      NetworkError,
    );
  });
});

describe('if aborted, it ends at once with the reason', () => {
  const reason = new Error('the caller left');

  test('before the request: nothing is sent', async () => {
    await expect(call('GET', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(seen).toEqual([]);
  });

  test.each<[string, Step]>([
    ['before the answer', silent],
    ['in the middle of the answer', half(() => {})],
    [
      'in the middle of a refusal',
      (response) => {
        response.writeHead(403, { 'content-length': '100' }).write('{');
      },
    ],
  ])('%s', async (_, step) => {
    const controller = new AbortController();
    script = [step];
    onRequest = () => controller.abort(reason);
    await expect(call('GET', { signal: controller.signal })).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  test('it ends in a pause between two attempts', async () => {
    const controller = new AbortController();
    script = [busy()];
    const delayMs = () => {
      queueMicrotask(() => controller.abort(reason));
      return 1_000_000;
    };
    const retry = { attempts: 3, delayMs, maxDelayMs: Number.POSITIVE_INFINITY };
    await expect(call('GET', { signal: controller.signal, retry })).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  test('it ends with a fetch that ignores signals, too', async () => {
    const controller = new AbortController();
    const fetch = () => {
      queueMicrotask(() => controller.abort(reason));
      return new Promise<Response>(() => {});
    };
    await expect(call('GET', { signal: controller.signal }, { fetch })).rejects.toBe(reason);
  });

  test('after the end it has no effect, and no listener remains', async () => {
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    script = [broken, ok];
    await call('GET', { signal: controller.signal });
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
    controller.abort();
  });
});

describe('the time limit of one attempt', () => {
  test.each<[string, Step]>([
    ['no answer', silent],
    ['half an answer', half(() => {})],
  ])('%s: a NetworkError with the time limit, and another attempt', async (_, step) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    try {
      const timeout = 30_000;
      const slow: Step = (response, request) => {
        step(response, request);
        vi.advanceTimersByTime(timeout);
      };
      script = [slow];
      await expect(call('GET', { timeout, retry: { ...at, attempts: 1 } })).rejects.toThrow(
        new NetworkError('No answer within 30000 ms.'),
      );
      expect(seen).toHaveLength(2);
      script = [slow, ok];
      expect(await call('GET', {}, { timeout })).toEqual({ fine: true });
    } finally {
      vi.useRealTimers();
    }
  });

  test('it can be infinite, or longer than the maximum of a timer', async () => {
    script = [ok];
    for (const timeout of [Number.POSITIVE_INFINITY, 1e12]) {
      expect(await call('GET', { timeout, retry: 0 })).toEqual({ fine: true });
    }
  });
});

const all: Record<string, Route> = {
  listFiles: 'GET /v1/files',
  getFile: 'GET /v1/files/{id}',
  deleteFile: 'DELETE /v1/files/{id}',
  listFileTags: 'GET /v1/files/tags',
  listFileTagValues: 'GET /v1/files/tags/{tag}/values',
  setFilePassages: 'PUT /v1/files/{id}/passages',
  updateKnowledgeBase: 'PUT /v1/files/knowledge-bases/{id}',
};
const collision = (name: string, target: string) => collidingOperation(all[name] as Route, target, all);

test.each([
  ['getFile', '/v1/files/tags', 'listFileTags'],
  ['getFile', '/v1/files/tags?a=1', 'listFileTags'],
  ['getFile', '/v1/files/Tags', undefined],
  ['getFile', '/v1/files/tags%2Fx', undefined],
  ['getFile', '/v1/files/x?y=/v1/files/tags', undefined],
  ['deleteFile', '/v1/files/tags', undefined],
  ['listFileTags', '/v1/files/tags', undefined],
  ['listFileTagValues', '/v1/files/tags/tags/values', undefined],
  ['setFilePassages', '/v1/files/knowledge-bases/passages', 'updateKnowledgeBase'],
  ['updateKnowledgeBase', '/v1/files/knowledge-bases/passages', 'setFilePassages'],
  ['setFilePassages', '/v1/files/x/passages', undefined],
])('%s at %s: %s', (name, target, expected) => {
  expect(collision(name, target)).toBe(expected);
});
