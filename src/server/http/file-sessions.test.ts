// Tests of the Files API with the session of a member: the whole way of a file, and requests of other pages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlatformFile } from '../../protocol/types/files.ts';
import { addMember, openBrowser, origin, type TestBrowser } from '../session/testing.ts';
import { startTestServer, type TestServer } from '../testing.ts';

const shop = 'https://shop.example';
let server: TestServer;
let browser: TestBrowser;
let scope: Record<string, string>;
beforeAll(async () => {
  // The own origin is not listed: it needs not be.
  server = await startTestServer({ ALLOWED_ORIGINS: [shop] });
  browser = openBrowser(server);
  await browser.signIn(await addMember(server, { role: 'developer' }));
  const { body } = await browser.send('GET', '/v1/admin/bots');
  const [bot] = body.bots as { id: string }[];
  scope = { 'x-bot-id': bot?.id ?? '', 'x-workspace-id': server.admin.workspaceId };
});
afterAll(() => server.close());

const listed = async (headers: Record<string, string> = {}) =>
  browser.send('GET', '/v1/files', undefined, { ...scope, ...headers });

test('a member who has signed in uploads, lists and deletes a file', async () => {
  const created = await browser.send('PUT', '/v1/files', { key: 'help/a.txt', size: 5, index: true }, scope);
  expect(created.status).toBe(200);
  const file = created.body.file as PlatformFile & { uploadUrl: string };
  const uploaded = await server.fetch(new URL(file.uploadUrl).pathname, {
    method: 'PUT',
    headers: { origin, 'content-type': 'text/plain' },
    body: 'Hello',
  });
  expect(uploaded.status).toBe(204);
  expect((await listed()).body.files).toMatchObject([{ id: file.id, key: 'help/a.txt' }]);
  expect((await browser.send('DELETE', `/v1/files/${file.id}`, undefined, scope)).status).toBe(200);
  expect((await listed()).body.files).toEqual([]);
});

test.each([
  ['a listed origin', { 'sec-fetch-site': 'cross-site', origin: shop }],
  ['a listed origin of the same site', { 'sec-fetch-site': 'same-site', origin: shop }],
  ['a listed origin in an older browser', { 'sec-fetch-site': '', origin: shop }],
  ['another origin', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['an address that was opened by itself', { 'sec-fetch-site': 'none', origin: '' }],
  [
    'a page with a forwarded address',
    { 'sec-fetch-site': '', origin: shop, 'x-forwarded-host': 'other.example' },
  ],
])('a request of %s has no session', async (_, headers) => {
  expect((await listed(headers)).status).toBe(403);
  const written = await browser.send('PUT', '/v1/files', { key: 'b', size: 1 }, { ...scope, ...headers });
  expect(written.status).toBe(403);
  expect((await listed()).body.files).toEqual([]);
});

test('the own page of an older browser reads without naming an origin', async () => {
  expect((await listed({ 'sec-fetch-site': '', origin: '' })).status).toBe(200);
  expect((await listed({ 'sec-fetch-site': '' })).status).toBe(200);
});

test('a form of another page, whose body is no JSON, writes nothing', async () => {
  const headers = { ...scope, 'content-type': 'text/plain' };
  const { status } = await browser.send('PUT', '/v1/files', { key: 'b', size: 1 }, headers);
  expect(status).toBe(415);
});

test('a session that has ended has no access', async () => {
  const other = openBrowser(server);
  await other.signIn(await addMember(server, { role: 'developer' }));
  await other.send('DELETE', '/v1/session');
  other.cookies.set('inbox', 'x'.repeat(43));
  expect((await other.send('GET', '/v1/files', undefined, scope)).status).toBe(401);
});
