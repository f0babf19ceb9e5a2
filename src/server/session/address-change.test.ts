// Tests of a change of a member's e-mail address: who may make it, what it ends, and who is told. The owner of the address signs in as
// the member.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailCatcher, openMailCatcher } from '../notifications/testing.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { addMember, linkOf, openBrowser, password, type TestBrowser, type TestMember } from './testing.ts';

const publicUrl = 'https://chat.example.com';
const secure = { origin: publicUrl };

let catcher: MailCatcher;
let server: TestServer;
beforeAll(async () => {
  catcher = await openMailCatcher();
  server = await startTestServer({
    PUBLIC_URL: publicUrl,
    SMTP_URL: catcher.url,
    MAIL_FROM: 'webchat@example.com',
  });
});
afterAll(async () => {
  await server.close();
  await catcher.close();
});

const signIn = (browser: TestBrowser, email: string, tried = password) =>
  browser.send('POST', '/v1/session/password', { email, password: tried }, secure);
const change = (browser: TestBrowser, id: string, fields: object) =>
  browser.send('PUT', `/v1/admin/workspace-members/${id}`, fields, secure);

async function signedIn(role: TestMember['role']) {
  const member = await addMember(server, { role });
  const browser = openBrowser(server);
  expect((await signIn(browser, member.email)).status).toBe(200);
  return { member, browser };
}

test.each(['developer', 'manager', 'viewer'] as const)(
  'a manager cannot change the e-mail address of a %s, and so cannot sign in as the member',
  async (role) => {
    const { browser } = await signedIn('manager');
    const other = await addMember(server, { role });
    const mine = `mine-${other.id.toLowerCase()}@example.com`;
    expect((await change(browser, other.id, { email: mine })).status).toBe(403);
    expect((await change(browser, other.id, { email: mine, role, displayName: 'X' })).status).toBe(403);
    await openBrowser(server).send('POST', '/v1/session/link', { email: mine }, secure);
    expect((await signIn(openBrowser(server), other.email)).status).toBe(200);
    // The name, the role and the same address in another spelling are no change of the address.
    const same = { displayName: 'Ann', email: other.email.toUpperCase() };
    expect((await change(browser, other.id, same)).status).toBe(200);
    expect((await signIn(openBrowser(server), other.email)).status).toBe(200);
    expect(catcher.mails.flatMap(({ recipients }) => recipients)).not.toContain(mine);
  },
);

test('a manager cannot change their own address: whoever stole their session could sign in for ever', async () => {
  const { member, browser } = await signedIn('manager');
  expect((await change(browser, 'me', { email: 'elsewhere@example.com' })).status).toBe(403);
  expect((await change(browser, member.id, { email: 'elsewhere@example.com' })).status).toBe(403);
});

test('another address ends the sessions, the links and the password of the member, and the earlier address is told', async () => {
  const { browser } = await signedIn('administrator');
  const { member, browser: theirs } = await signedIn('developer');
  const token = await linkOf(server, member, 'sign-in');
  const email = `new-${member.email}`;
  expect((await change(browser, member.id, { email })).status).toBe(200);
  expect((await theirs.send('GET', '/v1/session', undefined, secure)).status).toBe(401);
  expect((await signIn(openBrowser(server), member.email)).status).toBe(401);
  expect((await signIn(openBrowser(server), email)).status).toBe(401);
  const used = await openBrowser(server).send('POST', '/v1/session/link/use', { token }, secure);
  expect(used.status).toBe(401);
  const notice = await catcher.mailTo(member.email);
  expect([notice.subject, notice.text?.includes(email)]).toEqual([
    'Your e-mail address in Workspace was changed',
    false,
  ]);
  // With a link to the new address the member signs in, and chooses a password again.
  await openBrowser(server).send('POST', '/v1/session/link', { email, purpose: 'reset' }, secure);
  const mail = await catcher.mailTo(email);
  const [, reset = ''] = /#reset=([\w-]{43})/.exec(mail.text ?? '') ?? [];
  const chosen = { token: reset, password: 'four other words together' };
  expect((await openBrowser(server).send('POST', '/v1/session/link/use', chosen, secure)).status).toBe(200);
  expect((await signIn(openBrowser(server), email, chosen.password)).status).toBe(200);
});

test('a session that begins with the old password while the address is changed does not outlive the change', async () => {
  const { browser } = await signedIn('administrator');
  const member = await addMember(server);
  const late = openBrowser(server);
  await Promise.all([
    signIn(late, member.email),
    change(browser, member.id, { email: `late-${member.email}` }),
  ]);
  expect((await late.send('GET', '/v1/session', undefined, secure)).status).toBe(401);
});

test('an administrator who changes their own address stays signed in here, and nowhere else', async () => {
  const { member, browser } = await signedIn('administrator');
  const other = openBrowser(server);
  await signIn(other, member.email);
  expect((await change(browser, 'me', { email: `own-${member.email}` })).status).toBe(200);
  const statuses = [browser, other].map(
    async (one) => (await one.send('GET', '/v1/session', undefined, secure)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 401]);
});
