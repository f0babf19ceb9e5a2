// Tests of sessions: sign-in by password, cookies, rotation, ends, forged requests, and that they act with the role of the member.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { listAuditEntries } from '../storage/admin/audit.ts';
import { isPostgresTest } from '../storage/postgres/testing.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { allRows, pollOptions, startTestServer, type TestServer } from '../testing.ts';
import { addMember, openBrowser, origin, password } from './testing.ts';

const minute = 60_000;
const hour = 60 * minute;

let server: TestServer;
let time = Date.parse('2030-01-01T00:00:00Z');
beforeAll(async () => {
  server = await startTestServer({ now: () => time });
});
afterEach(() => {
  vi.restoreAllMocks();
  // Attempts of earlier tests are over.
  time += 25 * hour;
});
afterAll(() => server.close());

const sessionsIn = async () => (await allRows(server.db)).sessions as { id: string; hash: string }[];
const operationsIn = async (actor: string) =>
  (
    await server.db.read((tx) => listAuditEntries(tx, server.admin.workspaceId, { actor }, undefined, 50))
  ).map(({ operation, status, actorKind }) => [operation, status, actorKind]);

test('sign-in: a password gives a session, whose cookie scripts cannot read', async () => {
  const member = await addMember(server);
  const browser = openBrowser(server);
  const { status, body, headers } = await browser.signIn({ email: member.email.toUpperCase() });
  expect([status, body.member?.id, body.principal, body.hasPassword]).toEqual([
    200,
    member.id,
    'developer',
    true,
  ]);
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^inbox=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/),
  ]);
  const own = await browser.send('GET', '/v1/session');
  expect(own.body.session).toEqual(body.session);
  // The value itself is nowhere.
  const value = browser.cookies.get('inbox') ?? '';
  expect(JSON.stringify(await allRows(server.db))).not.toContain(value);
  expect((await sessionsIn()).at(-1)?.hash).toBe(createHash('sha256').update(value).digest('hex'));
});

test.runIf(isPostgresTest())(
  'a session that is being started with the old password ends when the password is changed at the same time',
  async () => {
    const member = await addMember(server);
    const [own, other] = [openBrowser(server), openBrowser(server)];
    await own.signIn(member);
    const key = 42;
    // The insertion of the session waits.
    await server.db.write(async (tx) => {
      await tx.run(
        `CREATE FUNCTION wait_for_test() RETURNS trigger AS 'BEGIN PERFORM pg_advisory_xact_lock(${key}); RETURN NEW; END' LANGUAGE plpgsql`,
      );
      await tx.run(
        'CREATE TRIGGER wait_for_test BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION wait_for_test()',
      );
    });
    const waiting = () =>
      server.db.read(async (tx) => {
        const row = await tx.get<{ count: number }>(
          `SELECT COUNT(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return Number(row?.count);
      });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holds = false;
    const holding = server.db.write(async (tx) => {
      await tx.get(`SELECT pg_advisory_xact_lock(${key})`);
      holds = true;
      await released;
    });
    try {
      await expect.poll(() => holds, pollOptions).toBe(true);
      const signingIn = other.signIn(member);
      await expect.poll(waiting, pollOptions).toBe(1);
      let isChanged = false;
      const body = { currentPassword: password, password: 'four other words that stay' };
      const changing = own.send('PUT', '/v1/session/password', body).then((reply) => {
        isChanged = true;
        return reply;
      });
      await expect.poll(async () => isChanged || (await waiting()) === 2, pollOptions).toBe(true);
      release();
      await holding;
      expect((await changing).status).toBe(200);
      await signingIn;
      expect((await other.send('GET', '/v1/session')).status).toBe(401);
      expect((await own.send('GET', '/v1/session')).status).toBe(200);
    } finally {
      release();
      await holding;
      await server.db.write(async (tx) => {
        await tx.run('DROP TRIGGER wait_for_test ON sessions');
        await tx.run('DROP FUNCTION wait_for_test');
      });
    }
  },
);

testOnSqlite(
  'sign-in: over HTTPS the cookie is Secure and bound to the host; over plain HTTP of a network it is refused',
  async () => {
    const member = await addMember(server);
    const secure = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'chat.example.com' };
    const browser = openBrowser(server);
    const body = { email: member.email, password };
    const { headers } = await browser.send('POST', '/v1/session/password', body, secure);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-inbox=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/),
    ]);
    // A cookie without the prefix, which a subdomain can set, is not read there.
    const value = browser.cookies.get('__Host-inbox') ?? '';
    const plain = await browser.send('GET', '/v1/session', undefined, {
      ...secure,
      cookie: `inbox=${value}`,
    });
    expect(plain.status).toBe(401);
    const other = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'chat.example.com' };
    const refused = await openBrowser(server).send('POST', '/v1/session/password', body, other);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
  },
);

test('sign-in: a wrong password, an unknown address and a member without a password have one answer', async () => {
  const [member, without] = [await addMember(server), await addMember(server, { hasPassword: false })];
  const before = (await sessionsIn()).length;
  const answers = [];
  for (const [email, tried] of [
    [member.email, 'another long password'],
    ['nobody@example.com', password],
    [without.email, password],
  ]) {
    const { status, body } = await openBrowser(server).send('POST', '/v1/session/password', {
      email,
      password: tried,
    });
    answers.push([status, body.type, body.message]);
  }
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(answers[0]).toEqual([401, 'Unauthorized', 'The e-mail address or the password is wrong.']);
  expect((await sessionsIn()).length).toBe(before);
  // The failure is in the audit trail of the member's workspace, without a claim of who tried.
  const tries = async () =>
    (
      await server.db.read((tx) =>
        listAuditEntries(tx, server.admin.workspaceId, { actor: 'public' }, undefined, 2),
      )
    ).map(({ target, status, memberId }) => [JSON.parse(target).memberId, status, memberId]);
  // It is stored after the response.
  await expect.poll(tries, pollOptions).toEqual([
    [without.id, 401, null],
    [member.id, 401, null],
  ]);
});

testOnSqlite('sessions: a request with a token and a session is refused', async () => {
  const browser = openBrowser(server);
  await browser.signIn(await addMember(server));
  const authorization = `Bearer ${server.admin.token}`;
  const both = await browser.send('GET', '/v1/admin/bots', undefined, { authorization });
  expect([both.status, both.body.message]).toEqual([
    401,
    'The request has both a token and a session. Send only one of them.',
  ]);
});

test('sessions: another value after an hour; the earlier one is valid for a minute more', async () => {
  const browser = openBrowser(server);
  await browser.signIn(await addMember(server));
  const first = browser.cookies.get('inbox') ?? '';
  time += hour - 1;
  await browser.send('GET', '/v1/session');
  expect(browser.cookies.get('inbox')).toBe(first);
  time += 1;
  // Two requests at once: one of them gets the new value, and both are answered.
  const both = await Promise.all([browser.send('GET', '/v1/session'), browser.send('GET', '/v1/session')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both.flatMap(({ headers }) => headers.getSetCookie()).length).toBe(1);
  const second = browser.cookies.get('inbox') ?? '';
  expect(second).not.toBe(first);
  const withFirst = () =>
    openBrowser(server).send('GET', '/v1/session', undefined, { cookie: `inbox=${first}` });
  time += minute - 1;
  const late = await withFirst();
  expect([late.status, late.headers.getSetCookie()]).toEqual([200, []]);
  time += 1;
  expect((await withFirst()).status).toBe(401);
  expect((await browser.send('GET', '/v1/session')).status).toBe(200);
});

testOnSqlite('sessions: a request that fails gets the new value, too', async () => {
  const browser = openBrowser(server);
  await browser.signIn(await addMember(server));
  const first = browser.cookies.get('inbox');
  time += hour;
  expect((await browser.send('GET', '/v1/admin/bots/none')).status).toBe(404);
  expect(browser.cookies.get('inbox')).not.toBe(first);
});

test('sessions: a changed role takes effect with the next request, with another value', async () => {
  const member = await addMember(server, { role: 'viewer' });
  const browser = openBrowser(server);
  await browser.signIn(member);
  const first = browser.cookies.get('inbox');
  expect((await browser.send('POST', '/v1/admin/bots', { name: 'New' })).status).toBe(403);
  await server.db.write((tx) => tx.run("UPDATE members SET role = 'manager' WHERE id = ?", member.id));
  const { status, body } = await browser.send('GET', '/v1/session');
  expect([status, body.principal]).toEqual([200, 'manager']);
  expect(browser.cookies.get('inbox')).not.toBe(first);
});

test('sessions: they end after 12 hours without a request, and after 30 days', async () => {
  const browser = openBrowser(server);
  const member = await addMember(server);
  await browser.signIn(member);
  time += 12 * hour - 1;
  expect((await browser.send('GET', '/v1/session')).status).toBe(200);
  time += 12 * hour;
  expect((await browser.send('GET', '/v1/session')).status).toBe(401);
  time += hour;
  await browser.signIn(member);
  const begin = time;
  while (time < begin + 30 * 24 * hour - 10 * hour) {
    time += 10 * hour;
    expect((await browser.send('GET', '/v1/session')).status).toBe(200);
  }
  time = begin + 30 * 24 * hour;
  expect((await browser.send('GET', '/v1/session')).status).toBe(401);
  await server.composition.cleanUp();
  expect((await sessionsIn()).filter((row) => JSON.stringify(row).includes(member.id)).length).toBe(1);
  time += 12 * hour;
  await server.composition.cleanUp();
  expect(await sessionsIn()).toEqual([]);
});

test('sessions: a member lists and ends their own, and no other', async () => {
  const [member, other] = [await addMember(server), await addMember(server)];
  const [phone, laptop, foreign] = [openBrowser(server), openBrowser(server), openBrowser(server)];
  await phone.send(
    'POST',
    '/v1/session/password',
    { email: member.email, password },
    { 'user-agent': 'Phone' },
  );
  await laptop.signIn(member);
  const { body: theirs } = await foreign.signIn(other);
  const { sessions } = (await laptop.send('GET', '/v1/session/all')).body as {
    sessions: { id: string; userAgent: string; isCurrent: boolean }[];
  };
  expect(sessions.map(({ userAgent, isCurrent }) => [userAgent, isCurrent])).toEqual([
    ['', true],
    ['Phone', false],
  ]);
  expect((await laptop.send('DELETE', `/v1/session/${theirs.session?.id}`)).status).toBe(404);
  expect((await foreign.send('GET', '/v1/session')).status).toBe(200);
  expect((await laptop.send('DELETE', `/v1/session/${sessions[1]?.id}`)).status).toBe(200);
  expect((await phone.send('GET', '/v1/session')).status).toBe(401);
  const out = await laptop.send('DELETE', '/v1/session');
  expect(out.headers.getSetCookie()).toEqual([expect.stringContaining('inbox=; Path=/;')]);
  expect(laptop.cookies.size).toBe(0);
  expect(await operationsIn(member.id)).toEqual([
    ['signOut', 200, 'developer'],
    ['endSession', 200, 'developer'],
    ['endSession', 404, 'developer'],
    ['signInWithPassword', 200, 'developer'],
    ['signInWithPassword', 200, 'developer'],
  ]);
});

test('sessions: the removal of a member ends them and deletes everything of their sign-in', async () => {
  const member = await addMember(server);
  const browser = openBrowser(server);
  await browser.signIn(member);
  const headers = {
    authorization: `Bearer ${server.admin.token}`,
    'x-workspace-id': server.admin.workspaceId,
  };
  await server.fetch(`/v1/admin/workspace-members/${member.id}`, { method: 'DELETE', headers });
  expect((await browser.send('GET', '/v1/session')).status).toBe(401);
  const { sessions, credentials, one_time_links } = await allRows(server.db);
  expect(JSON.stringify([sessions, credentials, one_time_links])).not.toContain(member.id);
});

test('sessions: a member has at most 20; a further one ends the oldest', async () => {
  const member = await addMember(server);
  const first = openBrowser(server);
  await first.signIn(member);
  for (let n = 0; n < 20; n += 1) await openBrowser(server).signIn(member);
  expect((await first.send('GET', '/v1/session')).status).toBe(401);
});

test('passwords: a change needs the current one, ends the other sessions and renews the value of this one', async () => {
  const member = await addMember(server);
  const [browser, other] = [openBrowser(server), openBrowser(server)];
  await browser.signIn(member);
  await other.signIn(member);
  const value = browser.cookies.get('inbox');
  const change = (currentPassword: string, next: string) =>
    browser.send('PUT', '/v1/session/password', { currentPassword, password: next });
  expect((await change('not the password', 'entirely new words here')).status).toBe(403);
  expect((await change(password, 'short words')).body.message).toContain('Expected 12 to 200 characters.');
  for (const common of [
    '1q2w3e4r5t6y',
    'password2024!',
    'administrator',
    'aaaaaaaaaaaaa',
    'dragondragon',
    member.email,
  ]) {
    expect([common, (await change(password, common)).status]).toEqual([common, 400]);
  }
  expect((await other.send('GET', '/v1/session')).status).toBe(200);
  expect((await change(password, 'entirely new words here')).status).toBe(200);
  expect((await other.send('GET', '/v1/session')).status).toBe(401);
  expect(browser.cookies.get('inbox')).not.toBe(value);
  expect((await browser.send('GET', '/v1/session')).status).toBe(200);
  expect((await openBrowser(server).signIn(member)).status).toBe(401);
});

test('passwords: a hash with other parameters is replaced at the next sign-in', async () => {
  const { hash } = await import('@node-rs/argon2');
  const member = await addMember(server);
  const weak = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
  await server.db.write((tx) =>
    tx.run('UPDATE credentials SET hash = ? WHERE member_id = ?', weak, member.id),
  );
  const stored = async () =>
    (
      await server.db.read((tx) =>
        tx.get<{ hash: string }>('SELECT hash FROM credentials WHERE member_id = ?', member.id),
      )
    )?.hash;
  expect(
    (await openBrowser(server).send('POST', '/v1/session/password', { email: member.email, password: 'x' }))
      .status,
  ).toBe(401);
  expect(await stored()).toBe(weak);
  expect((await openBrowser(server).signIn(member)).status).toBe(200);
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await openBrowser(server).signIn(member)).status).toBe(200);
});

describe('forged requests', () => {
  const forged: [name: string, headers: Record<string, string>, status: number][] = [
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['from another subdomain', { 'sec-fetch-site': 'same-site', origin }, 403],
    ['typed by the user', { 'sec-fetch-site': 'none', origin: '' }, 403],
    [
      'of an older browser, from another origin',
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      403,
    ],
    ['of an older browser, from a sandboxed page', { 'sec-fetch-site': '', origin: 'null' }, 403],
    ['without a sign of where they come from', { 'sec-fetch-site': '', origin: '' }, 403],
    ['as a form sends them', { 'content-type': 'text/plain' }, 415],
    ['without a type', { 'content-type': '' }, 415],
  ];
  test.skipIf(isPostgresTest()).each(forged)(
    '%s are refused with a session, and change nothing',
    async (_, headers, status) => {
      const browser = openBrowser(server);
      await browser.signIn(await addMember(server, { role: 'administrator' }));
      const before = await allRows(server.db, ['audit_log']);
      expect((await browser.send('POST', '/v1/admin/bots', { name: 'Forged' }, headers)).status).toBe(status);
      expect(await allRows(server.db, ['audit_log'])).toEqual(before);
      // Signing somebody in with an account of the attacker is a forged request, too.
      const visitor = openBrowser(server);
      const member = await addMember(server);
      const body = { email: member.email, password };
      expect((await visitor.send('POST', '/v1/session/password', body, headers)).status).toBe(status);
      expect(visitor.cookies.size).toBe(0);
    },
  );

  testOnSqlite('of an older browser, from a page of the server, are accepted', async () => {
    const browser = openBrowser(server);
    await browser.signIn(await addMember(server, { role: 'administrator' }));
    const { status } = await browser.send(
      'POST',
      '/v1/admin/bots',
      { name: 'Own' },
      { 'sec-fetch-site': '' },
    );
    expect(status).toBe(200);
  });

  testOnSqlite('no page of another origin can read a response, or ask whether it may', async () => {
    const browser = openBrowser(server);
    await browser.signIn(await addMember(server));
    for (const path of ['/v1/session', '/v1/admin/bots']) {
      const { headers } = await browser.send('GET', path, undefined, { origin: 'https://evil.example' });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      const preflight = await server.fetch(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example' },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null]);
    }
  });
});

testOnSqlite('sessions: the APIs of tables and of bot code do not accept them', async () => {
  const browser = openBrowser(server);
  await browser.signIn(await addMember(server, { role: 'owner' }));
  for (const path of ['/v1/tables', '/v1/chat/conversations']) {
    expect([path, (await browser.send('GET', path, undefined, { 'x-bot-id': 'bot_1' })).status]).toEqual([
      path,
      401,
    ]);
  }
});

test('sessions: a token that they create ends with them at the latest', async () => {
  const browser = openBrowser(server);
  await browser.signIn(await addMember(server));
  const create = (expiresAt?: string) =>
    browser.send('POST', '/v1/admin/tokens', {
      name: 'x',
      kind: 'personal',
      ...(expiresAt ? { expiresAt } : {}),
    });
  expect((await create()).status).toBe(403);
  expect((await create(new Date(time + 31 * 24 * hour).toISOString())).status).toBe(403);
  expect((await create(new Date(time + 24 * hour).toISOString())).status).toBe(200);
  expect((await browser.send('GET', '/v1/admin/tokens/current')).status).toBe(404);
});
