// Tests of the retention periods of bots: which data they apply to, what they leave alone, who may set them, and that a crash
// or a second process neither loses nor repeats anything.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Inbox, useInbox } from '../../inbox/testing.ts';
import { startTestCluster, startTestServer, type TestCluster, type TestServer } from '../../testing.ts';

const day = 24 * 60 * 60 * 1000;
let clock = 0;
const startInbox = useInbox();
let closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  clock = Date.now();
});
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function start() {
  const inbox = await startInbox(() => {}, {
    now: () => clock,
    RETENTION_DAYS: 30,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'chat@example.com',
    PUBLIC_URL: 'https://chat.example.com',
  });
  const { headers } = await inbox.member('Ada', 'administrator');
  const admin = (method: string, path: string, body?: unknown) =>
    inbox.request(method, `/v1/admin${path}`, headers, body);
  return { inbox, admin, path: `/bots/${inbox.botId}/retention` };
}

/** Lets days go by and runs the job. */
async function pass(server: TestServer, days: number): Promise<void> {
  clock += days * day + 1_000;
  await server.composition.cleanUp();
}

const ids = async (server: TestServer, table: string, id = 'id') =>
  (await server.db.read((tx) => tx.all<{ id: string }>(`SELECT ${id} AS id FROM ${table}`))).map(
    (row) => row.id,
  );

/** The targets of what the audit trail says about retention. */
const recorded = async (server: TestServer) =>
  (
    await server.db.read((tx) =>
      tx.all<{ target: string; kind: string }>(
        `SELECT target, actor_kind AS kind FROM audit_log WHERE operation = 'applyRetention' ORDER BY id`,
      ),
    )
  ).map(({ target, kind }) => ({ kind, ...(JSON.parse(target) as Record<string, string>) }));

/** The data of the visitor that has an age: an address, a file, and an entry of each log. */
async function addData({ server, key, botId }: Inbox): Promise<void> {
  const email = 'visitor@example.com';
  expect((await server.call('PUT', '/contact', { key, body: { email } })).status).toBe(200);
  expect((await server.call('POST', '/files', { key, body: { key: 'a.txt', size: 1 } })).status).toBe(201);
  await server.db.write(async (tx) => {
    // An upload that is not completed is removed after a day.
    await tx.run("UPDATE files SET status = 'upload_completed'");
    await tx.run(
      `INSERT INTO bot_logs (id, bot_id, kind, event_id, conversation_id, attempt, created_at)
       VALUES ('log', ?, 'bot_failed', 'e', 'c', 1, ?)`,
      botId,
      clock,
    );
    await tx.run(
      `INSERT INTO deliveries (event_id, conversation_id, seq, user_id, kind, bot_id, state, due_at, created_at)
       VALUES ('dead', 'c', 1, 'u', 'event', ?, 'dead', ?, 1)`,
      botId,
      clock,
    );
  });
}

test('the periods of a bot apply to its data only, each to its own kind, and the audit trail and the log say what was removed', async () => {
  const { inbox, admin, path } = await start();
  const { server, botId } = inbox;
  await addData(inbox);
  const other = (await admin('POST', '/bots', { name: 'Other', webhookId: 'other' })).body.bot.id as string;
  const visitor = await inbox.request('POST', '/chat/other/users', {}, {});
  const of = { 'x-user-key': visitor.body.key as string };
  const elsewhere = (await inbox.request('POST', '/chat/other/conversations', of, {})).body.conversation.id;
  const periods = { messagesDays: 8, filesDays: 2, logsDays: 4, contactsDays: 6 };
  expect((await admin('PUT', path, periods)).body).toEqual({
    retention: periods,
    defaults: { messagesDays: 30, filesDays: 30, logsDays: 30, contactsDays: 30 },
  });

  await pass(server, 1);
  expect(await recorded(server)).toEqual([]);
  await pass(server, 1);
  expect(await ids(server, 'files')).toEqual([]);
  expect([await ids(server, 'bot_logs'), await ids(server, 'deliveries', 'event_id')]).toEqual([
    ['log'],
    ['dead'],
  ]);
  await pass(server, 2);
  expect([await ids(server, 'bot_logs'), await ids(server, 'deliveries', 'event_id')]).toEqual([[], []]);
  expect(await ids(server, 'contacts', 'user_id')).toEqual([inbox.visitor.id]);
  await pass(server, 2);
  expect(await ids(server, 'contacts', 'user_id')).toEqual([]);
  expect(await ids(server, 'conversations')).toContain(inbox.conversationId);
  await pass(server, 2);
  expect(await ids(server, 'conversations')).toEqual([elsewhere]);
  await pass(server, 21);
  expect(await ids(server, 'conversations')).toHaveLength(1);
  await pass(server, 1);
  expect(await ids(server, 'conversations')).toEqual([]);
  const entry = (of: string, removed: Record<string, string>) => ({ kind: 'server', botId: of, ...removed });
  expect(await recorded(server)).toEqual([
    entry(botId, { files: '1' }),
    entry(botId, { contacts: '1' }),
    entry(botId, { conversations: '1' }),
    entry(botId, { users: '1' }),
    entry(other, { conversations: '1' }),
    entry(other, { users: '1' }),
  ]);
  const lines = server.log.filter(({ msg }) => msg === 'data was removed because of its age');
  expect(lines.map((line) => [line.botId, line.removed])).toContainEqual([
    botId,
    { conversations: 1, users: 1 },
  ]);
  // Entries are read like those of members.
  const { entries } = (await admin('GET', '/audit?operation=applyRetention')).body;
  expect(entries[0]).toMatchObject({ actor: { kind: 'server' }, target: { botId: other, users: '1' } });
});

test('0 keeps data that the period of the server would remove, and null restores that period', async () => {
  const { inbox, admin, path } = await start();
  await addData(inbox);
  await admin('PUT', path, { messagesDays: 0, filesDays: 0, logsDays: 0, contactsDays: 0 });
  await pass(inbox.server, 10_000);
  for (const [table, id] of [
    ['conversations', 'id'],
    ['files', 'id'],
    ['bot_logs', 'id'],
    ['deliveries', 'event_id'],
    ['contacts', 'user_id'],
  ] as const)
    expect([table, (await ids(inbox.server, table, id)).length]).toEqual([table, 1]);
  const { retention } = (await admin('PUT', path, { messagesDays: null, contactsDays: null })).body;
  expect(retention).toEqual({ filesDays: 0, logsDays: 0 });
  await pass(inbox.server, 0);
  expect(await ids(inbox.server, 'conversations')).toEqual([]);
  expect(await ids(inbox.server, 'contacts', 'user_id')).toEqual([]);
  expect(await ids(inbox.server, 'bot_logs')).toEqual(['log']);
});

test('nothing of a conversation is removed while it waits, is assigned or is set aside, and all of it after its end', async () => {
  const { inbox, admin, path } = await start();
  const { server } = inbox;
  const ada = await inbox.member('Bea');
  await inbox.send('old words');
  await inbox.idle();
  await addData(inbox);
  await admin('PUT', path, { messagesDays: 1, filesDays: 1, contactsDays: 1 });
  const remaining = async () => [
    (await ids(server, 'conversations')).length,
    (await ids(server, 'messages')).length,
    (await ids(server, 'contacts', 'user_id')).length,
    (await ids(server, 'files')).length,
  ];
  expect((await inbox.runtime('POST', '/handoff', {})).status).toBeLessThan(300);
  await pass(server, 5);
  expect(await remaining()).toEqual([1, 1, 1, 1]);
  expect((await ada.act('POST', '/take', {})).status).toBe(200);
  expect((await ada.act('POST', '/files', { key: 'reply.txt', size: 1 })).status).toBe(201);
  await server.db.write((tx) => tx.run("UPDATE files SET status = 'upload_completed'"));
  await pass(server, 5);
  expect(await remaining()).toEqual([1, 1, 1, 2]);
  expect((await ada.act('POST', '/close', {})).status).toBe(200);
  await pass(server, 0);
  expect(await remaining()).toEqual([1, 1, 1, 0]);
  await pass(server, 2);
  expect(await remaining()).toEqual([0, 0, 0, 0]);
});

test('a period above the limit is refused, and of two requests at once none loses its period', async () => {
  const { admin, path } = await start();
  for (const wrong of [-1, 36_501]) {
    const { status, body } = await admin('PUT', path, { messagesDays: wrong, filesDays: 1 });
    expect([status, body.type]).toEqual([400, 'InvalidPayload']);
  }
  expect((await admin('PUT', path, {})).body.retention).toEqual({});
  await Promise.all([admin('PUT', path, { messagesDays: 36_500 }), admin('PUT', path, { filesDays: 3 })]);
  expect((await admin('GET', path)).body.retention).toEqual({ messagesDays: 36_500, filesDays: 3 });
});

const many = 1_200;

/** Stores many conversations of a visitor who stays. */
async function addMany(server: TestServer): Promise<void> {
  const { id } = await server.user({ name: 'Ann' });
  await server.db.write(async (tx) => {
    const bot = await tx.get<{ id: string }>('SELECT id FROM bots LIMIT 1');
    for (let n = 0; n < many; n += 1) {
      await tx.run(
        `INSERT INTO conversations (id, bot_id, owner_id, seq, created_at, updated_at, channel)
         VALUES (?, ?, ?, 0, ?, ?, 'chat')`,
        `conv_${String(n).padStart(6, '0')}`,
        bot?.id ?? '',
        id,
        clock,
        clock,
      );
    }
    // The visitor stays.
    await tx.run('UPDATE users SET updated_at = ?', clock + 1_000 * day);
  });
}

const total = async (server: TestServer) =>
  (await recorded(server)).reduce(
    (sum, entry) => sum + Number((entry as { conversations?: string }).conversations),
    0,
  );

test('a process that is killed in the middle of a piece leaves what the audit trail says, and the next one removes the rest once', async () => {
  const options = { now: () => clock, RETENTION_DAYS: 1 };
  let server = await startTestServer(options);
  closing.push(() => server.close());
  await addMany(server);
  clock += day + 1;
  const { db } = server;
  const write = db.write.bind(db);
  let isKilled = false;
  db.write = (work) => {
    if (isKilled) return Promise.reject(new Error('killed'));
    return write(async (tx) => {
      const result = await work(tx);
      const pieces = await tx.all("SELECT id FROM audit_log WHERE operation = 'applyRetention'");
      // The second piece is removed, and not committed.
      if (pieces.length === 2) isKilled = true;
      if (isKilled) throw new Error('killed');
      return result;
    });
  };
  await server.composition.cleanUp();
  expect(isKilled).toBe(true);
  expect([await total(server), (await ids(server, 'conversations')).length]).toEqual([500, many - 500]);
  db.write = write;
  server = await server.restart(options);
  await server.composition.cleanUp();
  expect([await total(server), await ids(server, 'conversations')]).toEqual([many, []]);
});

test('of two processes that clean up at once, one removes each piece', async () => {
  const cluster: TestCluster = await startTestCluster(2, {
    leaseTime: 1_500,
    now: () => clock,
    RETENTION_DAYS: 1,
  });
  closing.push(() => cluster.close());
  const [first, second] = cluster.servers as [TestServer, TestServer];
  await addMany(first);
  clock += day + 1;
  await Promise.all([first, second, first].map(({ composition }) => composition.cleanUp()));
  // A second worker that begins before the first one has lost its work: its pieces are fenced.
  await first.composition.close();
  await expect
    .poll(
      async () => {
        await second.composition.cleanUp();
        return (await ids(second, 'conversations')).length;
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  expect(await total(second)).toBe(many);
});
