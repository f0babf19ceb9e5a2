// Tests of one-time links with a real SMTP server: who gets one, what it does, that it works once, and what its failure tells.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailCatcher, openMailCatcher } from '../notifications/testing.ts';
import { listAuditEntries } from '../storage/admin/audit.ts';
import { allRows, pollOptions, startTestServer, type TestServer } from '../testing.ts';
import { addMember, linkOf, openBrowser, password } from './testing.ts';

const minute = 60_000;
const publicUrl = 'https://chat.example.com';

let catcher: MailCatcher;
let server: TestServer;
let time = Date.parse('2030-01-01T00:00:00Z');
beforeAll(async () => {
  catcher = await openMailCatcher();
  const mail = { SMTP_URL: catcher.url, MAIL_FROM: 'Webchat <webchat@example.com>' };
  server = await startTestServer({ now: () => time, PUBLIC_URL: publicUrl, ...mail });
});
afterAll(async () => {
  await server.close();
  await catcher.close();
});

/** The browser reaches the server at its public address. */
const secure = { origin: publicUrl };
const send = (browser: ReturnType<typeof openBrowser>, path: string, body: object, method = 'POST') =>
  browser.send(method, path, body, secure);
const admin = (method: string, path: string, body: object = {}) =>
  server.fetch(`/v1/admin/workspace-members${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.admin.token}`,
      'x-workspace-id': server.admin.workspaceId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

test('links: a member asks for one by mail, and signs in with it once', async () => {
  const member = await addMember(server, { hasPassword: false });
  const browser = openBrowser(server);
  const asked = await send(browser, '/v1/session/link', { email: member.email });
  expect([asked.status, asked.body]).toEqual([200, {}]);
  const mail = await catcher.mailTo(member.email);
  expect([mail.subject, mail.from?.text, mail.headers.get('auto-submitted')]).toEqual([
    'Sign in to Workspace',
    '"Webchat" <webchat@example.com>',
    'auto-generated',
  ]);
  const [, url = '', token = ''] =
    /^(https:\/\/chat\.example\.com\/console\/#sign-in=([\w-]{43}))$/m.exec(mail.text ?? '') ?? [];
  expect(mail.html).toContain(`href="${url}"`);
  expect(mail.messageId).not.toContain(token);
  expect(JSON.stringify(await allRows(server.db))).not.toContain(token);
  // The scanner of a mail server opens the address, without the fragment: nothing happens.
  for (const method of ['GET', 'HEAD']) {
    expect((await server.fetch(`/v1/session/link/use?token=${token}`, { method })).status).toBe(405);
  }
  const used = await send(browser, '/v1/session/link/use', { token });
  expect([used.status, used.body.member?.id, used.body.session?.method]).toEqual([200, member.id, 'link']);
  const again = await send(openBrowser(server), '/v1/session/link/use', { token });
  expect([again.status, again.body.message, again.headers.getSetCookie()]).toEqual([
    401,
    'This link was used before, or is too old. Ask for another one.',
    [],
  ]);
  const entries = await server.db.read((tx) =>
    listAuditEntries(tx, server.admin.workspaceId, { from: time }, undefined, 2),
  );
  expect(
    entries.map(({ operation, actorKind, target }) => [operation, actorKind, JSON.parse(target)]),
  ).toEqual([
    ['useSignInLink', 'developer', { memberId: member.id, purpose: 'sign-in' }],
    ['requestSignInLink', 'public', { memberId: member.id, purpose: 'sign-in' }],
  ]);
});

test('links: the answer does not tell whether the address belongs to a member; only a member gets a mail', async () => {
  const member = await addMember(server);
  const before = catcher.mails.length;
  const response = await send(openBrowser(server), '/v1/session/link', { email: member.email });
  const unknown = await send(openBrowser(server), '/v1/session/link', { email: 'unknown@example.com' });
  expect([unknown.status, unknown.body, [...unknown.headers.keys()]]).toEqual([
    response.status,
    response.body,
    [...response.headers.keys()],
  ]);
  await catcher.mailTo(member.email);
  expect(catcher.mails.length).toBe(before + 1);
});

test('links: the address in a mail is the setting, whatever the request says', async () => {
  const member = await addMember(server);
  const headers = { ...secure, 'x-forwarded-host': 'evil.example', host: 'evil.example' };
  await openBrowser(server).send('POST', '/v1/session/link', { email: member.email }, headers);
  expect((await catcher.mailTo(member.email)).text).not.toContain('evil');
});

test('links: of two uses at once one signs in', async () => {
  const member = await addMember(server);
  const token = await linkOf(server, member, 'sign-in', time);
  const uses = await Promise.all(
    Array.from({ length: 5 }, () => send(openBrowser(server), '/v1/session/link/use', { token })),
  );
  expect(uses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
});

test('links: to sign in and to reset they end after 15 minutes, an invitation after 7 days', async () => {
  const member = await addMember(server);
  for (const [purpose, minutes] of [
    ['sign-in', 15],
    ['reset', 15],
    ['invitation', 7 * 24 * 60],
  ] as const) {
    const [first, second] = [
      await linkOf(server, member, purpose, time),
      await linkOf(server, member, purpose, time),
    ];
    const body = purpose === 'sign-in' ? {} : { password: 'entirely new words here' };
    time += minutes * minute - 1;
    expect((await send(openBrowser(server), '/v1/session/link/use', { token: first, ...body })).status).toBe(
      200,
    );
    const again =
      purpose === 'sign-in' ? second : await linkOf(server, member, purpose, time - minutes * minute + 1);
    time += 1;
    expect((await send(openBrowser(server), '/v1/session/link/use', { token: again, ...body })).status).toBe(
      401,
    );
  }
});

test('links: a reset sets the password, ends all sessions and other links; a refused password leaves it unused', async () => {
  const member = await addMember(server);
  const other = openBrowser(server);
  await send(other, '/v1/session/password', { email: member.email, password });
  const earlier = await linkOf(server, member, 'sign-in', time);
  await send(openBrowser(server), '/v1/session/link', { email: member.email, purpose: 'reset' });
  const { text, subject } = await catcher.mailTo(member.email);
  expect(subject).toBe('Set a new password for Workspace');
  const token = /#reset=([\w-]{43})$/m.exec(text ?? '')?.[1] ?? '';
  const browser = openBrowser(server);
  const use = (fields: object) => send(browser, '/v1/session/link/use', { token, ...fields });
  expect((await use({})).body.message).toBe('password: Choose the new password.');
  expect((await use({ password: 'short' })).status).toBe(400);
  expect((await use({ password: 'administrator' })).status).toBe(400);
  expect((await browser.send('GET', '/v1/session', undefined, secure)).status).toBe(401);
  expect((await use({ password: 'entirely new words here' })).status).toBe(200);
  expect((await other.send('GET', '/v1/session', undefined, secure)).status).toBe(401);
  expect((await send(openBrowser(server), '/v1/session/link/use', { token: earlier })).status).toBe(401);
  const signed = await send(openBrowser(server), '/v1/session/password', {
    email: member.email,
    password: 'entirely new words here',
  });
  expect(signed.status).toBe(200);
});

test('links: one to sign in sets no password', async () => {
  const member = await addMember(server);
  const token = await linkOf(server, member, 'sign-in', time);
  const fields = { token, password: 'entirely new words here' };
  expect((await send(openBrowser(server), '/v1/session/link/use', fields)).status).toBe(400);
  expect((await send(openBrowser(server), '/v1/session/link/use', { token })).status).toBe(200);
});

test('links: 3 mails to an address in an hour, whoever it belongs to', async () => {
  const member = await addMember(server);
  for (const email of [member.email, 'someone@example.com']) {
    for (let n = 0; n < 3; n += 1)
      expect((await send(openBrowser(server), '/v1/session/link', { email })).status).toBe(200);
    const refused = await send(openBrowser(server), '/v1/session/link', { email });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
  }
  time += 60 * minute;
  expect((await send(openBrowser(server), '/v1/session/link', { email: member.email })).status).toBe(200);
});

test('links: an invitation is sent to the member, or returned once to callers who may create tokens of others', async () => {
  const created = (await (
    await admin('POST', '', { email: 'invited@example.com', role: 'viewer' })
  ).json()) as { id: string };
  const sent = await admin('POST', `/${created.id}/links`, { purpose: 'invitation', delivery: 'mail' });
  expect(Object.keys((await sent.json()) as object)).toEqual(['expiresAt']);
  const { subject, text } = await catcher.mailTo('invited@example.com');
  expect([subject, /#invitation=[\w-]{43}$/m.test(text ?? '')]).toEqual([
    'You are invited to Workspace',
    true,
  ]);
  const { url } = (await (await admin('POST', `/${created.id}/links`, { purpose: 'invitation' })).json()) as {
    url: string;
  };
  expect(url).toMatch(/^https:\/\/chat\.example\.com\/console\/#invitation=[\w-]{43}$/);
  const browser = openBrowser(server);
  const token = url.split('=')[1];
  const chosen = { token, password: 'entirely new words here' };
  expect((await send(browser, '/v1/session/link/use', chosen)).body.hasPassword).toBe(true);
  // A manager invites, and cannot take the place of another member.
  const manager = await addMember(server, { role: 'manager' });
  await send(browser, '/v1/session/password', { email: manager.email, password });
  const path = `/v1/admin/workspace-members/${created.id}/links`;
  expect((await send(browser, path, { purpose: 'reset' })).status).toBe(403);
  expect((await send(browser, path, { purpose: 'reset', delivery: 'mail' })).status).toBe(200);
  const owner = await addMember(server, { role: 'owner' });
  const above = `/v1/admin/workspace-members/${owner.id}/links`;
  expect((await send(browser, above, { purpose: 'reset', delivery: 'mail' })).status).toBe(403);
});

test('links: another e-mail address of the member, and the removal of the member, end them', async () => {
  const member = await addMember(server);
  const token = await linkOf(server, member, 'sign-in', time);
  await admin('PUT', `/${member.id}`, { email: 'other@example.com' });
  expect((await send(openBrowser(server), '/v1/session/link/use', { token })).status).toBe(401);
  const later = await linkOf(server, member, 'sign-in', time);
  await admin('DELETE', `/${member.id}`);
  expect((await send(openBrowser(server), '/v1/session/link/use', { token: later })).status).toBe(401);
});

test('links: a member of several workspaces signs in to the first one, or to the one that is named', async () => {
  const second = { id: 'ws_2', name: 'Second', createdAt: time, updatedAt: time };
  await server.db.write((tx) =>
    tx.run(
      'INSERT INTO workspaces (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)',
      ...Object.values(second),
    ),
  );
  const first = await addMember(server, { email: 'both@example.com' });
  const other = await addMember(server, { email: 'both@example.com', workspaceId: 'ws_2' });
  const signIn = async (workspaceId?: string) =>
    (
      await send(openBrowser(server), '/v1/session/password', {
        email: 'both@example.com',
        password,
        ...(workspaceId ? { workspaceId } : {}),
      })
    ).body.member?.id;
  expect([await signIn(), await signIn('ws_2'), await signIn('ws_3')]).toEqual([
    first.id,
    other.id,
    undefined,
  ]);
});

test('links: names of a workspace cannot begin another header, another recipient or markup', async () => {
  const hostile = 'A\r\nBcc: victim@example.com\r\n\r\n<img src=x onerror=alert(1)>';
  await server.db.write((tx) => tx.run('UPDATE workspaces SET name = ? WHERE is_first = 1', hostile));
  const member = await addMember(server, { hasPassword: false });
  await send(openBrowser(server), '/v1/session/link', { email: member.email });
  const mail = await catcher.mailTo(member.email);
  expect(mail.subject).toBe('Sign in to A Bcc: victim@example.com <img src=x onerror=alert(1)>');
  expect(mail.headers.has('bcc')).toBe(false);
  expect(mail.recipients).toEqual([member.email]);
  expect(mail.html).not.toContain('<img');
});

test('links: without SMTP the operation says who can create one', async () => {
  const plain = await startTestServer({ now: () => time });
  const { status, body } = await openBrowser(plain).send('POST', '/v1/session/link', {
    email: 'a@example.com',
  });
  expect([status, body.message]).toEqual([403, expect.stringContaining('platform-webchat members link')]);
  const { body: options } = await openBrowser(plain).send('GET', '/v1/session/options');
  expect(options).toEqual({ password: true, link: false });
  await plain.close();
});

test('links: the log has neither addresses nor tokens', async () => {
  const member = await addMember(server);
  catcher.refuse(550);
  await send(openBrowser(server), '/v1/session/link', { email: member.email });
  await expect.poll(() => JSON.stringify(server.log), pollOptions).toContain('a mail was not sent');
  catcher.accept();
  expect(JSON.stringify(server.log)).not.toMatch(/@|sign-in=/);
});
