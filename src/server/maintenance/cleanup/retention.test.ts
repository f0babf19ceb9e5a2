// Tests of the retention period: data without changes during that many days is deleted, data that was used on the last
// day is kept.
import { afterEach, expect, test } from 'vitest';
import { allDelivered } from '../../testing/settled-rows.testing.ts';
import { testOnSqlite } from '../../testing/sqlite-only.testing.ts';
import { recordStatements, startTestServer, type TestServer } from '../../testing.ts';

const day = 24 * 60 * 60 * 1000;
let clock = Date.now();
let server: TestServer;
afterEach(() => server.close());

const start = async (retentionDays: number) => {
  clock = Date.now();
  server = await startTestServer({ now: () => clock, RETENTION_DAYS: retentionDays });
};
const ids = async (table: string) =>
  (await server.db.read((tx) => tx.all<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`))).map(
    ({ id }) => id,
  );

test('an unused conversation and then its anonymous visitor are deleted; a conversation that is used again is kept', async () => {
  await start(30);
  const [gone, stays] = [await server.user(), await server.user()];
  const old = await server.conversation(gone.key);
  const used = await server.conversation(stays.key);
  const named = server.sign('named');
  await server.call('POST', '/users/get-or-create', { key: named, body: {} });
  await server.sendMessage(gone.key, old, 'old words');
  const stream = await server.listen(gone.key, old);
  clock += 30 * day - 1_000;
  await server.composition.cleanUp();
  expect(await ids('conversations')).toHaveLength(2);
  await server.sendMessage(stays.key, used, 'on the last day');
  clock += 2_000;
  server = await server.restart();
  await stream.ended;
  await server.composition.cleanUp();
  expect(await ids('conversations')).toEqual([used]);
  expect((await server.call('GET', '/users/me', { key: gone.key })).status).toBe(401);
  expect((await server.call('GET', '/users/me', { key: stays.key })).status).toBe(200);
  expect((await server.call('GET', '/users/me', { key: named })).status).toBe(200);
  expect(JSON.stringify(await server.db.read((tx) => tx.all('SELECT * FROM messages')))).not.toContain('old');
});

test('the open stream of an expired conversation ends', async () => {
  await start(1);
  const { key } = await server.user();
  const stream = await server.listen(key, await server.conversation(key));
  clock += day + 1;
  await server.composition.cleanUp();
  await stream.ended;
  expect(await ids('conversations')).toEqual([]);
});

test('expired files of visitors are deleted, files of a bot are kept', async () => {
  await start(1);
  const { key } = await server.user();
  await server.call('POST', '/files', { key, body: { key: 'a.txt', size: 1 } });
  await server.db.write((tx) =>
    tx.run(
      `INSERT INTO files (id, bot_id, owner_type, key, size, content_id, declared_type, content_type, status,
         announced_at, created_at, updated_at) VALUES ('file_0', 'b', 'bot', 'k', 1, 'c', 't', 't',
         'upload_completed', 1, 1, 1)`,
    ),
  );
  clock += day + 1;
  await server.composition.cleanUp();
  expect(await ids('files')).toEqual(['file_0']);
});

test('with 0 days all data is kept', async () => {
  await start(0);
  const { key } = await server.user();
  await server.conversation(key);
  clock += 10_000 * day;
  await server.composition.cleanUp();
  expect(await ids('conversations')).toHaveLength(1);
});

testOnSqlite('the statements that delete unused conversations do not depend on their number', async () => {
  await start(1);
  const { key } = await server.user();
  const counts: number[] = [];
  // The cleanup that a server begins with is over.
  await server.composition.cleanUp();
  const statements = recordStatements(server.db);
  for (const count of [2, 60]) {
    for (let n = 0; n < count; n += 1) {
      const id = await server.conversation(key);
      await server.sendMessage(key, id, `${n}`);
    }
    await allDelivered(server.db);
    clock += day + 1;
    // The visitor stays.
    await server.call('PUT', '/users/me', { key, body: { name: `${count}` } });
    statements.length = 0;
    await server.composition.cleanUp();
    expect(await ids('conversations')).toEqual([]);
    counts.push(
      statements.filter((sql) => /conversations|usage|tags|states|deletions|requests/.test(sql)).length,
    );
  }
  expect(counts[1]).toBe(counts[0]);
});

testOnSqlite('the statements that delete unused users and files do not depend on their number', async () => {
  await start(1);
  const counts: number[] = [];
  // The cleanup that a server begins with is over.
  await server.composition.cleanUp();
  const statements = recordStatements(server.db);
  for (const count of [2, 60]) {
    for (let n = 0; n < count; n += 1) {
      const { key } = await server.user({ name: 'Ann' });
      await server.call('POST', '/files', { key, body: { key: 'a.txt', size: n + 1 } });
    }
    clock += day + 1;
    statements.length = 0;
    await server.composition.cleanUp();
    expect(await ids('files')).toEqual([]);
    const remaining = await server.db.read((tx) => tx.all('SELECT id FROM users WHERE is_bot = 0'));
    const used = await server.db.read((tx) =>
      tx.all('SELECT id FROM usage WHERE bytes <> 0 OR files <> 0 OR messages <> 0'),
    );
    expect([remaining, used]).toEqual([[], []]);
    // Not compared: rows that the queue removes afterwards, and rows that expire by themselves: the cleanup that a
    // server begins with may remove those at any time.
    const ofStep =
      /DELETE FROM (?:users|files|file_tags|revoked_user_keys|tags|states|usage)\s+WHERE \w+ IN \(SELECT value|UPDATE (?:usage|invitations)\b|INTO deletions/;
    counts.push(statements.filter((sql) => ofStep.test(sql)).length);
  }
  expect(counts[0]).toBeGreaterThan(5);
  expect(counts[1]).toBe(counts[0]);
});

testOnSqlite('all old conversations are found when there are more than one step reads', async () => {
  await start(1);
  const { key } = await server.user();
  for (let n = 0; n < 530; n += 1) await server.conversation(key);
  clock += day + 1;
  const fresh = await server.conversation(key);
  await server.composition.cleanUp();
  expect(await ids('conversations')).toEqual([fresh]);
});
