// Tests of the sandbox origin over HTTP, its page with the policy of the app, and of the Content Security Policy of apps.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing.ts';
import { checkSandboxOrigin, contentPolicyOf } from './sandbox.ts';

const sandbox = 'https://apps.example';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    SANDBOX_ORIGIN: sandbox,
    ALLOWED_ORIGINS: ['https://shop.example', 'null'],
  });
});
afterAll(() => server.close());

const request = (url: string, init: RequestInit = {}) =>
  Promise.resolve(server.composition.app.fetch(new Request(url, init)));

test('the sandbox origin serves its page with the policy of the app, which only allowed pages can show', async () => {
  const policy = { connectDomains: ['https://api.example', 'https://x; script-src *'] };
  const response = await request(`${sandbox}/sandbox?policy=${encodeURIComponent(JSON.stringify(policy))}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const csp = response.headers.get('content-security-policy') ?? '';
  expect(csp).toMatch(/^default-src 'none'; script-src 'unsafe-inline';/);
  expect(csp).toContain('connect-src https://api.example;');
  expect(csp).toContain("frame-src 'none'");
  expect(csp).toMatch(/; frame-ancestors https:\/\/shop\.example$/);
  expect(response.headers.get('permissions-policy')).toContain('camera=()');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(await response.text()).toContain("'allow-scripts allow-forms'");
  for (const wrong of [
    '',
    '?policy=',
    '?policy={',
    '?policy=null',
    '?policy=%00',
    `?policy=${'['.repeat(5_000)}`,
  ]) {
    const other = await request(`${sandbox}/sandbox${wrong}`);
    expect(other.headers.get('content-security-policy'), wrong).toContain("connect-src 'none'");
  }
});

test('the sandbox origin has nothing else: no chat, no API, no pages, and no other methods', async () => {
  const paths = [
    '/',
    '/health',
    '/webchat/webchat.js',
    '/chat/demo/webchat',
    '/v1/openapi.json',
    '/inbox/',
    '/console/',
    '/sandbox/',
  ];
  for (const path of paths) expect((await request(sandbox + path)).status, path).toBe(404);
  const headers = { 'content-type': 'application/json' };
  const user = await request(`${sandbox}/chat/demo/users`, { method: 'POST', headers, body: '{}' });
  expect(user.status).toBe(404);
  expect((await request(`${sandbox}/sandbox`, { method: 'POST' })).status).toBe(405);
  // Behind a proxy that passes on the host name.
  const forwarded = { 'x-forwarded-host': 'apps.example', 'x-forwarded-proto': 'https' };
  expect((await request('http://127.0.0.1/health', { headers: forwarded })).status).toBe(404);
  expect((await request('http://127.0.0.1/sandbox', { headers: forwarded })).status).toBe(200);
});

test('other origins of the server do not have the page, and name the sandbox origin to the chat', async () => {
  expect((await request('https://chat.example/sandbox')).status).toBe(404);
  const { body } = await server.call('GET', '/webchat');
  expect(body.sandboxOrigin).toBe(sandbox);
});

test('apps do not run under the host name of the server', () => {
  const check = (SANDBOX_ORIGIN?: string, PUBLIC_URL?: string) => () =>
    checkSandboxOrigin({ SANDBOX_ORIGIN, PUBLIC_URL });
  expect(check('https://chat.example:8443', 'https://chat.example/path')).toThrow(/another host name/);
  expect(check('http://127.0.0.1:4000')).toThrow(/another host name/);
  for (const allowed of [check(), check(undefined, 'https://chat.example'), check('http://localhost:3000')])
    expect(allowed).not.toThrow();
});

const directivesOf = (policy: unknown) =>
  Object.fromEntries(
    contentPolicyOf(policy)
      .split('; ')
      .map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
  );
const none = {
  'default-src': "'none'",
  'script-src': "'unsafe-inline'",
  'style-src': "'unsafe-inline'",
  'img-src': 'data: blob:',
  'font-src': 'data:',
  'media-src': 'data: blob:',
  'connect-src': "'none'",
  'frame-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
};

test('without a declaration, and with one of any shape, an app can use nothing but its document', () => {
  for (const policy of [
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { connectDomains: 'https://a.example' },
    { connectDomains: [7, null, {}, ['https://a.example']] },
    { scriptDomains: ['https://a.example'], 'default-src': ['*'] },
  ])
    expect(directivesOf(policy)).toEqual(none);
});

test('declared origins are added to their directives', () => {
  expect(
    directivesOf({
      connectDomains: ['https://api.example', 'wss://live.example:8443'],
      resourceDomains: ['https://*.cdn.example'],
      frameDomains: ['https://player.example'],
      baseUriDomains: ['http://localhost:3000'],
    }),
  ).toEqual({
    ...none,
    'connect-src': 'https://api.example wss://live.example:8443',
    'script-src': "'unsafe-inline' https://*.cdn.example",
    'style-src': "'unsafe-inline' https://*.cdn.example",
    'img-src': 'data: blob: https://*.cdn.example',
    'font-src': 'data: https://*.cdn.example',
    'media-src': 'data: blob: https://*.cdn.example',
    'frame-src': 'https://player.example',
    'base-uri': 'http://localhost:3000',
  });
});

test.each([
  '*',
  'https:',
  'https://*',
  "'unsafe-eval'",
  'data:',
  'https://a.example/path',
  'https://a.example; script-src *',
  'https://a.example, default-src *',
  'https://a.example\r\nset-cookie: a=b',
  'https://a.example https://b.example',
  'https://user@a.example',
  'https://-',
  'javascript://a.example',
  `https://${'a'.repeat(200)}.example`,
])('what is not an origin is left out: %j', (domain) => {
  const { 'connect-src': connect } = directivesOf({ connectDomains: [domain, 'https://ok.example'] });
  expect([`${domain} https://ok.example`, 'https://ok.example']).toContain(connect);
  if (domain !== 'https://-') expect(connect).toBe('https://ok.example');
});

test('a list has at most ten origins, so that the header stays short', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `https://${'a'.repeat(60)}${n}.example`);
  const policy = contentPolicyOf({ connectDomains: many, resourceDomains: many, frameDomains: many });
  expect(policy.length).toBeLessThan(8_000);
  expect(directivesOf({ connectDomains: many })['connect-src']?.split(' ')).toHaveLength(10);
});
