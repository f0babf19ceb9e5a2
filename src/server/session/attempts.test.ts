// Tests of the limits of attempts to sign in: by member, by address, at once, in several processes; and of hashes at once.
import { expect, test } from 'vitest';
import { createPasswords } from '../auth/passwords.ts';
import { insertWorkspace } from '../storage/admin/workspaces.ts';
import { startCluster, startServer } from '../testing/servers.testing.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { allRows, type TestServer } from '../testing.ts';
import { addMember, linkOf, openBrowser, password, type TestMember } from './testing.ts';

const minute = 60_000;
let time = Date.parse('2030-01-01T00:00:00Z');
const now = () => time;

async function start(): Promise<TestServer> {
  // The address of a client is the last entry of the header.
  const server = await startServer({ now, TRUST_PROXY: 1 });
  return server;
}

/** Tries to sign in from an address. */
async function tryFrom(
  server: TestServer,
  address: string,
  { email }: Pick<TestMember, 'email'>,
  tried = 'wrong',
) {
  const body = { email, password: tried };
  const { status, headers } = await openBrowser(server).send('POST', '/v1/session/password', body, {
    'x-forwarded-for': address,
  });
  return status === 429 ? `429 after ${headers.get('retry-after')} s` : status;
}

test('attempts: after 5 failures of an address with a member it waits, each time longer, at most an hour', async () => {
  const server = await start();
  const member = await addMember(server);
  const next = () => tryFrom(server, '192.0.2.1', member);
  for (let n = 0; n < 5; n += 1) expect(await next()).toBe(401);
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(await next()).toBe(`429 after ${minutes * 60} s`);
    // The right password does not help before the time is over.
    expect(await tryFrom(server, '192.0.2.1', member, password)).toBe(`429 after ${minutes * 60} s`);
    time += minutes * minute;
    expect(await next()).toBe(401);
  }
  // Another address is not concerned: nobody can lock a member out.
  expect(await tryFrom(server, '192.0.2.2', member, password)).toBe(200);
  time += 60 * minute;
  expect(await tryFrom(server, '192.0.2.1', member, password)).toBe(200);
  // A success forgets the failures.
  for (let n = 0; n < 5; n += 1) expect(await next()).toBe(401);
  time += 24 * 60 * minute;
});

test('attempts: failures more than 15 minutes apart do not add up', async () => {
  const server = await start();
  const member = await addMember(server);
  for (let n = 0; n < 8; n += 1) {
    expect(await tryFrom(server, '192.0.2.1', member)).toBe(401);
    time += 15 * minute;
  }
});

test('attempts: an unknown address is limited like a member', async () => {
  const server = await start();
  const nobody = { email: 'nobody@example.com' };
  for (let n = 0; n < 5; n += 1) expect(await tryFrom(server, '192.0.2.1', nobody)).toBe(401);
  expect(await tryFrom(server, '192.0.2.1', nobody)).toBe('429 after 60 s');
});

testOnSqlite(
  'attempts: 20 failures of an address with any members; sign-ins do not count; an IPv6 network is one address',
  async () => {
    const server = await start();
    const [first = await addMember(server), ...others] = await Promise.all(
      Array.from({ length: 21 }, () => addMember(server)),
    );
    for (let n = 0; n < 30; n += 1) expect(await tryFrom(server, '2001:db8::1', first, password)).toBe(200);
    for (const [n, member] of others.entries())
      expect(await tryFrom(server, `2001:db8:0:0:${n}::1`, member)).toBe(401);
    expect(await tryFrom(server, '2001:db8::ffff', first, password)).toBe('429 after 900 s');
    expect(await tryFrom(server, '2001:db9::1', first, password)).toBe(200);
    time += 15 * minute;
    expect(await tryFrom(server, '2001:db8::1', first, password)).toBe(200);
  },
);

test('attempts: tries at once are no way around the limit', async () => {
  const server = await start();
  const member = await addMember(server);
  const all = await Promise.all(Array.from({ length: 12 }, () => tryFrom(server, '192.0.2.1', member)));
  expect(all.filter((one) => one === 401).length).toBe(5);
  expect(all.filter((one) => one === '429 after 60 s').length).toBe(7);
});

test('attempts: guesses from many addresses wait together, and known addresses and links do not', async () => {
  const server = await start();
  const member = await addMember(server);
  const other = await addMember(server);
  const knownAddress = '192.0.2.1';
  expect(await tryFrom(server, knownAddress, member, password)).toBe(200);
  const guess = (n: number) => tryFrom(server, `198.51.100.${n}`, member);
  for (let n = 1; n <= 50; n += 1) expect([n, await guess(n)]).toEqual([n, 401]);
  expect(await guess(51)).toBe('429 after 3600 s');
  expect(await tryFrom(server, '198.51.100.52', member, password)).toBe('429 after 3600 s');
  // An attempt in another workspace is one with the same member.
  const body = { email: member.email, password: 'wrong', workspaceId: server.admin.workspaceId };
  const headers = { 'x-forwarded-for': '198.51.100.53' };
  expect((await openBrowser(server).send('POST', '/v1/session/password', body, headers)).status).toBe(429);
  // The member is not locked out: not where they have signed in, and not with a link. Others are not concerned.
  expect(await tryFrom(server, knownAddress, member, password)).toBe(200);
  const token = await linkOf(server, member, 'sign-in', time);
  const used = await openBrowser(server).send('POST', '/v1/session/link/use', { token }, headers);
  expect(used.status).toBe(200);
  expect(await tryFrom(server, '198.51.100.54', other, password)).toBe(200);
  // After the wait, unknown addresses have as many attempts as before; refused ones have not prolonged it.
  time += 60 * minute;
  expect(await tryFrom(server, '198.51.100.55', member, password)).toBe(200);
  for (let n = 101; n <= 150; n += 1) expect([n, await guess(n)]).toEqual([n, 401]);
  expect(await guess(151)).toBe('429 after 3600 s');
  time += 24 * 60 * minute;
});

/** Tries to sign in to a workspace. */
async function tryIn(server: TestServer, address: string, member: TestMember, tried = 'wrong') {
  const { email, workspaceId } = member;
  const body = { email, password: tried, workspaceId };
  const headers = { 'x-forwarded-for': address };
  return (await openBrowser(server).send('POST', '/v1/session/password', body, headers)).status;
}

test('attempts: a guess with the id of any workspace is one for the same member', async () => {
  const server = await start();
  const member = await addMember(server);
  const ids = [member.workspaceId, 'ws_other', `${member.workspaceId} `, 'ws_another', member.workspaceId];
  for (const workspaceId of ids)
    expect(await tryIn(server, '192.0.2.1', { ...member, workspaceId })).toBe(401);
  expect(await tryIn(server, '192.0.2.1', { ...member, workspaceId: 'ws_third' })).toBe(429);
  expect(await tryFrom(server, '192.0.2.1', member)).toBe('429 after 60 s');
});

test('attempts: a sign-in with the same address in another workspace gives no further guesses', async () => {
  const server = await start();
  const member = await addMember(server);
  const workspaceId = 'ws_other';
  const row = { id: workspaceId, name: 'Other', createdAt: 1, updatedAt: 1 };
  await server.db.write((tx) => insertWorkspace(tx, row));
  const other = await addMember(server, { email: member.email, workspaceId });
  // Of one address: the fifth failure is followed by a wait.
  const signInThere = (address: string) => tryIn(server, address, other, password);
  for (let n = 0; n < 5; n += 1) {
    expect(await signInThere('192.0.2.1')).toBe(200);
    expect(await tryIn(server, '192.0.2.1', member)).toBe(401);
  }
  expect(await tryIn(server, '192.0.2.1', member)).toBe(429);
  // Of many addresses: the member has signed in from none of them.
  for (let n = 1; n <= 45; n += 1) {
    expect(await signInThere(`198.51.100.${n}`)).toBe(200);
    expect([n, await tryIn(server, `198.51.100.${n}`, member)]).toEqual([n, 401]);
  }
  expect(await tryIn(server, '198.51.100.46', member)).toBe(429);
  expect(await tryIn(server, '198.51.100.1', member)).toBe(429);
  expect(await signInThere('198.51.100.1')).toBe(200);
});

test('attempts: several processes count together, and a restart forgets nothing', async () => {
  const cluster = await startCluster(2, { now, TRUST_PROXY: 1 });
  const [one, other] = cluster.servers as [TestServer, TestServer];
  const member = await addMember(one);
  for (let n = 0; n < 5; n += 1) expect(await tryFrom(n % 2 ? one : other, '192.0.2.1', member)).toBe(401);
  expect(await tryFrom(one, '192.0.2.1', member)).toBe('429 after 60 s');
  expect(await tryFrom(other, '192.0.2.1', member)).toBe('429 after 60 s');
  // A session of one process is one of the other.
  const browser = openBrowser(one);
  time += minute;
  await browser.signIn(member);
  const cookie = `inbox=${browser.cookies.get('inbox')}`;
  expect((await openBrowser(other).send('GET', '/v1/session', undefined, { cookie })).status).toBe(200);
  expect((await openBrowser(other).send('DELETE', '/v1/session', undefined, { cookie })).status).toBe(200);
  expect((await browser.send('GET', '/v1/session')).status).toBe(401);
});

test('attempts: guesses of links count for the address, which is stored as a hash only', async () => {
  const server = await start();
  const member = await addMember(server);
  const token = await linkOf(server, member, 'sign-in', time);
  const use = (text: string) =>
    openBrowser(server).send(
      'POST',
      '/v1/session/link/use',
      { token: text },
      { 'x-forwarded-for': '192.0.2.77' },
    );
  for (let n = 0; n < 20; n += 1) expect((await use(`guess-${n}`)).status).toBe(401);
  expect((await use(token)).status).toBe(429);
  const { sign_in_attempts: rows = [] } = await allRows(server.db);
  expect(rows.length).toBeGreaterThan(20);
  expect(JSON.stringify(rows)).not.toContain('192.0.2');
  time += 24 * 60 * minute;
  await server.composition.cleanUp();
  expect((await allRows(server.db)).sign_in_attempts).toEqual([]);
});

test('passwords: two hashes at a time, 20 wait, and more are refused with 429', async () => {
  const passwords = createPasswords();
  const all = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.hash(password)));
  const refused = all
    .filter((one) => one.status === 'rejected')
    .map(({ reason }) => [reason.code, reason.headers]);
  expect(refused).toEqual(Array(8).fill([429, { 'retry-after': '1' }]));
  // Afterwards there is place again.
  await expect(passwords.verify(undefined, password)).resolves.toBe(false);
});

test('passwords: a member is found in any notation of the letters of the password', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('caf\u00e9 cr\u00e8me br\u00fbl\u00e9e');
  await expect(passwords.verify(hash, 'cafe\u0301 cre\u0300me bru\u0302le\u0301e')).resolves.toBe(true);
  await expect(passwords.verify(hash, 'cafe creme brulee')).resolves.toBe(false);
});
