// Tests of ALLOWED_ORIGINS: a page of another origin cannot use any address of the Chat API, however similar its origin is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../../protocol/operations/apis.ts';
import { startServer } from '../testing/servers.testing.ts';
import { settledRows } from '../testing/settled-rows.testing.ts';
import { allRows, base, startTestServer, type TestServer } from '../testing.ts';

const operations = operationsOf('chat');

const shop = 'https://example.com';
const local = 'http://localhost:8080';
let server: TestServer;
let key: string;
let conversationId: string;
beforeAll(async () => {
  server = await startTestServer({ ALLOWED_ORIGINS: [shop, local] });
  key = (await server.user()).key;
  conversationId = await server.conversation(key);
});
afterAll(() => server.close());

const upload = async () => {
  const { body } = await server.call('POST', '/files', { key, body: { key: 'a', size: 1 } });
  const { uploadUrl, url } = body.file as { uploadUrl: string; url: string };
  return { write: new URL(uploadUrl).pathname, read: new URL(url).pathname };
};

const similarOrigins = [
  'https://example.com.evil',
  'https://evilexample.com',
  'https://evil.example/https://example.com',
  'https://sub.example.com',
  'https://example.com.',
  'https://example.com:443',
  'https://example.com/',
  'https://example.com@evil.example',
  'http://example.com',
  'https://Example.com',
  'HTTPS://EXAMPLE.COM',
  'https://example.com, https://evil.example',
  'http://localhost',
  'http://localhost:80800',
  'null',
  '*',
  'undefined',
  '',
];

test.each(similarOrigins)(
  '%j is refused everywhere, including preflights, and changes nothing',
  async (origin) => {
    const { write } = await upload();
    const before = await settledRows(server.db);
    const addresses = [
      ...operations.map(({ method, path }) => [method, base + path.replace(/\{\w+\}/g, conversationId)]),
      ['GET', `${base}/hello`],
      ['GET', `${base}/openapi.json`],
      ['GET', `${base}/nothing`],
      ['PUT', write],
      ['PATCH', write],
      ['HEAD', write],
    ] as [string, string][];
    for (const [method, path] of addresses) {
      for (const as of [method, 'OPTIONS']) {
        const response = await server.fetch(path, {
          method: as,
          headers: { origin, 'x-user-key': key, 'access-control-request-method': method },
          ...(['POST', 'PUT', 'PATCH'].includes(as) ? { body: 'x' } : {}),
        });
        expect([as, path, response.status]).toEqual([as, path, 403]);
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
        expect(response.headers.get('access-control-allow-credentials')).toBeNull();
        // Caches must not return this response to an allowed page.
        expect(response.headers.get('vary')).toBe('Origin');
        await response.body?.cancel();
      }
    }
    expect(await allRows(server.db)).toEqual(before);
    expect(server.composition.pubSub.size).toBe(0);
  },
);

describe.each([shop, local])('%s', (origin) => {
  test('can use every operation, and its pages can read the responses', async () => {
    const { write, read } = await upload();
    const headers = { origin, 'x-user-key': key };
    const requests: [string, string, RequestInit][] = [
      ['a stream', `${base}/conversations/${conversationId}/listen`, {}],
      ['what visitors may know', `${base}/webchat`, {}],
      ['an upload', write, { method: 'PUT', body: 'x' }],
      ['a refusal', `${base}/messages/none`, {}],
      ['a wrong method', `${base}/messages/none`, { method: 'PATCH' }],
      ['nothing', `${base}/nothing`, {}],
      ['a preflight', `${base}/messages`, { method: 'OPTIONS' }],
    ];
    for (const [what, path, init] of requests) {
      const response = await server.fetch(path, { ...init, headers });
      await response.body?.cancel();
      expect([what, response.status === 403]).toEqual([what, false]);
      expect([what, response.headers.get('access-control-allow-origin')]).toEqual([what, origin]);
      expect([what, response.headers.get('vary')]).toEqual([what, 'Origin']);
    }
    // Resources that a page embeds by their address have no restriction.
    const file = await server.fetch(read, { headers: { origin: 'https://evil.example' } });
    expect([file.status, file.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    await file.body?.cancel();
  });
});

describe('other APIs that pages can use', () => {
  test.each(['/v1/files', '/v1/tables', '/v1/chat/messages'])('%s', async (path) => {
    for (const method of ['GET', 'OPTIONS']) {
      const evil = await server.fetch(path, { method, headers: { origin: 'https://evil.example' } });
      expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      const listed = await server.fetch(path, { method, headers: { origin: shop } });
      expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([
        method === 'GET' ? 401 : 204,
        shop,
      ]);
      expect(listed.headers.get('access-control-allow-credentials')).toBe('true');
    }
  });
});

test('requests of servers, which send no origin, are accepted, and only named origins send credentials', async () => {
  expect((await server.call('GET', '/users/me', { key })).status).toBe(200);
  const strict = await startServer({ ALLOWED_ORIGINS: [shop, 'null'] });
  for (const [origin, credentials] of [
    [shop, 'true'],
    ['null', null],
  ] as const) {
    const { status, headers } = await strict.fetch(`${base}/hello`, { headers: { origin } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect(headers.get('access-control-allow-credentials')).toBe(credentials);
  }
});
