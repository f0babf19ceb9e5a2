// Tests of the link of the first start, with which the owner chooses name, e-mail address and password.
import { afterEach, expect, test } from 'vitest';
import { issueSetupLink } from '../admin/index.ts';
import { listAuditEntries } from '../storage/admin/audit.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { addMember, linkOf, openBrowser, password } from './testing.ts';

const hours = 60 * 60_000;
const start = Date.parse('2030-01-01T00:00:00Z');
let time = start;
let server: TestServer;
afterEach(() => server.close());

async function startServer(settings = {}): Promise<void> {
  time = start;
  server = await startTestServer({ now: () => time, ...settings });
}

const issue = () =>
  server.db.write((tx) =>
    issueSetupLink(tx, server.admin.workspaceId, { address: 'http://127.0.0.1:3000', now: time }),
  );
const tokenOf = (url: string | undefined): string => {
  const [, token = ''] = /^http:\/\/127\.0\.0\.1:3000\/console\/#setup=([\w-]{43})$/.exec(url ?? '') ?? [];
  return token;
};
const owner = { email: 'ada@example.com', displayName: 'Ada', password };
const use = (token: string, input: object = owner, origin = 'http://localhost') =>
  openBrowser(server).send('POST', '/v1/session/link/use', { token, ...input }, { origin });

test('setup link: the owner gets name, address and password, is signed in, and signs in again without the link', async () => {
  await startServer();
  const earlier = tokenOf(await issue());
  const token = tokenOf(await issue());
  const { status, body } = await use(token);
  expect([status, body.member?.email, body.member?.role, body.member?.displayName]).toEqual([
    200,
    owner.email,
    'owner',
    'Ada',
  ]);
  const { email } = owner;
  const again = await openBrowser(server).send('POST', '/v1/session/password', { email, password });
  expect(again.body.member?.id).toBe(body.member?.id);
  // Neither the link, nor the one of an earlier start, works again, and no further one is made.
  for (const used of [token, earlier]) expect((await use(used)).status).toBe(401);
  expect(await issue()).toBeUndefined();
  const entries = await server.db.read((tx) =>
    listAuditEntries(tx, server.admin.workspaceId, { from: time }, undefined, 10),
  );
  expect(entries.map(({ operation, actorEmail }) => [operation, actorEmail])).toEqual([
    ['signInWithPassword', email],
    ['useSignInLink', email],
    ['createSetupLink', null],
    ['createSetupLink', null],
    ['setAdminToken', null],
  ]);
});

test('setup link: a refused form does not use it up, and two forms at once set one owner up', async () => {
  await startServer();
  const member = await addMember(server);
  const token = tokenOf(await issue());
  const refusals = await Promise.all([
    use(token, { password }),
    use(token, { email: owner.email }),
    use(token, { ...owner, password: 'short' }),
    use(token, { ...owner, email: 'no address' }),
    use(token, { ...owner, displayName: '' }),
    use(token, { ...owner, email: member.email }),
  ]);
  expect(
    refusals.map(({ status, body }) => [
      status,
      (body.metadata as { issues?: { path: string }[] } | undefined)?.issues?.[0]?.path,
    ]),
  ).toEqual([
    [400, 'email'],
    [400, 'password'],
    [400, 'password'],
    [400, 'email'],
    [400, 'displayName'],
    [409, undefined],
  ]);
  const both = await Promise.all([use(token), use(token, { ...owner, email: 'eve@example.com' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('setup link: it works for a day', async () => {
  await startServer();
  const token = tokenOf(await issue());
  time += 24 * hours;
  expect((await use(token)).status).toBe(401);
  expect((await use(tokenOf(await issue()))).status).toBe(200);
});

test('setup link: other links set neither an address nor a name', async () => {
  await startServer();
  const member = await addMember(server, { hasPassword: false });
  const token = await linkOf(server, member, 'sign-in', time);
  expect((await use(token, { email: 'eve@example.com' })).status).toBe(400);
  expect((await use(token, { displayName: 'Eve' })).status).toBe(400);
  expect((await use(token, {})).body.member?.email).toBe(member.email);
});

test('setup link: with another service only, the owner gives the address that it knows, and no password', async () => {
  await startServer({
    PUBLIC_URL: 'https://chat.example.com',
    OIDC_ISSUER: 'https://accounts.example.com',
    OIDC_CLIENT_ID: 'webchat',
    OIDC_CLIENT_SECRET: 'a secret of the other service',
    OIDC_ONLY: 'on',
  });
  const token = tokenOf(await issue());
  const publicUrl = 'https://chat.example.com';
  expect((await use(token, owner, publicUrl)).status).toBe(403);
  const { email, displayName } = owner;
  const { status, body } = await use(token, { email, displayName }, publicUrl);
  expect([status, body.member?.email]).toEqual([200, email]);
});
