// Tests that requests for a known e-mail address wait for nothing that requests for an unknown one do not wait for.
import { afterEach, expect, test, vi } from 'vitest';
import { type MailCatcher, openMailCatcher } from '../notifications/testing.ts';
import { createLogger } from '../startup/log.ts';
import { listAuditEntries } from '../storage/admin/audit.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { allRows, pollOptions, startTestServer, type TestServer } from '../testing.ts';
import { createBackground } from './background.ts';
import { addMember, openBrowser, password, type TestMember } from './testing.ts';

const publicUrl = 'https://chat.example.com';
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function start(catcher?: MailCatcher): Promise<TestServer> {
  const mail = catcher && { SMTP_URL: catcher.url, MAIL_FROM: 'webchat@example.com' };
  const server = await startTestServer(mail ? { PUBLIC_URL: publicUrl, ...mail } : {});
  opened.push(server);
  return server;
}

async function openMails(): Promise<MailCatcher> {
  const catcher = await openMailCatcher();
  opened.push(catcher);
  return catcher;
}

/** Holds the transactions that insert into a table, until `release`, or `fail`, which lets them fail. */
function holdInserts(db: Database, table: string) {
  let [release, fail] = [() => {}, (_: Error) => {}];
  const released = new Promise<void>((resolve, reject) => {
    [release, fail] = [resolve, reject];
  });
  released.catch(() => {});
  // A server that stops waits for them, also after the test has failed.
  opened.push({ close: async () => release() });
  let isHeld = false;
  const { write } = db;
  vi.spyOn(db, 'write').mockImplementation((work) =>
    write((tx) => {
      const run: WriteTx['run'] = async (sql, ...values) => {
        if (sql.startsWith(`INSERT INTO ${table} `)) {
          isHeld = true;
          await released;
        }
        return tx.run(sql, ...values);
      };
      return work({ ...tx, run });
    }),
  );
  return { isHeld: () => isHeld, release, fail };
}

const entriesOf = async ({ db, admin }: TestServer, operation: string) =>
  (await db.read((tx) => listAuditEntries(tx, admin.workspaceId, { operation }, undefined, 50))).map(
    ({ target, status }) => [JSON.parse(target).memberId, status],
  );

const trySignIn = (server: TestServer, { email }: Pick<TestMember, 'email'>) =>
  openBrowser(server).send('POST', '/v1/session/password', { email, password: 'another long password' });

const askForLink = (server: TestServer, { email }: Pick<TestMember, 'email'>) =>
  openBrowser(server).send('POST', '/v1/session/link', { email }, { origin: publicUrl });

test.each([true, false])(
  'a failed sign-in of a member responds before it is recorded (with a password: %s)',
  async (hasPassword) => {
    const server = await start();
    const member = await addMember(server, { hasPassword });
    const { isHeld, release } = holdInserts(server.db, 'audit_log');
    expect((await trySignIn(server, member)).status).toBe(401);
    // Counted before the response, so that the limit is exact.
    expect((await allRows(server.db)).sign_in_attempts).not.toEqual([]);
    await expect.poll(isHeld, pollOptions).toBe(true);
    expect(await entriesOf(server, 'signInWithPassword')).toEqual([]);
    release();
    await expect.poll(() => entriesOf(server, 'signInWithPassword'), pollOptions).toEqual([[member.id, 401]]);
  },
);

test('a request for a link of a member responds before anything but the attempt is written', async () => {
  const catcher = await openMails();
  const server = await start(catcher);
  const member = await addMember(server);
  const { release } = holdInserts(server.db, 'one_time_links');
  const { status, body } = await askForLink(server, member);
  expect([status, body]).toEqual([200, {}]);
  expect((await allRows(server.db)).one_time_links).toEqual([]);
  expect(await entriesOf(server, 'requestSignInLink')).toEqual([]);
  release();
  expect((await catcher.mailTo(member.email)).text).toContain('#sign-in=');
  expect(await entriesOf(server, 'requestSignInLink')).toEqual([[member.id, 200]]);
});

test('a server that stops first records the failed sign-ins that it has answered', async () => {
  const server = await start();
  const member = await addMember(server);
  const { isHeld, release } = holdInserts(server.db, 'audit_log');
  await trySignIn(server, member);
  await expect.poll(isHeld, pollOptions).toBe(true);
  let isClosed = false;
  const closing = server.composition.close().then(() => {
    isClosed = true;
  });
  // A read takes longer than the steps of the stop that wait for nothing.
  expect(await entriesOf(server, 'signInWithPassword')).toEqual([]);
  expect(isClosed).toBe(false);
  release();
  await closing;
  expect(await entriesOf(server, 'signInWithPassword')).toEqual([[member.id, 401]]);
});

test('a failed sign-in that cannot be recorded is in the log, without the address', async () => {
  const server = await start();
  const member = await addMember(server);
  const { fail } = holdInserts(server.db, 'audit_log');
  expect((await trySignIn(server, member)).status).toBe(401);
  fail(new Error('The disk has failed.'));
  await expect.poll(() => JSON.stringify(server.log), pollOptions).toContain('of a sign-in failed');
  expect(JSON.stringify(server.log)).not.toContain(member.email);
  vi.restoreAllMocks();
  expect(
    (await openBrowser(server).send('POST', '/v1/session/password', { email: member.email, password }))
      .status,
  ).toBe(200);
});

test('work that has failed is over, and the end waits for the work that is left', async () => {
  const background = createBackground(createLogger('silent', { write() {} }));
  const events: string[] = [];
  background.add(() => Promise.reject(new Error('The disk has failed.')));
  background.add(async () => {
    events.push('first');
    background.add(async () => void events.push('second'));
  });
  await background.close();
  expect(events).toEqual(['first', 'second']);
});
