// Tests of the security headers of every kind of response over HTTP, and of what the widget needs to load.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uploadPaths } from '../files/index.ts';
import { base, startTestServer, type TestServer } from '../testing.ts';
import { createHttpServer } from './connections.ts';

const origin = 'https://shop.example';
let server: TestServer;
let http: ReturnType<typeof createHttpServer>;
let dist: string;
let port: number;
/** Test data that the requests use. */
const made = { key: '', conversationId: '', upload: '', download: '', etag: '' };

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'webchat-dist-'));
  for (const [path, content] of [
    ['webchat/webchat.js', "start('%WEBCHAT_BOOT%')"],
    ['webchat/chat-abc.js', 'export {};'],
    ['demo/index.html', '<!doctype html>'],
    ['demo/photo.png', '0123456789'],
    ['playground/index.html', '<!doctype html>'],
    ['playground/app.js', 'start()'],
    ['reference/index.html', '<!doctype html>'],
    ['reference/app.js', 'start()'],
    ['console/index.html', '<!doctype html>'],
  ] as const) {
    await mkdir(join(dist, path, '..'), { recursive: true });
    await writeFile(join(dist, path), content);
  }
  server = await startTestServer({ dist, ALLOWED_ORIGINS: [origin], RATE_LIMIT: 100_000 });
  http = createHttpServer(server.composition.app.fetch, {
    max: 100,
    maxPerAddress: undefined,
    uploads: uploadPaths,
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  port = (http.address() as AddressInfo).port;
  made.key = (await server.user()).key;
  made.conversationId = await server.conversation(made.key);
  const { body } = await server.call('POST', '/files', { key: made.key, body: { key: 'a.png', size: 1 } });
  const file = body.file as { url: string; uploadUrl: string };
  [made.upload, made.download] = [new URL(file.uploadUrl).pathname, new URL(file.url).pathname];
  made.etag = (await server.fetch('/webchat/chat-abc.js')).headers.get('etag') ?? '';
});
afterAll(async () => {
  http.closeAllConnections();
  http.close();
  await server.close();
  await rm(dist, { recursive: true, force: true });
});

async function request(target: string, headers: Record<string, string> = {}, body?: string) {
  const [method = '', path = ''] = target.split(' ');
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  await response.body?.cancel();
  return response;
}

const nothing = "default-src 'none'; frame-ancestors 'none'";
const page = /^script-src 'self'; .*frame-ancestors 'self'$/;
/** Only our scripts and styles, and no markup from texts. */
/** Nothing of other servers, and no markup from texts. */
const ofMembers =
  /^default-src 'none'; script-src 'self'; style-src 'self'; .*connect-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types platform-webchat platform-webchat-worker$/;
const strict =
  /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/;
const file = "default-src 'none'; sandbox";
const key = () => ({ 'x-user-key': made.key });
const json = () => ({ ...key(), 'content-type': 'application/json' });
const admin = () => ({
  authorization: `Bearer ${server.admin.token}`,
  'x-workspace-id': server.admin.workspaceId,
});

type Row = [
  what: string,
  request: () => Promise<Response>,
  status: number,
  csp: string | RegExp,
  corp: string,
  cache: RegExp,
];
const own = 'same-origin';
const any = 'cross-origin';
const never = /^no-store/;
/** In this order, because the upload creates the file that the download reads. */
const rows: Row[] = [
  ['an answer', () => request(`GET ${base}/users/me`, key()), 200, nothing, own, never],
  ['a created thing', () => request(`POST ${base}/users`, json(), '{}'), 201, nothing, own, never],
  ['the greeting', () => request(`GET ${base}/hello`), 200, nothing, own, never],
  ['the description', () => request(`GET ${base}/openapi.json`), 200, nothing, own, never],
  ['what visitors may know', () => request(`GET ${base}/webchat`), 200, nothing, own, never],
  [
    'a stream',
    () => request(`GET ${base}/conversations/${made.conversationId}/listen`, key()),
    200,
    nothing,
    own,
    never,
  ],
  ['a preflight', () => request(`OPTIONS ${base}/messages`, { origin }), 204, nothing, own, never],
  [
    'a wrong origin',
    () => request(`GET ${base}/hello`, { origin: 'https://evil.example' }),
    403,
    nothing,
    own,
    never,
  ],
  ['no key', () => request(`GET ${base}/users/me`), 401, nothing, own, never],
  ['a wrong body', () => request(`POST ${base}/users`, json(), '{'), 400, nothing, own, never],
  ['a wrong method', () => request(`PATCH ${base}/users/me`, key()), 405, nothing, own, never],
  ['nothing in the API', () => request(`GET ${base}/none`, key()), 404, nothing, own, never],
  ['an upload', () => request(`PUT ${made.upload}`, {}, 'x'), 204, nothing, own, never],
  ['an upload of nothing', () => request(`PUT ${base}/uploads/x`, {}, 'x'), 404, nothing, own, never],
  ['a file', () => request(`GET ${made.download}`), 200, file, any, /^private, .*immutable/],
  ['no file', () => request(`GET ${base}/files/x/y`), 404, nothing, any, never],
  ['an administrator', () => request('GET /v1/admin/bots', admin()), 200, nothing, own, never],
  ['no administrator', () => request('GET /v1/admin/bots'), 401, nothing, own, never],
  ['the script', () => request(`GET ${base}/webchat.js`), 200, nothing, any, /^public, max-age=300$/],
  ['a chunk', () => request('GET /webchat/chat-abc.js'), 200, nothing, any, /immutable/],
  [
    'a chunk not changed',
    () => request('GET /webchat/chat-abc.js', { 'if-none-match': made.etag }),
    304,
    nothing,
    any,
    /immutable/,
  ],
  ['no chunk', () => request('GET /webchat/none.js'), 404, nothing, any, never],
  ['the script of no bot', () => request('GET /chat/none/webchat.js'), 404, nothing, any, never],
  ['the demo', () => request('GET /'), 200, page, any, /^no-cache$/],
  ['a picture of the demo', () => request('GET /photo.png'), 200, page, any, /^no-cache$/],
  ['the playground', () => request('GET /playground/'), 200, page, own, /^no-cache$/],
  ['its script', () => request('GET /playground/app.js'), 200, page, own, /^no-cache$/],
  ['its address without a slash', () => request('GET /playground'), 302, nothing, own, never],
  ['the reference of the API', () => request('GET /v1/docs/'), 200, strict, own, /^no-cache$/],
  ['its script', () => request('GET /v1/docs/app.js'), 200, strict, own, /^no-cache$/],
  ['the console', () => request('GET /console/'), 200, ofMembers, own, /^no-cache$/],
  ['nobody who signs in', () => request('GET /v1/session'), 401, nothing, own, never],
  ['nothing', () => request('GET /none'), 404, nothing, own, never],
];

test.each(rows)('%s has the expected headers', async (_, request, status, csp, corp, cache) => {
  const { status: got, headers } = await request();
  expect(got).toBe(status);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('content-security-policy')).toEqual(
    typeof csp === 'string' ? csp : expect.stringMatching(csp),
  );
  expect(headers.get('cross-origin-resource-policy')).toBe(corp);
  expect(headers.get('cache-control')).toMatch(cache);
  for (const name of ['server', 'x-powered-by', 'set-cookie', 'via']) expect(headers.get(name)).toBeNull();
});

test('the playground has no opener', async () => {
  expect((await request('GET /playground/')).headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

test('resources for any site allow it for scripts and by CORS', async () => {
  for (const path of [`${base}/webchat.js`, '/webchat/chat-abc.js', made.download, '/photo.png']) {
    const { headers } = await request(`GET ${path}`, { origin: 'https://anybody.example' });
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, '*']);
  }
});

test('an internal error has the headers, too', async () => {
  const broken = await startTestServer();
  await broken.db.write((tx) => tx.run('ALTER TABLE bots RENAME TO gone'));
  const { status, headers } = await broken.fetch(`${base}/webchat`);
  expect([status, headers.get('content-security-policy'), headers.get('cache-control')]).toEqual([
    500,
    nothing,
    'no-store',
  ]);
  await broken.close();
});

test.each([
  ['what is not HTTP', 'nonsense\r\n\r\n', 400],
  ['a head that is too long', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ['too many fields', `GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(200)}\r\n`, 431],
  ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
])('%s has the headers when it is rejected below the application', async (_, text, status) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let got = '';
  for await (const chunk of socket) got += chunk;
  expect(got).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(got).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
  expect(got).toMatch(/\r\ncontent-security-policy: default-src 'none'; frame-ancestors 'none'\r\n/i);
  expect(got).toMatch(/\r\ncache-control: no-store\r\n/i);
  expect(got).not.toMatch(/\r\n(server|x-powered-by):/i);
});
