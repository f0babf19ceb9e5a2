// Tests of the fault proxy: each fault has the documented effect.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { type FaultProxy, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { createSchedule, type FaultKind, faultKinds } from '../support/faults/fault-schedule.ts';
import { createRandom } from '../support/random.ts';

let server: Server;
let proxy: FaultProxy;
/** The bodies of the requests that reached the server, in order. */
let seen: string[];
let streams: import('node:http').ServerResponse[];

test.beforeEach(async () => {
  seen = [];
  streams = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(body);
    if (request.url?.endsWith('/listen')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: ping\n\n');
      streams.push(response);
      return;
    }
    const answer = JSON.stringify({ echo: body });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startFaultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
test.afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

const post = (body: string, signal?: AbortSignal) =>
  fetch(`${proxy.url}/chat/demo/messages`, {
    method: 'POST',
    body,
    ...(signal && { signal }),
    headers: { origin: 'http://site.test' },
  });
const listen = async () => {
  const { body } = await fetch(`${proxy.url}/chat/demo/conversations/c/listen`);
  if (!body) throw new Error('A stream without a body.');
  return body.getReader();
};
const load = (kind: FaultKind, more: { bytes?: number; cors?: boolean; skip?: number } = {}) =>
  proxy.load([
    {
      on: 'any',
      skip: more.skip ?? 0,
      fault: { kind, ms: 1, bytes: more.bytes ?? 4, cors: more.cors ?? true },
    },
  ]);
const ends = (body: string) =>
  post(body).then(
    async (response) => ({
      status: response.status,
      text: await response.text().catch(() => 'cut'),
    }),
    () => 'reset',
  );

/** What the client receives for `one`, and what the server has received by then. */
const table: Record<FaultKind, { received: unknown; arrived: string[]; bytes?: number }> = {
  dropRequest: { received: 'reset', arrived: [] },
  dropResponse: { received: 'reset', arrived: ['one'] },
  delayRequest: { received: { status: 200, text: '{"echo":"one"}' }, arrived: ['one'] },
  delayResponse: { received: { status: 200, text: '{"echo":"one"}' }, arrived: ['one'] },
  duplicate: { received: { status: 200, text: '{"echo":"one"}' }, arrived: ['one', 'one'] },
  reorder: { received: { status: 200, text: '{"echo":"one"}' }, arrived: ['one'] },
  cut: { received: { status: 200, text: 'cut' }, arrived: ['one'] },
  silence: { received: 'silence', arrived: ['one'] },
  tooMany: { received: { status: 429, text: expect.stringContaining('LimitExceeded') }, arrived: [] },
  internalError: { received: { status: 500, text: expect.stringContaining('Internal') }, arrived: [] },
  badGateway: { received: { status: 502, text: expect.stringContaining('<h1>') }, arrived: [] },
  unavailable: { received: { status: 503, text: 'Deploying' }, arrived: [] },
  shortLength: { received: { status: 200, text: 'cut' }, arrived: ['one'] },
  shortChunks: { received: { status: 200, text: '{"echo"' }, arrived: ['one'] },
  garbage: { received: { status: 200, text: expect.stringContaining('{"message"') }, arrived: ['one'] },
  portal: { received: { status: 200, text: expect.stringContaining('Wi-Fi') }, arrived: [] },
  empty: { received: { status: 200, text: '' }, arrived: ['one'] },
  drip: { received: { status: 200, text: '{"echo":"one"}' }, arrived: ['one'] },
};

for (const kind of faultKinds) {
  test(`the fault ${kind} changes one request as documented`, async () => {
    load(kind);
    if (kind === 'silence') {
      const gone = new AbortController();
      const response = await post('one', gone.signal);
      const reader = response.body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"ec');
      const rest = reader?.read().then(
        () => 'more',
        () => 'gone',
      );
      expect(await Promise.race([rest, post('two').then((answer) => answer.text())])).toBe('{"echo":"two"}');
      gone.abort();
      expect(await rest).toBe('gone');
      seen.pop();
    } else expect(await ends('one')).toEqual(table[kind].received);
    expect(seen).toEqual(table[kind].arrived);
    expect(proxy.injected[kind]).toBe(1);
    expect(await ends('after')).toEqual({ status: 200, text: '{"echo":"after"}' });
  });
}

test('a reordered request is overtaken by the next one', async () => {
  load('reorder');
  const first = ends('one');
  // At once: it waits for a second to be overtaken.
  await expect.poll(() => proxy.requests, { intervals: [1] }).toBe(1);
  await ends('two');
  await first;
  expect(seen).toEqual(['two', 'one']);
});

test('a rule skips the given number of requests, and the proxy’s own responses can lack CORS headers', async () => {
  load('badGateway', { skip: 1, cors: false });
  expect((await post('one')).status).toBe(200);
  const hidden = await post('two');
  expect([hidden.status, hidden.headers.get('access-control-allow-origin')]).toEqual([502, null]);
  load('badGateway');
  expect((await post('three')).headers.get('access-control-allow-origin')).toBe('http://site.test');
});

test('event streams pass through, and can be cut and silenced', async () => {
  const reader = await listen();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: ping\n\n');
  expect(proxy.cutStreams()).toBe(1);
  // After `connection: close` Node's fetch treats a reset as a regular end, browsers treat it as a failure.
  expect(await reader.read().catch(() => ({ done: true }))).toMatchObject({ done: true });

  const second = await listen();
  await second.read();
  expect(proxy.silenceStreams()).toBe(1);
  const next = second.read().then(() => 'received');
  streams.at(-1)?.write('data: into the void\n\n');
  expect(await Promise.race([next, ends('meanwhile').then(() => 'nothing')])).toBe('nothing');
  await second.cancel();
});

test('the same seed generates the same schedule, and another seed a different one', () => {
  const made = (seed: number) => createSchedule(createRandom(seed), 20);
  expect(made(7)).toEqual(made(7));
  expect(made(7)).not.toEqual(made(8));
});
