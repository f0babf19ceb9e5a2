// Tests of clients that occupy connections: slow ones, silent ones, too many of them. They use real sockets, because
// the limits apply below the application.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { uploadPaths } from '../files/index.ts';
import { base, pollOptions, startTestServer, type TestOptions, type TestServer } from '../testing.ts';
import { type ConnectionOptions, type ConnectionTimeouts, createHttpServer } from './connections.ts';
import { createMetrics } from './prometheus.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const hour = 3_600_000;
type Fetch = (request: Request) => Response | Promise<Response>;
type Wrap = (fetch: Fetch) => Fetch;

async function start(
  timeouts: Partial<ConnectionTimeouts> = {},
  limits: Partial<ConnectionOptions> = {},
  options: TestOptions = {},
  wrap: Wrap = (fetch) => fetch,
) {
  const server = await startTestServer(options);
  closing.push(() => server.close());
  const http = createHttpServer(
    wrap(server.composition.app.fetch),
    { max: 1_000, maxPerAddress: undefined, uploads: uploadPaths, ...limits },
    { head: hour, body: hour, silence: hour, ...timeouts },
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { server, http, open: (text = '') => open(port, text), url: `http://127.0.0.1:${port}` };
}

/** Opens a connection, sends `text` and collects the response. */
async function open(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  let got = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    got += chunk;
  });
  // A connection that is closed during a request also reports an error.
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  await once(socket, 'connect');
  socket.write(text);
  return { socket, got: () => got, isClosed: () => isClosed };
}
type Connection = Awaited<ReturnType<typeof open>>;
const closed = ({ isClosed }: Connection) => expect.poll(isClosed, pollOptions).toBe(true);
const answered = ({ got }: Connection, what: RegExp) => expect.poll(got, pollOptions).toMatch(what);
const connections = (http: Server) =>
  expect.poll(() => new Promise((resolve) => http.getConnections((_, count) => resolve(count))), pollOptions);

const head = (request: string, ...fields: string[]) =>
  `${[`${request} HTTP/1.1`, 'Host: x', ...fields].join('\r\n')}\r\n\r\n`;
const hello = head(`GET ${base}/hello`);

describe('slow clients', () => {
  test('an incomplete request head is refused, and a connection without one is closed', async () => {
    const { open } = await start({ head: 200, silence: 1_000 });
    const [slow, silent] = [await open('GET / HTTP/1.1\r\nHost: x\r\nX-A: '), await open()];
    await answered(slow, /^HTTP\/1\.1 408 [\s\S]*"code":408,"type":"InvalidDataFormat"/);
    await closed(slow);
    await closed(silent);
  });

  test('an incomplete head is cut within its limit, before a body with a longer limit', async () => {
    const { open } = await start({ head: 2_000, body: 2_600 });
    const order: string[] = [];
    const follow = async (name: string, text: string) => {
      const { socket } = await open(text);
      socket.once('close', () => order.push(name));
    };
    const fields = ['Content-Type: application/json', 'Content-Length: 100'];
    const body = `${head(`POST ${base}/users`, ...fields)}{"a`;
    // So that the following ones begin between two looks at the connections.
    await follow('first', body);
    await expect.poll(() => order, pollOptions).toEqual(['first']);
    // The head first: a wait between the two cannot make the body end before it.
    await follow('head', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ');
    await follow('body', body);
    await expect.poll(() => order, pollOptions).toEqual(['first', 'head', 'body']);
  });

  test('the connection of an incomplete body is closed, but not that of a file upload in progress', async () => {
    const { server, open } = await start({ body: 300 });
    const { key } = await server.user();
    const { body } = await server.call('POST', '/files', { key, body: { key: 'a', size: 10 } });
    const address = new URL((body.file as { uploadUrl: string }).uploadUrl).pathname;
    const upload = await open(`${head(`PUT ${address}`, 'Content-Length: 10')}01234`);
    const json = 'Content-Type: application/json';
    const slow = [
      `${head(`POST ${base}/messages`, json, `X-User-Key: ${key}`, 'Content-Length: 100')}{"a`,
      `${head(`POST ${base}/users`, json, 'Content-Length: 100')}{"a`,
      `${head(`PUT /v1/admin/bots/x/webchat`, json, `Authorization: Bearer ${server.admin.token}`, `X-Workspace-Id: ${server.admin.workspaceId}`, 'Content-Length: 100')}{"a`,
    ];
    for (const text of slow) {
      const connection = await open(text);
      await closed(connection);
      expect(connection.got()).toBe('');
    }
    expect(upload.isClosed()).toBe(false);
    upload.socket.write('56789');
    await answered(upload, /^HTTP\/1\.1 204 /);
  });

  test('the connection of a stalled upload is closed, and the received bytes are kept', async () => {
    const { server, open } = await start({ silence: 2_000 });
    const { key } = await server.user();
    const { body } = await server.call('POST', '/files', { key, body: { key: 'a', size: 10 } });
    const path = new URL((body.file as { uploadUrl: string }).uploadUrl).pathname;
    await closed(await open(`${head(`PUT ${path}`, 'Content-Length: 10')}01234`));
    const { headers } = await server.fetch(path, { method: 'HEAD' });
    expect(headers.get('upload-offset')).toBe('5');
  });

  test('a listener that never reads is disconnected, and no other client waits for it', async () => {
    const { server, http, open } = await start({ silence: 2_500 });
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    const slow = await open(head(`GET ${base}/conversations/${conversationId}/listen`, `X-User-Key: ${key}`));
    slow.socket.pause();
    const { pubSub } = server.composition;
    await expect.poll(() => pubSub.size, pollOptions).toBe(1);
    const quick = await server.listen(key, conversationId);
    // The kernels of both sides buffer additional bytes.
    let sentCount = 0;
    for (; pubSub.size === 2 && sentCount < 1_000; sentCount += 1)
      await server.sendMessage(key, conversationId, 'x'.repeat(120_000));
    expect([pubSub.size, sentCount < 1_000]).toEqual([1, true]);
    await quick.until(({ id }) => id === String(sentCount));
    await connections(http).toBe(0);
    await quick.cancel();
  });

  test('a client that never reads a file is disconnected', async () => {
    const { server, http, open } = await start({ silence: 2_000 });
    const { key } = await server.user();
    const size = 30_000_000;
    const { body } = await server.call('POST', '/files', { key, body: { key: 'a', size } });
    const { uploadUrl, url } = body.file as { uploadUrl: string; url: string };
    await server.fetch(new URL(uploadUrl).pathname, { method: 'PUT', body: new Uint8Array(size) });
    const slow = await open();
    slow.socket.pause();
    slow.socket.write(head(`GET ${new URL(url).pathname}`));
    await connections(http).toBe(1);
    await connections(http).toBe(0);
  });

  test('listeners that disconnect before the response leave no stream', async () => {
    const { server, http, open } = await start();
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    let accepted = 0;
    http.on('connection', () => (accepted += 1));
    for (let n = 0; n < 60; n += 1) {
      const { socket } = await open(
        head(`GET ${base}/conversations/${conversationId}/listen`, `X-User-Key: ${key}`),
      );
      socket.destroy();
    }
    await expect.poll(() => accepted, pollOptions).toBe(60);
    await connections(http).toBe(0);
    await expect.poll(() => server.composition.pubSub.size, pollOptions).toBe(0);
    // All stream slots are free again.
    const streams = await Promise.all(Array.from({ length: 20 }, () => server.listen(key, conversationId)));
    expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    for (const stream of streams) await stream.cancel();
  });

  test('pipelined listeners whose client disconnects leave no stream, and one whose turn comes is sent', async () => {
    const { server, http, open } = await start();
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    const { pubSub } = server.composition;
    const listen = head(`GET ${base}/conversations/${conversationId}/listen`, `X-User-Key: ${key}`);
    const { socket } = await open(listen.repeat(15));
    await expect.poll(() => pubSub.size, pollOptions).toBe(15);
    socket.destroy();
    await connections(http).toBe(0);
    await expect.poll(() => pubSub.size, pollOptions).toBe(0);

    // Its response waits for that of another request, and is on the connection when the client goes.
    const second = await open(hello + listen);
    await answered(second, /Hello[\s\S]*text\/event-stream[\s\S]*: open/);
    expect(pubSub.size).toBe(1);
    second.socket.destroy();
    await expect.poll(() => pubSub.size, pollOptions).toBe(0);
  });
});

describe('too many connections', () => {
  test.each([
    ['the total limit', { max: 3 }],
    ['of one address', { maxPerAddress: 3 }],
  ])(
    'above %s, one more connection is closed without a response until one of them ends',
    async (_, limits) => {
      const { open } = await start({}, limits);
      const held = [await open(), await open(), await open()];
      const refused = await open(hello);
      await closed(refused);
      expect(refused.got()).toBe('');
      const [first, second] = held;
      first?.socket.destroy();
      second?.socket.write(hello);
      await answered(second as Connection, /200 OK/);
      await expect
        .poll(async () => {
          const next = await open(hello);
          await expect.poll(() => next.got() !== '' || next.isClosed(), pollOptions).toBe(true);
          const text = next.got();
          next.socket.destroy();
          return text;
        }, pollOptions)
        .toMatch(/200 OK/);
    },
  );
});

describe('the head of a request', () => {
  const fields = (count: number, value = 'y') => Array.from({ length: count }, (_, n) => `X-${n}: ${value}`);

  test('can have a hundred fields and 16 KB', async () => {
    const { open } = await start();
    await answered(await open(head(`GET ${base}/hello`, ...fields(99))), /^HTTP\/1\.1 200 /);
    for (const more of [fields(100), fields(3_000, ''), fields(1, 'y'.repeat(17_000))]) {
      const refused = await open(head(`GET ${base}/hello`, ...more));
      await answered(refused, /^HTTP\/1\.1 431 [\s\S]*"code":431,"type":"InvalidDataFormat"/);
      await closed(refused);
    }
  });

  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', '{}'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
    ['chunks that are none', 'Transfer-Encoding: chunked, identity', '{}'],
    ['a negative length', 'Content-Length: -1', ''],
    ['a field without a name', ': x', ''],
    ['a space before the colon', 'Content-Length : 2', '{}'],
  ])('with %s is rejected, because a proxy could parse it differently', async (_, field, body) => {
    const { server, open } = await start();
    const second = `POST ${base}/users HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
    const request = `POST ${base}/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${field}\r\n\r\n${body}`;
    const connection = await open(request + second);
    await answered(connection, /^HTTP\/1\.1 400 /);
    await closed(connection);
    // Neither this request nor the one hidden in it was processed.
    expect(await server.db.read((tx) => tx.all('SELECT id FROM users WHERE is_bot = 0'))).toEqual([]);
  });
});

describe('a host that is not valid in an address', () => {
  /** They have the characters of a name, but a URL cannot contain them. */
  const hosts = ['1.2.3.4.5', '999.1.1.1', 'xn--a', 'a.0x100000000'];
  const stored = (server: TestServer) => server.db.read((tx) => tx.all('SELECT id FROM messages'));
  const post = (path: string, key: string, body: unknown, ...fields: string[]) => {
    const text = JSON.stringify(body);
    const all = ['Content-Type: application/json', `X-User-Key: ${key}`, `Content-Length: ${text.length}`];
    return [`POST ${base}${path} HTTP/1.1`, ...all, 'Connection: close', ...fields, '', text].join('\r\n');
  };
  const measured: Wrap = (fetch) => createMetrics('1.2.3').measure(fetch);

  test.each(hosts)('%s is refused before anything is stored', async (host) => {
    const { server, open } = await start({}, {}, {}, measured);
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    const message = { conversationId, payload: { type: 'text', text: 'hello' } };
    const paths = [
      '/',
      '/webchat/latest/webchat.js',
      `${base}/hello`,
      `${base}/conversations`,
      '/v1/session',
    ];
    const requests = [
      post('/messages', key, message, `Host: ${host}`),
      ...paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}:8080\r\nConnection: close\r\n\r\n`),
    ];
    for (const request of requests) {
      const refused = await open(request);
      await closed(refused);
      expect(refused.got(), request).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":400,"type":"InvalidDataFormat"/);
      expect(await stored(server)).toEqual([]);
    }
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test.each([...hosts, 'a:99999'])('%s in X-Forwarded-Host is ignored', async (host) => {
    const sandboxOrigin = 'https://apps.example';
    const { server, open } = await start({}, {}, { SANDBOX_ORIGIN: sandboxOrigin }, measured);
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    const fields = ['Host: chat.example', `X-Forwarded-Host: ${host}`, 'X-Forwarded-Proto: https'];
    const message = { conversationId, payload: { type: 'text', text: 'hello' } };
    const [sent, announced] = [
      await open(post('/messages', key, message, ...fields)),
      await open(post('/files', key, { key: 'a', size: 1 }, ...fields)),
    ];
    await answered(sent, /^HTTP\/1\.1 201 /);
    await answered(announced, /^HTTP\/1\.1 201 [\s\S]*"uploadUrl":"https:\/\/chat\.example\/chat\/demo\//);
    const session = await open(`GET /v1/session HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
    await answered(session, /^HTTP\/1\.1 401 /);
    expect(await stored(server)).toHaveLength(1);
  });
});

test('an unexpected endless body is answered, and its connection is closed', async () => {
  const { open } = await start({ body: 10_000 });
  const table: [request: string, status: number][] = [
    ['GET /hello', 200],
    ['GET /users/me', 401],
    ['DELETE /users/me', 401],
    ['POST /hello', 405],
    ['POST /nothing', 404],
    ['POST /messages', 401],
    ['POST /users', 413],
    ['PUT /uploads/x', 404],
    ['POST /files/x/y', 405],
    ['OPTIONS /messages', 204],
  ];
  await Promise.all(
    table.map(async ([request, status]) => {
      const fields = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const connection = await open(head(request.replace(' ', ` ${base}`), ...fields));
      writeForever(connection.socket, `10000\r\n${'x'.repeat(65_536)}\r\n`);
      await closed(connection);
      expect([request, connection.got().slice(0, 12)]).toEqual([request, `HTTP/1.1 ${status}`]);
    }),
  );
});

/** Writes as fast as the socket accepts. */
function writeForever(socket: Socket, piece: string): void {
  const write = (): void => {
    if (socket.writable && socket.write(piece)) setImmediate(write);
  };
  socket.on('drain', write);
  write();
}

describe('open streams', () => {
  const listen = (server: TestServer, key: string, conversationId: string, from: string) =>
    server.fetch(`${base}/conversations/${conversationId}/listen`, {
      headers: { 'x-user-key': key, 'x-forwarded-for': from },
    });

  test('of one user are limited to twenty; one more is refused with a remedy, and accepted when one ends', async () => {
    const { server } = await start();
    const { key } = await server.user();
    const [conversationId, other] = [await server.conversation(key), await server.conversation(key)];
    const streams = [];
    for (let n = 0; n < 20; n += 1)
      streams.push(await listen(server, key, n % 2 ? conversationId : other, `192.0.2.${n}`));
    const refused = await listen(server, key, conversationId, '198.51.100.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(await refused.json()).toMatchObject({
      type: 'RateLimited',
      message: 'This user has 20 streams open. Close one, such as a tab with the chat.',
    });
    expect(server.composition.pubSub.size).toBe(20);
    const outsider = await server.user();
    const elsewhere = await listen(
      server,
      outsider.key,
      await server.conversation(outsider.key),
      '192.0.2.1',
    );
    expect(elsewhere.status).toBe(200);
    // A HEAD request opens no stream and needs no slot.
    const response = await server.fetch(`${base}/conversations/${conversationId}/listen`, {
      method: 'HEAD',
      headers: { 'x-user-key': key },
    });
    expect(response.status).toBe(200);
    await streams[0]?.body?.cancel();
    const next = await listen(server, key, conversationId, '198.51.100.1');
    expect(next.status).toBe(200);
    for (const { body } of [...streams, next, elsewhere]) await body?.cancel();
    expect(server.composition.pubSub.size).toBe(0);
  });

  test('from one address are limited, whichever users open them', async () => {
    const { server } = await start(
      {},
      {},
      { TRUST_PROXY: 1, streamsPerUser: 20, MAX_STREAMS_PER_ADDRESS: 3 },
    );
    const streams = [];
    for (let n = 0; n < 4; n += 1) {
      const { key } = await server.user();
      streams.push(await listen(server, key, await server.conversation(key), '192.0.2.1'));
    }
    const { key } = await server.user();
    streams.push(await listen(server, key, await server.conversation(key), '192.0.2.2'));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200]);
    for (const { body } of streams) await body?.cancel();
  });

  test('that are refused for a missing permission use no slot', async () => {
    const { server } = await start();
    const [owner, outsider] = [await server.user(), await server.user()];
    const [conversationId, own] = [
      await server.conversation(owner.key),
      await server.conversation(outsider.key),
    ];
    for (let n = 0; n < 30; n += 1) {
      expect((await listen(server, outsider.key, conversationId, '192.0.2.1')).status).toBe(403);
    }
    const stream = await listen(server, outsider.key, own, '192.0.2.1');
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
  });

  test('streams that the server closes free their slot', async () => {
    const { server } = await start();
    const { key } = await server.user();
    for (let round = 0; round < 3; round += 1) {
      const conversationId = await server.conversation(key);
      const streams = await Promise.all(Array.from({ length: 20 }, () => server.listen(key, conversationId)));
      expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
      await server.call('DELETE', `/conversations/${conversationId}`, { key });
      await Promise.all(streams.map(({ ended }) => ended));
    }
  });
});
