// Tests of streams of visitors and members while a server stops: open ones, those that are being opened, and later ones.
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHttpServer } from './http/connections.ts';
import { type Inbox, startInbox } from './inbox/testing.ts';
import { base, pollOptions } from './testing.ts';

const closingFrame = /^: open\n\nretry: ([5-9]\d\d|[1-4]\d{3}|5000)\n\n$/;

let inbox: Inbox;
let http: Server;
let url = '';
beforeEach(async () => {
  inbox = await startInbox();
  const limits = { max: 100, maxPerAddress: undefined, uploads: /^never$/ };
  http = createHttpServer(inbox.server.composition.app.fetch, limits).listen(0, '127.0.0.1');
  await once(http, 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  http.closeAllConnections();
  http.close();
  await inbox.close();
});

const drain = () => inbox.server.composition.drain({ timeLimit: 0, closingTime: 0 });

/** How each of the two streams is opened. */
const streams = [
  [
    'a visitor',
    async () => ({
      path: `${base}/conversations/${inbox.conversationId}/listen`,
      headers: { 'x-user-key': inbox.key, 'last-event-id': '0' },
    }),
  ],
  ['a member', async () => ({ path: '/v1/inbox/stream', headers: (await inbox.member('Ada')).headers })],
] as const;

describe.each(streams)('a stream of %s', (_, request) => {
  const open = async () => {
    const { path, headers } = await request();
    return fetch(url + path, { headers });
  };

  test('that is open while the server stops ends with a time after which to reconnect', async () => {
    const response = await open();
    await drain();
    expect(await response.text()).toMatch(/^: open\n\n(?:[\s\S]*\n)?retry: \d+\n\n$/);
  });

  test('that is opened while the server stops is told a time after which to reconnect, and ends', async () => {
    await drain();
    const response = await open();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await response.text()).toMatch(closingFrame);
    const { path, headers } = await request();
    const head = await fetch(url + path, { headers, method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('that nobody reads while the server stops counts no bytes', async () => {
    const { path, headers } = await request();
    await drain();
    // Not over a connection: its response is never sent.
    await inbox.server.fetch(path, { headers });
    expect(inbox.server.composition.pubSub.backlog.bytes).toBe(0);
    expect(inbox.server.composition.pubSub.size).toBe(0);
  });
});

test('a stream of a visitor that the server stops while it is being opened is told so too', async () => {
  const { path, headers } = await streams[0][1]();
  const { db } = inbox.server;
  const read = db.read.bind(db);
  // Background work reads, too: only the reads of the request are counted.
  const ofRequest = new AsyncLocalStorage<boolean>();
  const listen = () => ofRequest.run(true, async () => inbox.server.fetch(path, { headers }));
  let reads = 0;
  let last = 0;
  vi.spyOn(db, 'read').mockImplementation(async (work) => {
    const found = await read(work);
    if (!ofRequest.getStore()) return found;
    reads += 1;
    if (reads === last) await drain();
    return found;
  });
  await (await listen()).body?.cancel();
  // That of the log.
  last = reads;
  reads = 0;
  const response = await listen();
  expect(reads).toBe(last);
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(closingFrame);
  expect(inbox.server.composition.pubSub.backlog.bytes).toBe(0);
});

test('the streams of members are ended in steps', async () => {
  const { path, headers } = await streams[1][1]();
  const all = await Promise.all(Array.from({ length: 20 }, () => fetch(url + path, { headers })));
  let ended = 0;
  const texts = all.map(async (response) => {
    const text = await response.text();
    ended += 1;
    return text;
  });
  void inbox.server.composition.drain({ timeLimit: 0, closingTime: 100_000 });
  // A tenth of them, and the next only much later.
  await expect.poll(() => ended, pollOptions).toBe(2);
  await inbox.close();
  const retries = (await Promise.all(texts)).filter((text) => /\nretry: \d+\n\n$/.test(text));
  expect(retries).toHaveLength(2);
});
