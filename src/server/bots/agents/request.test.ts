// Tests the requests to agents: what is repeated, what is refused, and what ends them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAddresses } from '../webhooks/addresses.ts';
import { AgentFailure } from './failure.ts';
import type { ServerEvent } from './protocol.ts';
import { batchSize, requestAgent } from './request.ts';
import { type AgentServer, begin, chunk, done, say, startAgentServer } from './testing.ts';

let agent: AgentServer;
beforeEach(async () => {
  agent = await startAgentServer();
});
afterEach(() => agent.close());

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

test('requests of agents: a stream is read event by event', async () => {
  expect((await readAll()).map(({ data }) => data)).toEqual([
    '{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}',
    '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    '[DONE]',
  ]);
  expect(agent.requests[0]?.headers).toMatchObject({
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'content-length': '15',
  });
});

test('requests of agents: the headers of the operator are sent, and none of the connection', async () => {
  await readAll({ headers: { authorization: 'Bearer k', 'x-team': 'a', 'content-length': '1' } });
  expect(agent.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer k',
    'x-team': 'a',
    'content-length': '15',
  });
});

test('requests of agents: each event is yielded when it arrives', async () => {
  let goOn = () => {};
  agent.answer((response) => {
    begin(response).write(chunk({ content: 'a' }));
    goOn = () => response.end(done);
  });
  const events = request();
  expect((await events.next()).value).toMatchObject([{ data: expect.stringContaining('"a"') }]);
  goOn();
  expect((await events.next()).value).toEqual([{ event: 'message', data: '[DONE]' }]);
  expect((await events.next()).done).toBe(true);
});

test('requests of agents: one byte at a time, within characters', async () => {
  agent.answer(async (response) => {
    begin(response);
    for (const byte of Buffer.from('data: é😀\r\n\r\n')) {
      await new Promise((resolve) => response.write(Buffer.from([byte]), resolve));
    }
    response.end();
  });
  expect(await readAll()).toEqual([{ event: 'message', data: 'é😀' }]);
});

test.each([
  ['no blank line', 'data: a\n\ndata: [DONE]\n'],
  ['no line end', 'data: a\n\ndata: [DONE]'],
  ['CR only', 'data: a\r\rdata: [DONE]\r'],
  ['a byte order mark, and no spaces', '\ufeffdata:a\n\ndata:[DONE]'],
  ['comments between the events', ': keep-alive\n\ndata: a\n\n: keep-alive\n\ndata: [DONE]'],
])('requests of agents: the last event of a response is read: %s', async (_, body) => {
  agent.answer((response) => begin(response).end(body));
  expect((await readAll()).map(({ data }) => data)).toEqual(['a', '[DONE]']);
});

test('requests of agents: an event that a broken connection has cut is not read', async () => {
  agent.answer((response) => {
    begin(response).write('data: a\n\ndata: {"b":', () => response.destroy());
  });
  const events = request();
  expect((await events.next()).value).toMatchObject([{ data: 'a' }]);
  await expect(events.next()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('requests of agents: a JSON response is one event, and needs no other end', async () => {
  agent.answer((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":"é"}'),
  );
  expect((await readAll()).map(({ data }) => data)).toEqual(['{"a":"é"}', '[DONE]']);
});

test.each<[string, string, string, string[]]>([
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
  ['an event in several lines', 'text/event-stream', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
])('requests of agents: the type of a body is a hint only: %s', async (_, type, body, expected) => {
  for (const size of [1, 1_000]) {
    agent.answer(async (response) => {
      response.writeHead(200, { 'content-type': type });
      for (let at = 0; at < body.length; at += size)
        await new Promise((resolve) => response.write(body.slice(at, at + size), resolve));
      response.end();
    });
    expect((await readAll()).map(({ data }) => data.replace(/^\s+/, ''))).toEqual(expected);
  }
});

test('requests of agents: a body without a type is read', async () => {
  agent.answer((response) => response.writeHead(200).end('data: a\n\n'));
  expect(await readAll()).toEqual([{ event: 'message', data: 'a' }]);
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
])('requests of agents: a compressed response is read as it arrives: %s', async (encoding, compress) => {
  agent.answer(async (response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      ...(encoding === '' ? {} : { 'content-encoding': encoding }),
    });
    for (const byte of compress('data: é😀\n\ndata: [DONE]\n\n'))
      await new Promise((resolve) => response.write(Buffer.from([byte]), resolve));
    response.end();
  });
  expect((await readAll()).map(({ data }) => data)).toEqual(['é😀', '[DONE]']);
  expect(agent.requests[0]?.headers['accept-encoding']).toBe('identity');
});

test('requests of agents: each piece of a compressed response is read when it arrives', async () => {
  const compression = createGzip();
  agent.answer((response) => {
    compression.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
    compression.write(chunk({ content: 'a' }));
    compression.flush();
  });
  const events = request();
  expect((await events.next()).value).toMatchObject([{ data: expect.stringContaining('"a"') }]);
  compression.end(done);
  expect((await events.next()).value).toEqual([{ event: 'message', data: '[DONE]' }]);
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

test.each([408, 425, 429, 500, 502, 503, 504, 520, 524, 529])(
  'requests of agents: status %i is tried twice more',
  async (status) => {
    agent.answer((response, _, index) => {
      if (index < 2) response.writeHead(status).end();
      else say(response, 'Hello');
    });
    expect(await readAll()).toHaveLength(3);
    agent.answer((response) => response.writeHead(status).end());
    expect(await failureOf()).toEqual(['status', status]);
    expect(agent.requests).toHaveLength(6);
  },
);

test.each([400, 401, 403, 404, 422, 501, 505, 301, 307])(
  'requests of agents: status %i is final, and redirects are not followed',
  async (status) => {
    agent.answer((response) => response.writeHead(status, { location: `${agent.url}/other` }).end('SECRET'));
    expect(await failureOf()).toEqual(['status', status]);
    expect(agent.requests).toHaveLength(1);
  },
);

test.each([409, 423])(
  'requests of agents: status %i says that an earlier run goes on, and the request is not sent again at once',
  async (status) => {
    agent.answer((response) => response.writeHead(status).end('SECRET'));
    expect(await failureOf()).toEqual(['busy', status]);
    expect(agent.requests).toHaveLength(1);
  },
);

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

test('requests of agents: the server may say that another attempt is useless', async () => {
  agent.answer((response) => response.writeHead(500, { 'x-should-retry': 'false' }).end());
  expect(await failureOf()).toEqual(['status', 500]);
  expect(agent.requests).toHaveLength(1);
});

test('requests of agents: a pause in milliseconds is waited for', async () => {
  const headers = { 'retry-after-ms': '31000', 'retry-after': '0' };
  agent.answer((response) => response.writeHead(429, headers).end());
  expect(await failureOf()).toEqual(['status', 429]);
  expect(agent.requests).toHaveLength(1);
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
  expect(await failureOf({ url: `http://127.0.0.1:${port}/`, addresses })).toEqual([
    'ECONNREFUSED',
    undefined,
  ]);
  expect(attempts).toBe(3);
});

test('requests of agents: Retry-After is waited for, unless a visitor would wait too long', async () => {
  agent.answer((response, _, index) => {
    if (index === 0) response.writeHead(429, { 'retry-after': '1' }).end();
    else say(response, 'Hello');
  });
  const begun = performance.now();
  await readAll();
  // A lower bound: it depends on no speed of the machine.
  expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  agent.answer((response) => response.writeHead(429, { 'retry-after': '31' }).end());
  expect(await failureOf()).toEqual(['status', 429]);
  expect(agent.requests).toHaveLength(3);
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

test('requests of agents: other types of content are refused', async () => {
  agent.answer((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>SECRET'));
  expect(await failureOf()).toEqual(['content_type', undefined]);
});

test.each([
  ['text/event-stream', '<!doctype html><p>SECRET'],
  ['application/json', '<html>SECRET'],
  ['text/plain', 'SECRET'],
  ['image/png', 'data: a\n\n'],
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
  expect(await failureOf({ addresses })).toEqual(['address_refused', undefined]);
  const { port } = new URL(agent.url);
  expect(await failureOf({ addresses, url: `http://localhost:${port}/v1` })).toEqual([
    'address_refused',
    undefined,
  ]);
  expect(await failureOf({ url: 'http://169.254.169.254/v1' })).toEqual(['address_refused', undefined]);
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
