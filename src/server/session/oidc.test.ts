// Tests of the sign-in with another service, against a real one (oidc-provider) with its own login pages, on loopback.
import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { allRows, startTestServer, type TestOptions, type TestServer } from '../testing.ts';
import { type OidcService, startOidcService } from './oidc-provider.testing.ts';
import { addMember, openBrowser, origin, password, type TestBrowser } from './testing.ts';

let service: OidcService;
let accounts: OidcService['accounts'];
let issuer = '';
const servers: TestServer[] = [];

beforeAll(async () => {
  service = await startOidcService(origin);
  ({ accounts, issuer } = service);
});
afterAll(async () => {
  for (const server of servers) await server.close();
  service.close();
});

async function start(options: TestOptions = {}): Promise<TestServer> {
  const server = await startTestServer({
    PUBLIC_URL: origin,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: service.clientId,
    OIDC_CLIENT_SECRET: service.clientSecret,
    OIDC_NAME: 'Test',
    ...options,
  });
  servers.push(server);
  return server;
}

/** Follows the pages of the service as a browser does, and returns the query with which it sends the browser back. */
async function logIn(url: string, account: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [method, body] = ['GET', undefined as URLSearchParams | undefined];
  for (let n = 0; n < 20; n += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie },
      ...(body ? { body } : {}),
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location) {
      url = new URL(location, url).href;
      [method, body] = ['GET', undefined];
      if (url.startsWith(`${origin}/inbox/`)) return new URL(url).search.slice(1);
      continue;
    }
    // The page to log in, and the one to agree.
    const html = await response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(html)?.[1] ?? '';
    if (!action) throw new Error(`The service answered ${response.status}: ${html}`);
    url = new URL(action, url).href;
    [method, body] = ['POST', new URLSearchParams({ prompt, login: account, password: 'any' })];
  }
  throw new Error('The service leads nowhere.');
}

const begin = async (browser: TestBrowser, input = {}) => {
  const { body } = await browser.send('POST', '/v1/session/oidc', input);
  return body.url as string;
};
const finish = (browser: TestBrowser, query: string) =>
  browser.send('POST', '/v1/session/oidc/callback', { query });
async function signIn(server: TestServer, account: string, browser = openBrowser(server)) {
  return finish(browser, await logIn(await begin(browser), account));
}

test('another service: a member with the verified address signs in, and is then known by the account', async () => {
  const server = await start();
  const member = await addMember(server, { hasPassword: false, email: 'ann@example.com' });
  accounts.ann = { email: 'Ann@Example.com', isVerified: true };
  const browser = openBrowser(server);
  const { status, body } = await signIn(server, 'ann', browser);
  expect([status, body.member?.id, body.session?.method]).toEqual([200, member.id, 'oidc']);
  expect([...browser.cookies.keys()]).toEqual(['inbox']);
  expect((await browser.send('GET', '/v1/session')).status).toBe(200);
  expect((await browser.send('GET', '/v1/session/options')).body).toEqual({
    password: true,
    link: false,
    oidc: 'Test',
  });
  // The account stays bound when its address changes, and nobody else gets the member with it.
  accounts.ann = { email: 'elsewhere@example.com', isVerified: true };
  expect((await signIn(server, 'ann')).body.member?.id).toBe(member.id);
  accounts.mallory = { email: 'ann@example.com', isVerified: true };
  expect((await signIn(server, 'mallory')).status).toBe(403);
  const { credentials } = await allRows(server.db);
  expect(credentials).toEqual([
    expect.objectContaining({ member_id: member.id, kind: 'oidc', issuer, subject: 'ann' }),
  ]);
});

test('another service: an address that it has not verified signs nobody in', async () => {
  const server = await start({ OIDC_JOIN: [{ domain: 'example.com', role: 'viewer' }] });
  await addMember(server, { email: 'bob@example.com' });
  accounts.bob = { email: 'bob@example.com', isVerified: false };
  const { status, body, headers } = await signIn(server, 'bob');
  expect([status, body.message]).toEqual([401, 'Test has not verified your e-mail address.']);
  expect(headers.getSetCookie()).toEqual([]);
  expect((await allRows(server.db)).sessions).toEqual([]);
});

test('another service: somebody without an invitation is refused, and with OIDC_JOIN becomes a member of the first workspace', async () => {
  accounts.cleo = { email: 'cleo@example.com', isVerified: true };
  accounts.dora = { email: 'dora@sub.example.com', isVerified: true };
  const closed = await start();
  expect((await signIn(closed, 'cleo')).status).toBe(403);
  const server = await start({ OIDC_JOIN: [{ domain: 'example.com', role: 'developer' }] });
  const { status, body } = await signIn(server, 'cleo');
  expect([status, body.principal, body.member?.email, body.member?.displayName]).toEqual([
    200,
    'developer',
    'cleo@example.com',
    'Name of cleo',
  ]);
  expect((await signIn(server, 'cleo')).body.member?.id).toBe(body.member?.id);
  expect((await signIn(server, 'dora')).status).toBe(403);
});

test('another service: failed sign-ins do not keep others with the same address out, up to twenty', async () => {
  const server = await start();
  await addMember(server, { email: 'ann@example.com' });
  accounts.ann = { email: 'ann@example.com', isVerified: true };
  const fail = async (n: number) => (await finish(openBrowser(server), `code=x&state=${n}`)).status;
  for (let n = 1; n <= 10; n += 1) expect(await fail(n)).toBe(401);
  expect((await signIn(server, 'ann')).status).toBe(200);
  for (let n = 11; n <= 20; n += 1) expect(await fail(n)).toBe(401);
  expect(await fail(21)).toBe(429);
  // The same answer again and again: five times.
  const other = await start();
  for (let n = 1; n <= 5; n += 1)
    expect((await finish(openBrowser(other), 'code=x&state=y')).status).toBe(401);
  expect((await finish(openBrowser(other), 'code=x&state=y')).status).toBe(429);
});

test('another service: an ID token that another key has signed is refused', async () => {
  const server = await start();
  await addMember(server, { email: 'ann@example.com' });
  accounts.ann = { email: 'ann@example.com', isVerified: true };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const send = globalThis.fetch;
  let signed = 0;
  const forging = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) => {
    const response = await send(...given);
    if (!new URL(response.url).pathname.endsWith('/token')) return response;
    const body = (await response.json()) as { id_token: string };
    const text = body.id_token.slice(0, body.id_token.lastIndexOf('.'));
    signed += 1;
    const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64url');
    return Response.json({ ...body, id_token: `${text}.${signature}` });
  });
  const refused = await signIn(server, 'ann');
  forging.mockRestore();
  expect([signed, refused.status]).toEqual([1, 401]);
  expect((await allRows(server.db)).sessions).toEqual([]);
  expect((await signIn(server, 'ann')).status).toBe(200);
});

test.each([
  'eve@evil.example@example.com',
  'eve\r\nbcc:all@example.com',
  'eve@example.com, bob@example.com ',
  'eve@ex\u0000ample.com',
  '@example.com',
  `${'e'.repeat(255)}@example.com`,
])('another service: the address %j is refused, and adds nobody', async (email) => {
  const server = await start({ OIDC_JOIN: [{ domain: 'example.com', role: 'developer' }] });
  accounts.eve = { email, isVerified: true };
  const before = (await allRows(server.db)).members;
  const { status } = await signIn(server, 'eve');
  expect([status, (await allRows(server.db)).members]).toEqual([401, before]);
});

test('another service: a replayed, a mixed-up and a changed answer are refused', async () => {
  const server = await start();
  await addMember(server, { email: 'eve@example.com' });
  accounts.eve = { email: 'eve@example.com', isVerified: true };
  const browser = openBrowser(server);
  const query = await logIn(await begin(browser), 'eve');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  // In another browser, without its cookie.
  expect((await finish(openBrowser(server), query)).status).toBe(401);
  // In a browser with a sign-in of its own.
  const other = openBrowser(server);
  await begin(other);
  expect((await finish(other, query)).status).toBe(401);
  // With another issuer, state or code.
  for (const [name, value] of [
    ['iss', 'https://evil.example'],
    ['state', 'other'],
    ['code', 'other'],
  ] as const) {
    const changed = new URLSearchParams(query);
    changed.set(name, value);
    expect([name, (await finish(browser, changed.toString())).status]).toEqual([name, 401]);
  }
  const fresh = await start();
  await addMember(fresh, { email: 'eve@example.com' });
  const again = openBrowser(fresh);
  const next = await logIn(await begin(again), 'eve');
  const cookieHeader = [...again.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  expect((await finish(again, next)).status).toBe(200);
  const replayed = await openBrowser(fresh).send(
    'POST',
    '/v1/session/oidc/callback',
    { query: next },
    { cookie: cookieHeader },
  );
  expect(replayed.status).toBe(401);
  // A cookie that this server has not signed.
  const forged = await openBrowser(fresh).send(
    'POST',
    '/v1/session/oidc/callback',
    { query: next },
    {
      cookie: `${cookie.split('.')[0]}.AAAA`,
    },
  );
  expect(forged.status).toBe(401);
});

test('another service: an ID token with another nonce is refused', async () => {
  const server = await start();
  await addMember(server, { email: 'finn@example.com' });
  accounts.finn = { email: 'finn@example.com', isVerified: true };
  const browser = openBrowser(server);
  const url = new URL(await begin(browser));
  url.searchParams.set('nonce', 'another one');
  expect((await finish(browser, await logIn(url.href, 'finn'))).status).toBe(401);
});

test('another service: a verifier that the code was not made for is refused (PKCE)', async () => {
  const server = await start();
  await addMember(server, { email: 'gina@example.com' });
  accounts.gina = { email: 'gina@example.com', isVerified: true };
  const browser = openBrowser(server);
  const url = new URL(await begin(browser));
  url.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  expect((await finish(browser, await logIn(url.href, 'gina'))).status).toBe(401);
});

test('another service: one that says it is another one, or is not there, is not used; the log says so', async () => {
  const wrong = await start({ OIDC_ISSUER: `${issuer.replace('127.0.0.1', 'localhost')}` });
  const { status, body } = await openBrowser(wrong).send('POST', '/v1/session/oidc');
  expect([status, body.type]).toEqual([503, 'ServiceUnavailable']);
  expect(JSON.stringify(wrong.log)).toContain('the service of OIDC_ISSUER cannot be used');
  expect(JSON.stringify(wrong.log)).not.toContain(service.clientSecret);
  const gone = await start({ OIDC_ISSUER: 'http://127.0.0.1:1' });
  expect((await openBrowser(gone).send('POST', '/v1/session/oidc')).status).toBe(503);
});

test('another service: with OIDC_ONLY nobody signs in with a password or a link, and tokens keep working', async () => {
  const server = await start({ OIDC_ONLY: 'on' });
  const member = await addMember(server);
  const browser = openBrowser(server);
  expect((await browser.signIn(member)).status).toBe(403);
  expect((await browser.send('POST', '/v1/session/link', { email: member.email })).status).toBe(403);
  expect((await browser.send('POST', '/v1/session/link/use', { token: 'x', password })).status).toBe(403);
  expect((await browser.send('GET', '/v1/session/options')).body).toEqual({
    password: false,
    link: false,
    oidc: 'Test',
  });
  const headers = {
    authorization: `Bearer ${server.admin.token}`,
    'x-workspace-id': server.admin.workspaceId,
  };
  expect((await server.fetch('/v1/admin/bots', { headers })).status).toBe(200);
});

test('another service: without one, the operations say so', async () => {
  const server = await startTestServer();
  servers.push(server);
  for (const [path, body] of [
    ['/v1/session/oidc', {}],
    ['/v1/session/oidc/callback', { query: 'code=x&state=y' }],
  ] as const) {
    expect((await openBrowser(server).send('POST', path, body)).status).toBe(403);
  }
});
