// Tests of the usage of a workspace and of the state of the server: figures, pages, test mails, and who may see them.
import { afterEach, expect, test } from 'vitest';
import { openMailCatcher } from '../../notifications/testing.ts';
import { storeLastBackup } from '../../startup/last-backup.ts';
import { type AdminFixture, createAdminFixture } from '../testing.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function fixtureOf(options = {}): Promise<AdminFixture> {
  const fixture = await createAdminFixture(options);
  closing.push(() => fixture.server.close());
  return fixture;
}

test('the usage has what visitors have stored and sent in this hour, and the limits that are set', async () => {
  const { server, by } = await fixtureOf({ QUOTA_BOT_MESSAGES: 500 });
  const { key } = await server.user();
  const conversation = await server.conversation(key);
  await server.sendMessage(key, conversation, 'Hello');
  await server.sendMessage(key, conversation, 'World');
  const { status, body } = await by.viewer('GET', '/usage');
  expect([status, body.limits, body.meta]).toEqual([200, { messages: 500 }, {}]);
  expect(body.bots).toMatchObject([{ conversations: 1, messages: 2, files: 0, hourMessages: 2 }]);
  expect(body.bots[0].bytes).toBeGreaterThan(10);
  expect(body.bots[0].hourBytes).toBe(body.bots[0].bytes);
});

test('pages of the usage contain each bot of the workspace once', async () => {
  const { owner } = await fixtureOf();
  for (const name of ['One', 'Two', 'Three']) await owner('POST', '/bots', { name });
  const names: string[] = [];
  let query = '?pageSize=1';
  for (let isRead = false; !isRead; ) {
    const { bots, meta } = (await owner('GET', `/usage${query}`)).body;
    names.push(...bots.map(({ name }: { name: string }) => name));
    query = `?pageSize=1&nextToken=${meta.nextToken}`;
    isRead = meta.nextToken === undefined;
  }
  expect(names).toHaveLength(4);
  expect(names).toEqual(expect.arrayContaining(['One', 'Two', 'Three']));
  expect((await owner('GET', '/usage?nextToken=x')).body.type).toBe('InvalidQuery');
});

test('only operators see the state of the server, which has no secrets', async () => {
  const { owner, by, server } = await fixtureOf({
    SMTP_URL: 'smtps://user:secret-word@127.0.0.1:9',
    MAIL_FROM: 'chat@example.com',
    PUBLIC_URL: 'https://chat.example.com',
  });
  await storeLastBackup(server.home, { createdAt: '2026-01-02T03:04:05.000Z', bytes: 12 });
  const { status, body } = await owner('GET', '/server');
  expect(status).toBe(200);
  expect(body.server).toMatchObject({
    version: expect.stringMatching(/^\d/),
    database: { bytes: expect.any(Number) },
    files: 'folder',
    disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
    mail: { from: 'chat@example.com', address: 'https://chat.example.com' },
    backup: { createdAt: '2026-01-02T03:04:05.000Z', bytes: 12 },
  });
  expect(body.server.database.bytes).toBeGreaterThan(1_000);
  expect(JSON.stringify(body)).not.toContain('secret-word');
  for (const role of ['administrator', 'manager', 'viewer'] as const) {
    expect((await by[role]('GET', '/server')).status).toBe(403);
    expect((await by[role]('POST', '/server/test-mail')).status).toBe(403);
  }
});

test('a test mail arrives at the caller; the answer of a mail server that refuses it is in the response', async () => {
  const catcher = await openMailCatcher();
  closing.push(catcher.close);
  const mail = {
    SMTP_URL: catcher.url,
    MAIL_FROM: 'chat@example.com',
    PUBLIC_URL: 'https://chat.example.com',
  };
  const { by } = await fixtureOf(mail);
  // An owner of the first workspace is an operator.
  expect(await by.owner('POST', '/server/test-mail')).toEqual({
    status: 200,
    body: { to: 'owner@example.com' },
  });
  expect((await catcher.mailTo('owner@example.com')).text).toContain('https://chat.example.com');
  catcher.refuse(550);
  const { status, body } = await by.owner('POST', '/server/test-mail');
  expect([status, body]).toEqual([
    200,
    {
      to: 'owner@example.com',
      problem: expect.stringMatching(/^The mail server refuses the sender .* It answered: 550 Refused$/),
    },
  ]);
});

test('without a mail server, no test mail is sent', async () => {
  const { owner } = await fixtureOf();
  const { status, body } = await owner('POST', '/server/test-mail');
  const problem = 'This server sends no mail (SMTP_URL).';
  expect([status, body]).toEqual([200, { to: 'owner@localhost', problem }]);
  expect((await owner('GET', '/server')).body.server).not.toHaveProperty('mail');
});
