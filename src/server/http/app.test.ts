// Tests of hostile and malformed requests: every error response has its five fields, and none is a 5xx.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemas } from '../../protocol/schemas/chat.ts';
import { startServer } from '../testing/servers.testing.ts';
import { base, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let key: string;
let conversationId: string;
beforeAll(async () => {
  server = await startTestServer();
  key = (await server.user()).key;
  conversationId = await server.conversation(key);
});
afterAll(() => server.close());

async function raw(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) {
  const init: RequestInit & { duplex?: 'half' } = {
    method,
    headers: { 'x-user-key': key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  };
  const response = await server.fetch(path.startsWith('/chat') ? path : base + path, init);
  const text = await response.text();
  return {
    response,
    status: response.status,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
  };
}

function expectError(
  answer: { status: number; body: unknown; response: Response },
  status: number,
  type: string,
) {
  expect(answer.response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(v.safeParse(schemas.error, answer.body).issues).toBeUndefined();
  expect(answer.body).toMatchObject({ code: status, type });
  expect(answer.status).toBe(status);
}

describe('refusals', () => {
  test.each([
    ['GET', '/chat/other/hello', undefined, {}, 404, 'ResourceNotFound'],
    ['GET', '/chat/demo', undefined, {}, 404, 'ResourceNotFound'],
    ['GET', '/nothing', undefined, {}, 404, 'ResourceNotFound'],
    ['GET', '/users/me/', undefined, {}, 404, 'ResourceNotFound'],
    ['PATCH', '/users/me', '{', {}, 405, 'MethodNotFound'],
    ['DELETE', '/messages', '{', {}, 405, 'MethodNotFound'],
    ['POST', '/hello', '{', {}, 405, 'MethodNotFound'],
    ['POST', '/messages', '{', { 'x-user-key': 'no' }, 401, 'Unauthorized'],
    ['POST', '/messages', '{', { 'content-type': 'text/plain' }, 415, 'UnsupportedMediaType'],
    ['POST', '/messages', '{', {}, 400, 'InvalidPayload'],
    ['POST', '/messages', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'InvalidPayload'],
    ['POST', '/messages', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, {}, 400, 'InvalidPayload'],
    ['GET', '/conversations?nextToken=garbage', undefined, {}, 400, 'InvalidQuery'],
    // ["conversations","\u0000"]: SQLite cannot search for a NUL.
    [
      'GET',
      '/conversations?nextToken=WyJjb252ZXJzYXRpb25zIiwiXHUwMDAwIl0',
      undefined,
      {},
      400,
      'InvalidQuery',
    ],
    ['GET', '/conversations?nextToken=', undefined, {}, 400, 'InvalidQuery'],
    ['GET', '/messages/%FF', undefined, {}, 404, 'ResourceNotFound'],
    ['GET', '/messages/%', undefined, {}, 404, 'ResourceNotFound'],
    ['GET', "/messages/'; DROP TABLE messages;--", undefined, {}, 404, 'ResourceNotFound'],
    ['GET', '/webchat.js', undefined, {}, 404, 'ResourceNotFound'],
    ['POST', '/webchat.js', '{', {}, 404, 'ResourceNotFound'],
  ])('%s %s %s is answered with %i %s', async (method, path, body, headers, status, type) => {
    expectError(await raw(method, path, body, headers as Record<string, string>), status, type);
  });

  test('the key of a deleted user is refused before anything else is checked', async () => {
    const orphan = { 'x-user-key': server.sign('nobody'), 'content-type': 'text/plain' };
    expectError(await raw('POST', '/messages', '{', orphan), 401, 'Unauthorized');
  });

  test('405 lists the allowed methods', async () => {
    const { response } = await raw('PATCH', '/users/me');
    expect(response.headers.get('allow')).toBe('GET, PUT, DELETE, OPTIONS, HEAD');
  });

  test('a body above 1 MB is refused by its length and by its bytes, and is not read to the end', async () => {
    const long = await raw('POST', '/messages', '{}', { 'content-length': '1048577' });
    expectError(long, 413, 'PayloadTooLarge');
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 100_000;
        controller.enqueue(new Uint8Array(100_000));
      },
    });
    expectError(await raw('POST', '/messages', endless), 413, 'PayloadTooLarge');
    expect(sent).toBeLessThan(2_000_000);
  });

  test('only the first issue of a large body is reported, because finding all can take seconds', async () => {
    const body = (options: number) =>
      `{"conversationId":"${conversationId}","payload":{"type":"choice","text":"x","options":[${'{},'.repeat(options)}0]}}`;
    const issues = async (options: number) => {
      const answer = await raw('POST', '/messages', body(options));
      expectError(answer, 400, 'InvalidPayload');
      return (JSON.parse(answer.text).metadata.issues as { path: string }[]).map(({ path }) => path);
    };
    expect(await issues(300_000)).toEqual(['payload.options.0.label']);
    expect(await issues(20)).toHaveLength(10);
  });

  test('lists and objects can be nested to 100 levels, and brackets in strings do not count', async () => {
    const nested = (depth: number) =>
      `{"conversationId":"${conversationId}","payload":{"type":"text","text":"\\"[[{{"},"metadata":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    expect((await raw('POST', '/messages', nested(98))).status).toBe(201);
    expectError(await raw('POST', '/messages', nested(99)), 400, 'InvalidPayload');
    const text = JSON.stringify({ name: `${'['.repeat(150)}\\` });
    expect((await raw('POST', '/users', text)).status).toBe(201);
  });

  test('a message can have 1 MB with its metadata, and one byte more is refused', async () => {
    const message = (bytes: number) => {
      const body = {
        conversationId,
        payload: { type: 'text', text: '' },
        metadata: { note: 'y'.repeat(300_000) },
      };
      body.payload.text = 'x'.repeat(bytes - JSON.stringify(body).length);
      return JSON.stringify(body);
    };
    const accepted = await raw('POST', '/messages', message(1_048_576));
    expect(accepted.status).toBe(201);
    expectError(await raw('POST', '/messages', message(1_048_577)), 413, 'PayloadTooLarge');
    const listed = await raw('GET', `/conversations/${conversationId}/messages`);
    expect(listed.status).toBe(200);
    expect(JSON.stringify(listed.body).length).toBeGreaterThan(1_048_000);
  });

  test('a page of large messages ends early, and the pages together have all of them', async () => {
    const { key: owner } = await server.user();
    const conversation = await server.conversation(owner);
    const sent: string[] = [];
    for (let n = 0; n < 12; n += 1)
      sent.push(await server.sendMessage(owner, conversation, 'x'.repeat(1_000_000)));
    const listed: string[][] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const path: string = `/conversations/${conversation}/messages${token && `?nextToken=${token}`}`;
      const { body } = await server.call('GET', path, { key: owner });
      const { messages, meta } = body as { messages: { id: string }[]; meta: { nextToken?: string } };
      listed.push(messages.map(({ id }) => id));
      token = meta.nextToken;
    }
    expect(listed.map((page) => page.length)).toEqual([4, 4, 4]);
    expect(listed.flat()).toEqual(sent.reverse());
  });

  test('an internal error has an id that is in the log, and reveals nothing', async () => {
    const broken = await startServer();
    const { key } = await broken.user();
    await broken.db.write((tx) => tx.run('ALTER TABLE messages RENAME TO gone'));
    const { status, body } = await broken.call('GET', '/messages/x', { key });
    expect([status, body.type]).toEqual([500, 'Internal']);
    expect(JSON.stringify(body)).not.toMatch(/gone|SQL|table/i);
    expect(broken.log.map((line) => line.errorId)).toContain(body.id);
  });
});

describe('accepted', () => {
  test.each([
    ['an empty body if all fields are optional', ''],
    ['__proto__', '{"name":"x","__proto__":{"admin":true}}'],
  ])('%s', async (_, body) => {
    expect((await raw('POST', '/users', body)).status).toBe(201);
  });

  test('a request without a content type and without a body is accepted', async () => {
    expect((await server.fetch(`${base}/users`, { method: 'POST' })).status).toBe(201);
  });

  test('a body on DELETE and GET is ignored', async () => {
    const { key } = await server.user();
    expect((await server.call('DELETE', '/users/me', { key, body: { a: 1 } })).status).toBe(200);
  });

  test('both greeting addresses respond, also to HEAD', async () => {
    expect((await raw('GET', '/hello')).status).toBe(200);
    expect((await raw('GET', '/hello/')).text).toMatch(/^Hello/);
    expect((await raw('HEAD', `/conversations/${conversationId}/listen`)).status).toBe(200);
    expect(server.composition.pubSub.size).toBe(0);
  });

  test('any JSON as payload or metadata is answered with 201 and returned unchanged, or with 400', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 5 }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        async (value, extra) => {
          const text = { ...extra, type: 'text', text: 'x', value: 'v' };
          const metadata = { given: value };
          const response = await server.call('POST', '/messages', {
            key,
            body: { conversationId, payload: text, metadata },
          });
          expect(response.status).toBe(201);
          const { id } = response.body.message as { id: string };
          const again = await server.call('GET', `/messages/${id}`, { key });
          expect(again.body.message).toEqual(response.body.message);
          const odd = await server.call('POST', '/messages', {
            key,
            body: { conversationId, payload: value },
          });
          expect(odd.status).toBe(400);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('payloads', () => {
  const card = { title: 'T', actions: [{ action: 'say', label: 'L', value: 'V' }] };
  test.each([
    [
      { type: 'carousel', items: [card] },
      { type: 'carousel', items: [{ type: 'card', ...card }] },
    ],
    [
      {
        type: 'bloc',
        items: [
          { type: 'text', payload: { text: 'a' } },
          { type: 'markdown', markdown: 'b' },
        ],
      },
      {
        type: 'bloc',
        items: [
          { type: 'text', text: 'a' },
          { type: 'markdown', markdown: 'b' },
        ],
      },
    ],
    [
      { type: 'location', latitude: 1, longitude: 2, extra: true },
      { type: 'location', latitude: 1, longitude: 2, extra: true },
    ],
    [
      { type: 'choice', text: 'q', options: [] },
      { type: 'choice', text: 'q', options: [] },
    ],
  ])('%j is kept as %j', async (payload, stored) => {
    const { status, body } = await server.call('POST', '/messages', {
      key,
      body: { conversationId, payload },
    });
    expect(status).toBe(201);
    expect((body.message as { payload: unknown }).payload).toEqual(stored);
  });
});

describe('CORS', () => {
  const origin = 'https://shop.example';
  async function request(server: TestServer, method: string, from: string | undefined, path = '/hello') {
    const headers = { ...(from ? { origin: from } : {}), 'access-control-request-method': 'POST' };
    const { status, headers: got } = await server.fetch(base + path, { method, headers });
    const allowed = got.get('access-control-allow-origin');
    return { status, allowed, credentials: got.get('access-control-allow-credentials'), got };
  }

  test('allows every origin without credentials by default, also for errors', async () => {
    for (const from of [origin, 'null', undefined]) {
      const open = { allowed: '*', credentials: null };
      expect(await request(server, 'GET', from)).toMatchObject({ status: 200, ...open });
      expect(await request(server, 'OPTIONS', from)).toMatchObject({ status: 204, ...open });
      expect(await request(server, 'GET', from, '/users/me')).toMatchObject({ status: 401, allowed: '*' });
      expect(await request(server, 'GET', from, '/nothing')).toMatchObject({ status: 404, allowed: '*' });
    }
    const { got } = await request(server, 'OPTIONS', origin, '/messages');
    expect(got.get('access-control-allow-headers')).toBe(
      'x-user-key, content-type, last-event-id, idempotency-key, upload-offset, tus-resumable, ' +
        'authorization, x-workspace-id, x-bot-id, x-integration-id, x-integration-alias, x-integration-name, ' +
        'x-user-id, x-user-role, x-multiple-integrations, x-admin-secret, x-destination-bot-id, timeout, ' +
        'x-amz-tagging, x-user-proof, x-visitor-locale',
    );
    expect(got.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    expect(got.get('access-control-max-age')).toBe('7200');
    const response = await request(server, 'GET', origin);
    expect(response.got.get('access-control-expose-headers')).toBe(
      'date, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, last-event-id, upload-offset, ' +
        'upload-length, tus-resumable',
    );
    expect(response.got.get('x-content-type-options')).toBe('nosniff');
    expect(response.got.get('set-cookie')).toBeNull();
  });
});

describe('pages and lists', () => {
  test('responses contain the id of the request, lists the foreign id, and an id is free after deletion', async () => {
    const { id, key } = await server.user({ id: 'shop/customer-1' });
    expect(id).toBe('shop/customer-1');
    const created = await server.call('POST', '/conversations', { key, body: { id: 'room\\1' } });
    expect(created.body.conversation).toMatchObject({ id: 'room\\1' });
    expect((await server.call('POST', '/conversations', { key, body: { id: 'room\\1' } })).status).toBe(409);
    const serverId = await server.db.read((tx) =>
      tx.get<{ id: string }>('SELECT id FROM conversations WHERE foreign_id = ?', 'room\\1'),
    );
    const ours = serverId?.id ?? '';
    const message = { conversationId: ours, payload: { type: 'text', text: 'x' } };
    const sent = await server.call('POST', '/messages', { key, body: message });
    expect(sent.body.message).toMatchObject({ conversationId: ours, userId: id });
    const got = await server.call('GET', `/messages/${(sent.body.message as { id: string }).id}`, { key });
    expect(got.body.message).toMatchObject({ conversationId: 'room\\1', userId: id });
    const list = await server.call('GET', `/conversations/${ours}/messages`, { key });
    expect(list.body.messages).toMatchObject([{ conversationId: ours, userId: id }]);
    const mine = await server.call('GET', '/conversations', { key });
    expect(mine.body).toMatchObject({ conversations: [{ id: 'room\\1' }], meta: {} });
    // A server id cannot be used as a foreign id, because it would capture requests for the other conversation.
    const other = await server.user();
    expect((await server.call('POST', '/conversations', { key: other.key, body: { id: ours } })).status).toBe(
      409,
    );
    await server.call('DELETE', '/conversations/room%5C1', { key });
    expect((await server.call('POST', '/conversations', { key, body: { id: 'room\\1' } })).status).toBe(201);
    await server.call('DELETE', '/users/me', { key });
    expect((await server.user({ id })).id).toBe(id);
  });

  test('pages are stable while messages are added and deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 160 }),
        fc.array(fc.nat(5), { maxLength: 4 }),
        async (count, added) => {
          const { key } = await server.user();
          const conversationId = await server.conversation(key);
          const ids = await Promise.all(
            Array.from({ length: count }, (_, n) => server.sendMessage(key, conversationId, `${n}`)),
          );
          const seen: string[] = [];
          let token: string | undefined;
          for (let page = 0; ; page += 1) {
            const query = token ? `?nextToken=${encodeURIComponent(token)}` : '';
            const { body } = await server.call('GET', `/conversations/${conversationId}/messages${query}`, {
              key,
            });
            seen.push(...(body.messages as { id: string }[]).map(({ id }) => id));
            token = (body.meta as { nextToken?: string }).nextToken;
            if (!token) break;
            for (let n = 0; n < (added[page] ?? 0); n += 1)
              await server.sendMessage(key, conversationId, 'later');
          }
          expect(seen.sort()).toEqual(ids.sort());
        },
      ),
      { numRuns: 8 },
    );
  });

  test('messages are listed newest first, and no two of a conversation have the same time', async () => {
    const conversationId = await server.conversation(key);
    await Promise.all(Array.from({ length: 40 }, (_, n) => server.sendMessage(key, conversationId, `${n}`)));
    const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
    const times = (body.messages as { createdAt: string }[]).map(({ createdAt }) => createdAt);
    expect(new Set(times).size).toBe(40);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('conversations and participants are paginated', async () => {
    const { key } = await server.user();
    const conversationIds = await Promise.all(Array.from({ length: 51 }, () => server.conversation(key)));
    const first = await server.call('GET', '/conversations', { key });
    const { nextToken } = first.body.meta as { nextToken: string };
    const second = await server.call('GET', `/conversations?nextToken=${nextToken}`, { key });
    const ids = [first, second].flatMap(({ body }) =>
      (body.conversations as { id: string }[]).map(({ id }) => id),
    );
    expect(ids.sort()).toEqual(conversationIds.sort());
    const wrong = await server.call(
      'GET',
      `/conversations/${conversationIds[0]}/messages?nextToken=${nextToken}`,
      { key },
    );
    expect(wrong.body.type).toBe('InvalidQuery');
  });
});

describe('files', () => {
  let built: TestServer;
  const dist = join(tmpdir(), `webchat-dist-${process.pid}`);
  beforeAll(async () => {
    await mkdir(join(dist, 'webchat'), { recursive: true });
    await mkdir(join(dist, 'demo'), { recursive: true });
    await writeFile(join(dist, 'secret.txt'), 'secret');
    await writeFile(join(dist, 'webchat', 'webchat.js'), 'start(`%WEBCHAT_BOOT%`)');
    const chunk = 'export {};'.repeat(100);
    await writeFile(join(dist, 'webchat', 'chat-abc.js'), chunk);
    await writeFile(join(dist, 'webchat', 'chat-abc.js.br'), brotliCompressSync(chunk));
    for (const version of ['0.1.0', '0.2.0']) {
      await mkdir(join(dist, 'webchat', version));
      await writeFile(join(dist, 'webchat', version, 'webchat.js'), `start('${version}')`);
    }
    await writeFile(join(dist, 'demo', 'index.html'), '<!doctype html>');
    await writeFile(join(dist, 'demo', 'tone.wav'), '0123456789');
    built = await startTestServer({ dist, configuration: { botName: "It's $& </script>", adminKey: 'k' } });
  });
  afterAll(async () => {
    await built.close();
    await rm(dist, { recursive: true, force: true });
  });

  test('files can only be read; an unknown file is answered with 404 for every method', async () => {
    for (const path of ['/tone.wav', `${base}/webchat.js`]) {
      const response = await built.fetch(path, { method: 'POST', body: '{}' });
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
      expect(await response.json()).toMatchObject({ code: 405, type: 'MethodNotFound' });
    }
    const unknown = async (path: string, init: RequestInit) => {
      const { status, headers } = await built.fetch(path, init);
      return [status, headers.get('content-type')?.split(';')[0]];
    };
    expect(await unknown('/nothing', { method: 'POST' })).toEqual([404, 'application/json']);
    expect(await unknown('/nothing', {})).toEqual([404, 'application/json']);
    // A browser that opens it gets words instead of JSON, but not from an API.
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    expect(await unknown('/nothing', { headers: { accept } })).toEqual([404, 'text/html']);
    expect(await unknown('/v1/admin/nothing', { headers: { accept } })).toEqual([404, 'application/json']);
    expect(await unknown(`${base}/nothing`, { headers: { accept } })).toEqual([404, 'application/json']);
    expect((await built.fetch('/tone.wav', { method: 'HEAD' })).status).toBe(200);
  });

  test.each([
    ['/playground', 'playground', 'The playground', /script-src 'self';.*frame-ancestors 'self'/],
    [
      '/console',
      'console',
      'The console',
      /^default-src 'none'; .*frame-ancestors 'none'.*trusted-types platform-webchat platform-webchat-worker$/,
    ],
    ['/v1/docs', 'reference', 'The API reference', /^default-src 'none'; .*frame-ancestors 'none'/],
  ])(
    '%s is a separate folder that other sites cannot frame; if it is not built, the error says so',
    async (at, name, subject, policy) => {
      for (const path of [`${at}/`, `${at}/app.js`]) {
        const missing = await built.fetch(path);
        expect(missing.status).toBe(404);
        expect(await missing.json()).toMatchObject({
          type: 'ResourceNotFound',
          message: `${subject} is not built; run \`npm run build\`.`,
        });
      }
      const folder = join(dist, name);
      await mkdir(join(folder, 'assets'), { recursive: true });
      await writeFile(join(folder, 'index.html'), '<!doctype html><script src="assets/app.js"></script>');
      await writeFile(join(folder, 'assets', 'app.js'), 'start()');
      const redirect = await built.fetch(at);
      expect([redirect.status, redirect.headers.get('location')]).toEqual([302, `${at.split('/').at(-1)}/`]);
      for (const [path, type] of [
        [`${at}/`, 'text/html; charset=utf-8'],
        [`${at}/index.html`, 'text/html; charset=utf-8'],
        [`${at}/assets/app.js`, 'text/javascript; charset=utf-8'],
      ] as const) {
        const { status, headers } = await built.fetch(path);
        expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
          200,
          type,
          'no-cache',
        ]);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('content-security-policy')).toMatch(policy);
      }
      const etag = (await built.fetch(`${at}/`)).headers.get('etag') ?? '';
      const again = await built.fetch(`${at}/`, { headers: { 'if-none-match': etag } });
      expect([again.status, again.headers.has('content-security-policy')]).toEqual([304, true]);
      expect((await built.fetch(`${at}/`, { method: 'POST' })).status).toBe(405);
      for (const path of ['none.js', '%2e%2e/secret.txt', '%2e%2e%2fsecret.txt', '..%5csecret.txt', '%zz']) {
        const response = await built.fetch(`${at}/${path}`);
        const { message } = (await response.json()) as { message: string };
        expect([path, response.status, message]).toEqual([path, 404, 'There is nothing at this address.']);
      }
    },
  );

  test('the script contains the configuration, and not the admin key', async () => {
    const response = await built.fetch(`${base}/webchat.js`);
    const script = await response.text();
    const boot = new Function('start', `let got; start = (x) => { got = x }; ${script}; return got`)();
    expect(JSON.parse(boot)).toEqual({
      configuration: { botName: "It's $& </script>" },
      botUserId: expect.any(String),
      features: [
        'replay',
        'idempotency',
        'stream',
        'typing',
        'files',
        'feedback',
        'firstConversation',
        'renewal',
        'supersedes',
        'handoff',
        'conversations',
        'preChatForm',
        'locale',
        'page',
      ],
      limits: { messageBytes: 1_047_552, fileBytes: 100_000_000, fileTypes: [] },
      assets: '../../webchat/',
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const etag = response.headers.get('etag') ?? '';
    const again = await built.fetch(`${base}/webchat.js`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('files of a version are immutable, and remain available next to those of later versions', async () => {
    for (const version of ['0.1.0', '0.2.0']) {
      const response = await built.fetch(`/webchat/${version}/webchat.js`);
      expect([response.status, await response.text()]).toEqual([200, `start('${version}')`]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
    const alias = await built.fetch('/webchat/webchat.js');
    expect(alias.headers.get('cache-control')).toBe('public, max-age=300');
    expect((await built.fetch('/webchat/0.3.0/webchat.js')).status).toBe(404);
  });

  test('a file that the client has is answered with 304 until it changes', async () => {
    const get = (etag: string) => built.fetch('/tone.wav', { headers: { 'if-none-match': etag } });
    const etag = (await get('')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect([(await get(etag)).status, (await get('"other"')).status]).toEqual([304, 200]);
    expect((await get('')).headers.get('content-type')).toBe('audio/wav');
  });

  test('the OpenAPI document is compressed, and sent again only after a change', async () => {
    const headers = { 'accept-encoding': 'br' };
    const response = await built.fetch('/v1/openapi.json', { headers });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const body = brotliDecompressSync(await response.arrayBuffer()).toString();
    expect(JSON.parse(body)).toHaveProperty('openapi');
    const etag = response.headers.get('etag') ?? '';
    const again = await built.fetch('/v1/openapi.json', { headers: { ...headers, 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('chunks are compressed and cached for a year, also for HEAD', async () => {
    const response = await built.fetch('/webchat/chat-abc.js', {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('cache-control')).toMatch(/immutable/);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(brotliDecompressSync(await response.arrayBuffer()).toString()).toMatch(/^export/);
    const plain = await built.fetch('/webchat/chat-abc.js', { headers: { 'accept-encoding': 'br;q=0' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const head = await built.fetch('/webchat/chat-abc.js', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000']);
    expect((await built.fetch('/')).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=99-', 416, '', 'bytes */10'],
  ])('media by range %s are answered with %i %s', async (range, status, text, contentRange) => {
    const response = await built.fetch('/tone.wav', { headers: { range } });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('content-range')).toBe(contentRange);
  });

  test.each(['"old"', 'the etag', 'Wed, 21 Oct 2015 07:28:00 GMT'])(
    'a range on the condition If-Range: %s is answered with the whole file, because the validators are weak',
    async (condition) => {
      const etag = (await built.fetch('/tone.wav')).headers.get('etag') ?? '';
      const headers = { range: 'bytes=2-4', 'if-range': condition === 'the etag' ? etag : condition };
      const response = await built.fetch('/tone.wav', { headers });
      expect([response.status, await response.text()]).toEqual([200, '0123456789']);
      expect(response.headers.get('content-range')).toBeNull();
    },
  );

  test.each([
    '/webchat/../secret.txt',
    '/webchat/%2e%2e/secret.txt',
    '/webchat/%2e%2e%2fsecret.txt',
    '/webchat/..%5csecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/webchat/',
    '/webchat/%00',
    '/webchat/%zz',
    '/webchat/none.js',
  ])('%s is a 404 with five fields', async (path) => {
    const response = await built.fetch(path);
    expect(response.status).toBe(404);
    expect(v.is(schemas.error, await response.json())).toBe(true);
  });
});
