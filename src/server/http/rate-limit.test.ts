// Tests of the rate limit: a client above it is refused with the time to wait, before any work; others are unaffected.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schemas } from '../../protocol/schemas/chat.ts';
import type { Composition } from '../composition/options.ts';
import { startServer } from '../testing/servers.testing.ts';
import { base, recordStatements, startTestServer, type TestServer } from '../testing.ts';
import { costBytes, refusalCost } from './rate-limit.ts';

/** The limit of one user key; an address has five times as many. */
const perMinute = 30;
const perAddress = 150;
let server: TestServer;
let time: number;
beforeEach(async () => {
  time = 0;
  server = await startTestServer({ RATE_LIMIT: perMinute, TRUST_PROXY: 1, elapsed: () => time });
});
afterEach(() => server.close());

interface RequestInput {
  key?: string | undefined;
  from?: string;
  method?: string;
  body?: BodyInit;
  headers?: Record<string, string>;
  path?: string;
}
async function request({
  key,
  from = '192.0.2.1',
  path = `${base}/users/me`,
  headers,
  ...init
}: RequestInput = {}) {
  const allHeaders = { 'x-forwarded-for': from, ...(key ? { 'x-user-key': key } : {}), ...headers };
  const response = await server.fetch(path, { ...init, headers: allHeaders, duplex: 'half' } as RequestInit);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}
const enter = async (from: string) =>
  (await request({ method: 'POST', path: `${base}/users`, from })).body as {
    key: string;
    user: { id: string };
  };
/** Sends requests until one is rejected. Returns the number of accepted ones. */
async function exhaust(input: RequestInput): Promise<number> {
  for (let n = 0; n < 5_000; n += 1) if ((await request(input)).status === 429) return n;
  throw new Error('never refused');
}
const admin = () => ({
  authorization: `Bearer ${server.admin.token}`,
  'x-workspace-id': server.admin.workspaceId,
});
const bots = '/v1/admin/bots';

describe('a user key', () => {
  test('that was renewed does not allow more requests', async () => {
    const { key } = await enter('192.0.2.1');
    const path = `${base}/users/me/key`;
    const renewed = (await request({ key, method: 'POST', path })).body.key;
    expect(await exhaust({ key })).toBe(perMinute - 1);
    expect((await request({ key: renewed, from: '198.51.100.9' })).status).toBe(429);
  });

  test('that was revoked does not count for its user, and counts for its address as an invalid key', async () => {
    const { key } = await enter('192.0.2.1');
    const path = `${base}/users/me/key`;
    const good = (await request({ key, method: 'POST', path })).body.key;
    await request({ key, method: 'DELETE', path });
    // From many addresses.
    for (let n = 1; n <= perMinute; n += 1)
      expect((await request({ key, from: `198.51.100.${n}` })).status).toBe(401);
    expect((await request({ key: good })).status).toBe(200);
    expect(await exhaust({ key, from: '203.0.113.1' })).toBe(Math.ceil(perAddress / refusalCost));
    expect((await request({ key: good })).status).toBe(200);
  });

  test('is refused above its limit per minute, from any address, with the time to wait', async () => {
    const { key } = await enter('192.0.2.1');
    expect(await exhaust({ key })).toBe(perMinute);
    const { status, headers, body } = await request({
      key,
      from: '198.51.100.9',
      headers: { origin: 'https://a.example' },
    });
    expect(status).toBe(429);
    expect(v.is(schemas.error, body)).toBe(true);
    expect(body).toMatchObject({
      code: 429,
      type: 'RateLimited',
      message: 'Too many requests come with this user key. Try again in 2 s.',
      metadata: { retryAfter: 2 },
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'retry-after': '2',
      'ratelimit-limit': '30',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
      // Without this header the page could not read the other ones.
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    });
    for (const name of ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
      expect(headers.get('access-control-expose-headers')).toContain(name);
    }
    time += 2_000;
    expect((await request({ key })).status).toBe(200);
    expect((await request({ key })).status).toBe(429);
  });

  test('does not limit another key at the same address', async () => {
    const [first, second] = [await enter('192.0.2.1'), await enter('192.0.2.1')];
    await exhaust({ key: first.key });
    expect((await request({ key: second.key })).status).toBe(200);
  });

  test('is counted by its user: another encoding of the key has the same bucket', async () => {
    const { key, user } = await enter('192.0.2.1');
    await exhaust({ key });
    expect((await request({ key: server.sign(user.id) })).status).toBe(429);
  });

  test('pays for what a query reads: one request for each 100 kB, and the headers say so', async () => {
    const { key } = await enter('192.0.2.1');
    const id = await server.conversation(key);
    const ofMessage = async (bytes: number) =>
      `${base}/messages/${await server.sendMessage(key, id, 'x'.repeat(bytes))}`;
    const [small, large] = [await ofMessage(1_000), await ofMessage(2.5 * costBytes)];
    time += 60_000;
    const remainingAfter = async (path: string) =>
      Number((await request({ key, path })).headers.get('ratelimit-remaining'));
    expect([await remainingAfter(small), await remainingAfter(large), await remainingAfter(small)]).toEqual([
      29, 26, 25,
    ]);
    // As many requests as a tenth of the limit at most, so that a heavy query is possible with a low one.
    expect(
      await remainingAfter(`${base}/messages/${await server.sendMessage(key, id, 'x'.repeat(900_000))}`),
    ).toBe(21);
  });

  test('cannot have many heavy queries at once: each reserves the highest cost, and gets back what it did not need', async () => {
    const { key } = await enter('192.0.2.1');
    const search = () => request({ key, path: `${base}/messages/search?text=a` });
    time += 60_000;
    const answers = await Promise.all(Array.from({ length: perMinute }, search));
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(perMinute / 3);
    expect(passed).toBeLessThan(perMinute);
    for (const { status, body } of answers)
      if (status === 429) expect(body.metadata.retryAfter).toBeGreaterThan(0);
    // One after the other, each counts once.
    time += 60_000;
    expect(await exhaust({ key, path: `${base}/messages/search?text=a` })).toBe(perMinute - 2);
  });

  test('gets the remaining requests of the smaller bucket in its responses', async () => {
    const { key } = await enter('192.0.2.1');
    const { headers } = await request({ key });
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['30', '29']);
    const other = await enter('192.0.2.2');
    for (let n = 0; n < perAddress - 20; n += 1) await request({ path: `${base}/hello`, from: '192.0.2.2' });
    const near = await request({ key: other.key, from: '192.0.2.2' });
    expect(near.headers.get('ratelimit-limit')).toBe('150');
    expect(Number(near.headers.get('ratelimit-remaining'))).toBeLessThan(20);
  });
});

describe('an address', () => {
  test('is refused above its limit per minute and accepted later; other addresses are unaffected', async () => {
    const hello = { path: `${base}/hello` };
    expect(await exhaust(hello)).toBe(perAddress);
    const refused = await request(hello);
    expect(refused.body).toMatchObject({
      type: 'RateLimited',
      message: expect.stringContaining('this address'),
    });
    expect((await request({ ...hello, from: '192.0.2.2' })).status).toBe(200);
    time += 1_000;
    expect((await request(hello)).status).toBe(200);
  });

  test('of a /48 has in total four times the limit of a /64; another /48 is unaffected', async () => {
    const path = `${base}/hello`;
    const from = (n: number, site = '1') => `2001:db8:${site}:${n.toString(16)}::1`;
    let passed = 0;
    for (let n = 0; n < 1_000; n += 1)
      passed += (await request({ path, from: from(n) })).status === 429 ? 0 : 1;
    expect(passed).toBe(4 * perAddress);
    expect((await request({ path, from: from(5_000) })).status).toBe(429);
    expect((await request({ path, from: from(1, '2') })).status).toBe(200);
    expect((await request({ path, from: '::ffff:192.0.2.1' })).status).toBe(200);
  });

  test('that tries tokens from many /64s of one /48 is rejected after a quarter of the requests', async () => {
    let tried = 0;
    for (; tried < 1_000; tried += 1)
      if ((await request({ path: bots, from: `2001:db8:1:${tried.toString(16)}::1` })).status === 429) break;
    expect(tried).toBe((4 * perAddress) / 20);
  });

  test('that probes for chats is refused after a few requests, also for existing chats', async () => {
    const chats = (n: number, rest: string) => `/chat/guess-${n}${rest}`;
    for (const [rest, few, known] of [
      ['/webchat', Math.ceil(perAddress / 20), `${base}/webchat`],
      ['/webchat.js', (perMinute * 50) / 20, `${base}/page`],
    ] as const) {
      let tried = 0;
      const from = `198.51.100.${few}`;
      for (; tried < 1_000; tried += 1) {
        const { status } = await request({ path: chats(tried, rest), from });
        if (status === 429) break;
        expect(status).toBe(404);
      }
      expect([rest, tried]).toEqual([rest, few]);
      expect([known, (await request({ path: known, from })).status]).toEqual([known, 429]);
      expect([known, (await request({ path: known })).status]).toEqual([known, 200]);
    }
  });

  test('cannot change its identity with headers', async () => {
    await exhaust({ path: `${base}/hello` });
    for (const from of ['203.0.113.1, 192.0.2.1', 'unknown, 192.0.2.1', '192.0.2.1:99', '::ffff:192.0.2.1']) {
      expect([from, (await request({ path: `${base}/hello`, from })).status]).toEqual([from, 429]);
    }
  });

  test.each([
    ['a wrong key', () => ({ key: 'a.b.c' })],
    ['a key that another server signed', () => ({ key: `${server.sign('x').slice(0, -4)}AAAA` })],
    ['a key of nobody', () => ({ key: server.sign('nobody') })],
    ['no key', () => ({})],
    ['a wrong token', () => ({ path: bots, headers: { ...admin(), authorization: 'Bearer guess' } })],
    ['another workspace', () => ({ path: bots, headers: { ...admin(), 'x-workspace-id': 'ws_x' } })],
    ['no token', () => ({ path: bots })],
  ])('that repeatedly sends %s is rejected by all APIs after a few requests', async (_, inputOf) => {
    const guesses = await exhaust(inputOf());
    expect(guesses).toBeLessThanOrEqual(perAddress / 20 + 1);
    // The correct token is rejected, too; otherwise the responses would reveal it.
    expect((await request({ path: bots, headers: admin() })).status).toBe(429);
    expect((await request({ path: `${base}/hello` })).status).toBe(429);
    expect((await request({ path: bots, headers: admin(), from: '192.0.2.2' })).status).toBe(200);
  });

  test('is not refused for normal use by an administrator', async () => {
    for (let n = 0; n < 50; n += 1)
      expect((await request({ path: bots, headers: admin() })).status).toBe(200);
  });

  test('has one limit for the Files API and all other APIs together', async () => {
    const [{ id }] = (await request({ path: bots, headers: admin() })).body.bots;
    const headers = { ...admin(), 'x-bot-id': id };
    const paths = ['/v1/files', '/v1/tables', '/v1/chat/conversations', bots, `${base}/hello`];
    for (const path of paths) {
      const response = await request({ path, headers });
      expect([path, response.status, response.headers.get('ratelimit-limit')]).toEqual([path, 200, '150']);
    }
    expect(await exhaust({ path: '/v1/files', headers })).toBe(perAddress - paths.length - 1);
    for (const path of paths) {
      const { status, body } = await request({ path, headers });
      expect([path, status, body.type]).toEqual([path, 429, 'RateLimited']);
      expect((await request({ path, headers, from: '192.0.2.2' })).status).toBe(200);
    }
  });

  test('is not logged; a hint about the proxy setting is logged once', async () => {
    const alone = await startServer({ RATE_LIMIT: 1, elapsed: () => time });
    for (let n = 0; n < 20; n += 1)
      await alone.fetch(`${base}/hello`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(alone.log.filter(({ level }) => Number(level) >= 40).map(({ msg }) => msg)).toEqual([
      'an address exceeded its rate limit (RATE_LIMIT); if it is your proxy, set TRUST_PROXY',
    ]);
    expect(JSON.stringify(alone.log)).not.toContain('192.0.2.1');
  });
});

describe('a rejected request', () => {
  test('is rejected before the body is read and the caller is looked up', async () => {
    const { key } = await enter('192.0.2.1');
    await exhaust({ key });
    const statements = recordStatements(server.db);
    let sent = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          sent += 1;
          controller.enqueue(new Uint8Array(100_000));
        },
      },
      { highWaterMark: 0 },
    );
    const path = `${base}/messages`;
    expect((await request({ key, method: 'POST', path, body })).status).toBe(429);
    // Only the bot is read, whose secret is needed to verify the key. Processes that share a database write leases meanwhile.
    const ofChat = statements.filter((sql) => /\b(users|participants|conversations|messages)\b/.test(sql));
    expect([sent, ofChat]).toEqual([0, [expect.stringMatching(/\bbots b\b/)]]);
  });

  test('of an address is rejected before any access to the database, also for the chat', async () => {
    const { key } = await enter('192.0.2.1');
    await exhaust({ path: `${base}/hello` });
    await exhaust({ path: `${base}/page` });
    const statements = recordStatements(server.db);
    for (const [method, path] of [
      ['GET', `${base}/webchat`],
      ['POST', `${base}/messages`],
      ['GET', '/chat/none/webchat'],
      ['GET', '/chat/none'],
      ['GET', bots],
      ['GET', `${base}/webchat.js`],
      ['GET', `${base}/page`],
      ['OPTIONS', `${base}/webchat.js`],
      ['GET', '/chat/none/webchat.js'],
      ['GET', `${base}/files/x/y`],
      ['GET', '/v1/files/content/x/y'],
      ['GET', `${base}/conversations/conv_none/listen`],
      ['PUT', `${base}/uploads/x`],
      ['HEAD', `${base}/uploads/x`],
      ['GET', `${base}/nothing`],
      ['PATCH', `${base}/users/me`],
      ['GET', `${base}/openapi.json`],
    ] as const) {
      expect([method, path, (await request({ key, method, path })).status]).toEqual([method, path, 429]);
    }
    // A preflight reveals nothing about a chat, so no chat is looked up.
    expect((await request({ method: 'OPTIONS', path: '/chat/none/webchat' })).status).toBe(204);
    expect(statements).toEqual([]);
  });

  test('does not extend the wait: a client that keeps sending is accepted as soon as one that waits', async () => {
    const { key } = await enter('192.0.2.1');
    await exhaust({ key });
    for (let n = 0; n < 100; n += 1) expect((await request({ key })).status).toBe(429);
    time += 2_000;
    expect((await request({ key })).status).toBe(200);
  });

  test('leaves preflights, files and pages alone', async () => {
    await exhaust({ path: `${base}/hello` });
    expect((await request({ method: 'OPTIONS', path: `${base}/messages` })).status).toBe(204);
    // These respond with 404, because the test has no built files, and not with 429.
    for (const path of [`${base}/webchat.js`, `${base}/files/x/y`, '/', '/webchat/chat.js', '/playground/']) {
      expect([path, (await request({ path })).status]).toEqual([path, 404]);
    }
  });
});

describe('requests of page views', () => {
  const perPages = 100;
  beforeEach(async () => {
    server = await server.restart({ RATE_LIMIT: perPages / 50 });
  });

  test.each([
    ['the script', `${base}/webchat.js`],
    ['the page', `${base}/page`],
    ['a file of a visitor', `${base}/files/x/y`],
    ['a file of the platform', '/v1/files/content/x/y'],
    ['the description of the API', '/v1/openapi.json'],
  ])('%s has a separate bucket, and pages of any origin can read the error', async (_, path) => {
    await exhaust({ path: `${base}/hello` });
    // Unknown addresses do not cost more, because nobody can guess 256 bits.
    const read = { path, headers: { 'if-none-match': '*' } };
    for (let n = 0; n < perPages; n += 1) expect((await request(read)).status).not.toBe(429);
    const { status, headers, body } = await request({ path, headers: { origin: 'https://a.example' } });
    expect([status, body.type, body.metadata]).toEqual([429, 'RateLimited', { retryAfter: 1 }]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': String(perPages),
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after',
      'cache-control': 'no-store',
    });
    expect((await request({ path, from: '192.0.2.2' })).status).not.toBe(429);
    // The limits of the APIs are unaffected.
    expect((await request({ path: `${base}/hello`, from: '192.0.2.2' })).status).toBe(200);
    time += 1_000;
    expect((await request({ path })).status).not.toBe(429);
  });

  test('a hundred users of one office who each open a page with ten images are not rejected', async () => {
    // The default of the setting.
    server = await server.restart({ RATE_LIMIT: 600 });
    for (let n = 0; n < 100; n += 1) {
      for (const path of [`${base}/webchat.js`, ...Array(10).fill(`${base}/files/x/y`)])
        expect((await request({ path })).status).toBe(404);
    }
  });
});

test('any page can read the 404 of an unknown chat, also with ALLOWED_ORIGINS', async () => {
  const strict = await startServer({ RATE_LIMIT: 30, ALLOWED_ORIGINS: ['https://a.example'] });
  const headers = { origin: 'https://a.example' };
  const found = await strict.fetch('/chat/none/webchat', { headers });
  expect([found.status, found.headers.get('access-control-allow-origin')]).toEqual([
    404,
    'https://a.example',
  ]);
  const { headers: plain } = await server.fetch('/chat/none/webchat', { headers });
  expect(plain.get('access-control-allow-origin')).toBe('*');
  for (let n = 0; n < 10; n += 1) await strict.fetch('/chat/none/webchat', { headers });
  const refused = await strict.fetch('/chat/none/webchat', { headers });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
    429,
    'https://a.example',
  ]);
});

test('without a limit nothing is counted, and the headers are absent', async () => {
  const open = await startServer();
  for (let n = 0; n < 500; n += 1) {
    expect((await open.fetch(`${base}/users/me`, { headers: { 'x-user-key': 'x' } })).status).toBe(401);
  }
  const { headers } = await open.fetch(`${base}/hello`);
  expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

test('a real connection is counted by its address, whatever its headers contain', async () => {
  const plain = await startServer({ RATE_LIMIT: 2, elapsed: () => time });
  const url = await listen(plain.composition);
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    const headers = {
      'x-forwarded-for': `198.51.100.${n}`,
      forwarded: `for=198.51.100.${n}`,
      'x-real-ip': `10.0.0.${n}`,
    };
    statuses.push((await fetch(`${url}${base}/hello`, { headers })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen({ app }: Composition): Promise<string> {
  const http = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
