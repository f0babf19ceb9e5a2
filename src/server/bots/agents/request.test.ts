// Tests the requests to agents: what is repeated, what is refused, and what ends them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { createAddresses } from '../webhooks/addresses.ts';
import { useAgent } from './chat.testing.ts';
import type { ServerEvent } from './protocol.ts';
import { batchSize, requestAgent } from './request.ts';
import { AgentFailure } from './response.ts';
import { begin, chunk, done, say } from './testing.ts';

const agent = useAgent();

type Options = Partial<Parameters<typeof requestAgent>[0]>;

/** Times in which a test does not wait. */
const times = { retries: [1, 1] };

const request = (options: Options = {}) =>
  requestAgent({
    url: `${agent.url}/chat/completions`,
    headers: {},
    body: '{"messages":[]}',
    addresses: createAddresses(true),
    signal: new AbortController().signal,
    times,
    ...options,
  });

async function readAll(options?: Options): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const batch of request(options)) events.push(...batch);
  return events;
}

/** The code and the status of the failure. */
async function failureOf(options?: Options): Promise<(string | number | undefined)[]> {
  const error: unknown = await readAll(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AgentFailure)) throw error ?? new Error('The request has not failed.');
  return [error.code, error.status];
}

const textsOf = async (options?: Options) => (await readAll(options)).map(({ data }) => data);

test('requests of agents: a stream is read, and the headers of the operator are sent, but none of the connection', async () => {
  const headers = { authorization: 'Bearer k', 'x-team': 'a', 'content-length': '1' };
  expect(await textsOf({ headers })).toEqual([
    '{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}',
    '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    '[DONE]',
  ]);
  expect(agent.requests[0]?.headers).toMatchObject({
    ...{ accept: 'text/event-stream', 'accept-encoding': 'identity', 'content-type': 'application/json' },
    ...{ ...headers, 'content-length': '15' },
  });
});

test.each([
  ['as it is', undefined],
  ['compressed', createGzip()],
])('requests of agents: each event is yielded when it arrives, %s', async (_, compression) => {
  let goOn = () => {};
  agent.answer((response) => {
    const body = compression ?? response;
    response.writeHead(200, compression ? { 'content-encoding': 'gzip' } : {});
    compression?.pipe(response);
    body.write(chunk({ content: 'a' }));
    compression?.flush();
    goOn = () => body.end(done);
  });
  const events = request();
  expect((await events.next()).value).toMatchObject([{ data: expect.stringContaining('"a"') }]);
  goOn();
  expect((await events.next()).value).toEqual([{ event: 'message', data: '[DONE]' }]);
  expect((await events.next()).done).toBe(true);
});

test('requests of agents: an event that a broken connection has cut is not read', async () => {
  agent.answer((response) => {
    begin(response).write('data: a\n\ndata: {"b":', () => response.destroy());
  });
  const events = request();
  expect((await events.next()).value).toMatchObject([{ data: 'a' }]);
  await expect(events.next()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test.each<[string, string | undefined, string, string[]]>([
  ['JSON in several lines', 'application/json', '{\n "a": 1\n}\n', ['{\n "a": 1\n}\n', '[DONE]']],
  ['JSON as a text', 'text/plain', '\ufeff {"a":1}', ['{"a":1}', '[DONE]']],
  ['JSON as a stream', 'text/event-stream', '{"a":1}\n', ['{"a":1}', '[DONE]']],
  ['another JSON type', 'application/vnd.api+json', '{"a":1}', ['{"a":1}', '[DONE]']],
  ['a list of events', 'application/json', '[{"a":1},\n{"a":2}]', ['{"a":1}', '{"a":2}', '[DONE]']],
  ['an event in each line', 'application/x-ndjson', '{"a":1}\n{"a":2}\n', ['{"a":1}', '{"a":2}']],
  ['events as a text', 'text/plain; charset=utf-8', 'data: a\n\n', ['a']],
  ['events as a page', 'text/html', '\n: hi\n\ndata: a\n\n', ['a']],
  ['events as JSON', 'application/json', 'data: a\n\n', ['a']],
  ['events as bytes', 'application/octet-stream', 'event: x\ndata: a\n\n', ['a']],
  ['events without empty lines', 'text/event-stream', 'data: {"a":1}\ndata: [DONE]\n', ['{"a":1}', '[DONE]']],
  ['events without a type', undefined, 'data: a\n\n', ['a']],
  ['an event in several lines', 'text/event-stream', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
])('requests of agents: the type of a body is a hint only: %s', async (_, type, body, expected) => {
  for (const size of [1, 1_000]) {
    agent.answer(async (response) => {
      response.writeHead(200, type === undefined ? {} : { 'content-type': type });
      for (let at = 0; at < body.length; at += size)
        await new Promise((resolve) => response.write(body.slice(at, at + size), resolve));
      response.end();
    });
    expect((await textsOf()).map((text) => text.replace(/^\s+/, ''))).toEqual(expected);
  }
});

test.each<[string, (text: string) => Buffer]>([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['identity, gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['', gzipSync],
  ['gzip', Buffer.from],
  ['identity', Buffer.from],
])('requests of agents: a compressed response is read byte by byte: %s', async (encoding, compress) => {
  agent.answer(async (response) => {
    response.writeHead(200, encoding === '' ? {} : { 'content-encoding': encoding });
    for (const byte of compress('data: é😀\n\ndata: [DONE]\n\n'))
      await new Promise((resolve) => response.write(Buffer.from([byte]), resolve));
    response.end();
  });
  expect(await textsOf()).toEqual(['é😀', '[DONE]']);
});

test('requests of agents: an unknown or broken compression, and a small response that becomes a large one', async () => {
  const send = (encoding: string, body: Buffer) =>
    agent.answer((response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
  send('zip', Buffer.from('data: a\n\n'));
  expect(await failureOf()).toEqual(['content_encoding', undefined]);
  send('br', Buffer.from('data: a\n\n'));
  expect(await failureOf()).toEqual(['content_encoding', undefined]);
  send('gzip', Buffer.concat([gzipSync('').subarray(0, 10), Buffer.from([0xff, 0xff, 0xff])]));
  expect(await failureOf()).toEqual(['content_encoding', undefined]);
  send('gzip', gzipSync(chunk({ content: 'x'.repeat(100_000) }).repeat(200)));
  expect(await failureOf()).toEqual(['too_large', undefined]);
});

test.each<[code: string, attempts: number, statuses: number[]]>([
  ['status', 3, [408, 425, 429, 500, 502, 503, 504, 520, 524, 529]],
  // Redirects are not followed.
  ['status', 1, [400, 401, 403, 404, 422, 501, 505, 301, 307]],
  // An earlier run goes on.
  ['busy', 1, [409, 423]],
])(
  'requests of agents: the failure %s after %i attempts is that of statuses %j',
  async (code, attempts, statuses) => {
    for (const status of statuses) {
      agent.requests.length = 0;
      agent.answer((response) =>
        response.writeHead(status, { location: `${agent.url}/other` }).end('SECRET'),
      );
      expect([...(await failureOf()), agent.requests.length]).toEqual([code, status, attempts]);
    }
  },
);

test.each<[string, number, Record<string, string>]>([
  ['a header that says so', 500, { 'x-should-retry': 'false' }],
  ['a pause in milliseconds that is too long', 429, { 'retry-after-ms': '31000', 'retry-after': '0' }],
  ['a pause that is too long', 429, { 'retry-after': '31' }],
])('requests of agents: nothing is tried again after %s', async (_, status, headers) => {
  agent.answer((response) => response.writeHead(status, headers).end());
  expect([...(await failureOf()), agent.requests.length]).toEqual(['status', status, 1]);
});

test('requests of agents: a connection that breaks before the headers is tried twice more', async () => {
  agent.answer((response, _, index) => {
    if (index === 0) response.socket?.resetAndDestroy();
    else if (index === 1) response.destroy();
    else say(response, 'Hello');
  });
  expect(await readAll()).toHaveLength(3);
  agent.answer((response) => response.destroy());
  expect(await failureOf()).toEqual(['ECONNRESET', undefined]);
  expect(agent.requests).toHaveLength(6);
});

test('requests of agents: a refused connection is tried twice more', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  let attempts = 0;
  const allowed = createAddresses(true);
  const addresses = {
    ...allowed,
    assertHost(host: string) {
      attempts += 1;
      allowed.assertHost(host);
    },
  };
  const url = `http://127.0.0.1:${port}/`;
  expect(await failureOf({ url, addresses })).toEqual(['ECONNREFUSED', undefined]);
  expect(attempts).toBe(3);
});

test('requests of agents: Retry-After is waited for', async () => {
  agent.answer((response, _, index) => {
    if (index === 0) response.writeHead(429, { 'retry-after': '1' }).end();
    else say(response, 'Hello');
  });
  const begun = performance.now();
  await readAll();
  // A lower bound: it depends on no speed of the machine.
  expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  expect(agent.requests).toHaveLength(2);
});

test('requests of agents: nothing is tried again after the first byte', async () => {
  agent.answer((response) => {
    begin(response).write(chunk({ content: 'a' }), () => response.destroy());
  });
  expect(await failureOf()).toEqual(['ECONNRESET', undefined]);
  expect(agent.requests).toHaveLength(1);
});

test('requests of agents: silence ends them, before the first byte and between two', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const arrived = new Promise<void>((resolve) => agent.answer(() => resolve()));
    const failing = failureOf({ times: { idle: 50 } });
    await arrived;
    vi.advanceTimersByTime(50);
    expect(await failing).toEqual(['timeout', undefined]);

    agent.answer((response) => begin(response).write(chunk({ content: 'a' })));
    const events = request({ times: { idle: 50 } });
    await events.next();
    const next = events.next().catch((error) => error);
    vi.advanceTimersByTime(50);
    expect(await next).toMatchObject({ code: 'timeout' });
  } finally {
    vi.useRealTimers();
  }
  expect(agent.requests).toHaveLength(2);
  await Promise.all(agent.requests.map(({ closed }) => closed));
});

test.each([
  ['text/event-stream', '<!doctype html><p>SECRET'],
  ['application/json', '<html>SECRET'],
  ['text/plain', 'SECRET'],
  ['image/png', 'data: a\n\n'],
  ['text/html', '<p>SECRET'],
])('requests of agents: a body that is not an answer is refused: %s', async (type, body) => {
  agent.answer((response) => response.writeHead(200, { 'content-type': type }).end(body));
  expect(await failureOf()).toEqual(['content_type', undefined]);
});

test('requests of agents: events are counted, and come in batches', async () => {
  agent.answer((response) => begin(response).end('data: a\n\n'.repeat(950)));
  const sizes: number[] = [];
  const budget = { bytes: 1_000_000, events: 900 };
  const reading = (async () => {
    for await (const batch of request({ budget })) sizes.push(batch.length);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'too_many_events' });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(900);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(batchSize);
  expect(budget.events).toBe(0);
});

test('requests of agents: the time in which the server is busy is not a silence', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    agent.answer((response) => begin(response).end(chunk({ content: 'a' }).repeat(batchSize + 1)));
    const sizes: number[] = [];
    for await (const batch of request({ times: { idle: 50 } })) {
      sizes.push(batch.length);
      vi.advanceTimersByTime(50);
    }
    expect(sizes).toEqual([batchSize, 1]);
  } finally {
    vi.useRealTimers();
  }
});

test('requests of agents: an event of more than 1,000,000 characters, and a response of more than 10,000,000 bytes', async () => {
  agent.answer((response) => begin(response).end(`data: ${'x'.repeat(1_100_000)}`));
  expect(await failureOf()).toEqual(['event_too_large', undefined]);
  agent.answer((response) => {
    begin(response);
    const write = () => response.write(chunk({ content: 'x'.repeat(100_000) }), (error) => error || write());
    write();
  });
  expect(await failureOf()).toEqual(['too_large', undefined]);
  await agent.requests[1]?.closed;
  agent.answer((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(1_000_000)}"`),
  );
  expect(await failureOf()).toEqual(['too_large', undefined]);
});

test('requests of agents: addresses of private networks are refused where the policy does not allow them', async () => {
  const addresses = createAddresses(false);
  const named = `http://localhost:${new URL(agent.url).port}/v1`;
  for (const options of [{ addresses }, { addresses, url: named }, { url: 'http://169.254.169.254/v1' }])
    expect(await failureOf(options)).toEqual(['address_refused', undefined]);
  expect(await failureOf({ url: 'ftp://127.0.0.1/' })).toEqual(['address_invalid', undefined]);
  expect(agent.requests).toEqual([]);
});

test('requests of agents: an abort closes the connection and throws its reason', async () => {
  agent.answer((response) => begin(response).write(chunk({ content: 'a' })));
  const controller = new AbortController();
  const reason = new Error('stopped');
  const events = request({ signal: controller.signal });
  await events.next();
  const next = events.next();
  controller.abort(reason);
  await expect(next).rejects.toBe(reason);
  await agent.requests[0]?.closed;
  // Also before the request, and while it waits for another attempt.
  await expect(readAll({ signal: controller.signal })).rejects.toBe(reason);
  const second = new AbortController();
  agent.answer((response) => {
    response.writeHead(503).end();
    second.abort(reason);
  });
  await expect(readAll({ signal: second.signal, times: { retries: [60_000] } })).rejects.toBe(reason);
  expect(agent.requests).toHaveLength(2);
});

test('requests of agents: a caller that stops to read closes the connection', async () => {
  agent.answer((response) => begin(response).write(chunk({ content: 'a' })));
  for await (const batch of request()) {
    expect(batch).toHaveLength(1);
    break;
  }
  await agent.requests[0]?.closed;
});
