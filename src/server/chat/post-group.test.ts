// Tests of messages of visitors that are stored together: the rows and responses are those of messages that are sent one
// after the other. On SQLite each message is stored alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { passAll, startTcpProxy, type TcpProxy } from '../../../e2e/support/faults/tcp-proxy.ts';
import { createMemoryRelayHub } from '../cluster/relay/memory-relay.testing.ts';
import { openPostgres } from '../storage/postgres/postgres.ts';
import { isPostgresTest, releaseTestDatabase, testDatabaseOf } from '../storage/postgres/testing.ts';
import { allDelivered } from '../testing/settled-rows.testing.ts';
import {
  clockFromFullHour,
  openTestDatabase,
  pollOptions,
  startTestCluster,
  startTestServer,
  type TestCluster,
  type TestServer,
} from '../testing.ts';

/** A request: the numbers of its user and conversation, its text, and its key, if it has one. */
interface Sent {
  user: number;
  conversation: number;
  text: string;
  key: number | undefined;
}

const users = 4;
const conversations = 3;
/** The user who was removed from conversation 1, and the one whose key is revoked. */
const removed = 2;
const revoked = 3;

const requests = fc.array(
  fc.record({
    user: fc.nat(users - 1),
    conversation: fc.nat(conversations),
    text: fc.constantFrom('a', 'b"\\{},', 'NULL', '\ud83d\ude00'),
    key: fc.option(fc.nat(3), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('messages at two servers at once', () => {
  let cluster: TestCluster;
  let alone: TestServer;
  let home: string;
  beforeAll(async () => {
    // The usage has the messages of the hour.
    const now = clockFromFullHour();
    cluster = await startTestCluster(2, { now });
    home = await mkdtemp(join(tmpdir(), 'webchat-alone-'));
    // A server that stores each message in a transaction of its own.
    const db = await openTestDatabase(home);
    alone = await startTestServer({ now, db: { ...db, isRemote: false, isShared: false } }, home);
  });
  afterAll(async () => {
    await cluster.close();
    await alone.close();
  });

  /** Sends the requests, all at once or one after the other, and returns what an observer can see of them. */
  async function outcomeOf(servers: TestServer[], sent: Sent[], isAtOnce: boolean) {
    const [first] = servers as [TestServer];
    const people: { id: string; key: string }[] = [];
    for (let n = 0; n < users; n += 1) people.push(await first.user());
    const [owner, ...guests] = people as [{ id: string; key: string }, ...typeof people];
    const ids: string[] = [];
    for (let n = 0; n < conversations; n += 1) {
      const id = await first.conversation(owner.key, n === 2 ? `own-${owner.id}` : undefined);
      for (const guest of guests) await first.join(owner.key, id, guest);
      ids.push(id);
    }
    const person = people[removed];
    await first.call('DELETE', `/conversations/${ids[1]}/participants/${person?.id}`, { key: owner.key });
    await first.call('DELETE', '/users/me/key', { key: people[revoked]?.key });
    ids.push('conv_unknown');
    const serverIds = await Promise.all(
      ids.slice(0, conversations).map(async (id) => {
        const row = await first.db.read((tx) =>
          tx.get<{ id: string }>('SELECT id FROM conversations WHERE id = ? OR foreign_id = ?', id, id),
        );
        return row?.id ?? '';
      }),
    );
    const start = await Promise.all(serverIds.map((id) => stateOf(first, id)));
    const send = ({ user, conversation, text, key }: Sent, n: number) =>
      (servers[n % servers.length] ?? first).call('POST', '/messages', {
        key: people[user]?.key,
        body: { conversationId: ids[conversation], payload: { type: 'text', text } },
        ...(key === undefined ? {} : { headers: { 'idempotency-key': `key ${key}` } }),
      });
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    if (isAtOnce) answers.push(...(await Promise.all(sent.map(send))));
    else for (const [n, request] of sent.entries()) answers.push(await send(request, n));

    const end = await Promise.all(serverIds.map((id) => stateOf(first, id)));
    const stored = await Promise.all(
      serverIds.map((id) =>
        first.db.read((tx) =>
          tx.all<{ id: string; seq: number; userId: string; payload: string; createdAt: number }>(
            `SELECT id, seq, user_id, payload, created_at FROM messages
             WHERE conversation_id = ? ORDER BY seq`,
            id,
          ),
        ),
      ),
    );
    const usage = await first.db.read(async (tx) => {
      const rows: unknown[] = [];
      for (const id of [...people.map((person) => person.id), ...serverIds])
        rows.push(
          await tx.get('SELECT messages, bytes, hour_messages, hour_bytes FROM usage WHERE id = ?', id),
        );
      return rows;
    });
    return { people, answers, start, end, stored, usage };
  }
  const stateOf = async ({ db }: TestServer, id: string) =>
    (await db.read((tx) =>
      tx.get<{ seq: number; count: number }>(
        'SELECT seq, message_count AS count FROM conversations WHERE id = ?',
        id,
      ),
    )) ?? { seq: -1, count: -1 };

  test('have the rows, sequence numbers and responses of messages one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sent) => {
        // A key belongs to one content, because the first request decides.
        const unique = sent.map((request) =>
          request.key === undefined
            ? request
            : (sent.find(({ user, key }) => user === request.user && key === request.key) ?? request),
        );
        const [together, expected] = await Promise.all([
          outcomeOf(cluster.servers, unique, true),
          outcomeOf([alone], unique, false),
        ]);
        const shown = ({ answers }: typeof together) =>
          answers.map(({ status, body }) => [status, (body as { type?: string }).type]);
        expect(shown(together)).toEqual(shown(expected));
        // Requests with the same key get the same response, all others another one.
        const sameAs = ({ answers }: typeof together) =>
          answers.map(({ status, body }) =>
            status === 201
              ? answers.findIndex((other) => JSON.stringify(other.body) === JSON.stringify(body))
              : -1,
          );
        expect(sameAs(together)).toEqual(sameAs(expected));
        const contents = ({ stored, people }: typeof together) =>
          stored.map((rows) =>
            rows
              .map(({ userId, payload }) => `${people.findIndex(({ id }) => id === userId)} ${payload}`)
              .sort(),
          );
        expect(contents(together)).toEqual(contents(expected));
        expect(together.usage).toEqual(expected.usage);
        for (const [n, rows] of together.stored.entries()) {
          const { seq = 0, count = 0 } = together.start[n] ?? {};
          expect(rows.map((row) => row.seq)).toEqual(rows.map((_, index) => seq + 1 + index));
          expect(together.end[n]).toEqual({ seq: seq + rows.length, count: count + rows.length });
          const times = rows.map(({ createdAt }) => createdAt);
          expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
        }
        const storedIds = new Set(together.stored.flat().map(({ id }) => id));
        for (const { status, body } of together.answers)
          if (status === 201)
            expect(storedIds.has((body as { message: { id: string } }).message.id)).toBe(true);
      }),
      { numRuns: 12 },
    );
  });

  test('of one key with different contents are stored once, and the others are refused', async () => {
    const [one, other] = cluster.servers as [TestServer, TestServer];
    const { key } = await one.user();
    const conversationId = await one.conversation(key);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? one : other).call('POST', '/messages', {
          key,
          body: { conversationId, payload: { type: 'text', text: `${n}` } },
          headers: { 'idempotency-key': 'the same' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)]);
  });

  test('that exceed a limit are refused, and do not keep others from being stored', async () => {
    const limited = await startTestCluster(2, {
      now: clockFromFullHour(),
      QUOTA_USER_MESSAGES_HOUR: 5,
    });
    const [one, other] = limited.servers as [TestServer, TestServer];
    const people = await Promise.all([one.user(), one.user(), one.user()]);
    const ids = await Promise.all(people.map(({ key }) => one.conversation(key)));
    // The first person sends too much.
    const counts = [40, 5, 5];
    const all = await Promise.all(
      people.map(({ key }, n) =>
        Promise.all(
          Array.from({ length: counts[n] ?? 0 }, (_, index) =>
            (index % 2 ? one : other).call('POST', '/messages', {
              key,
              body: { conversationId: ids[n], payload: { type: 'text', text: 'x' } },
            }),
          ),
        ),
      ),
    );
    const statuses = all.map((answers) => answers.map(({ status }) => status).sort());
    expect(statuses).toEqual([
      [...Array(5).fill(201), ...Array(35).fill(429)],
      Array(5).fill(201),
      Array(5).fill(201),
    ]);
    await limited.close();
  });

  test('reach the bot in the order of their sequence numbers, each once', async () => {
    const seen: string[] = [];
    const server = await startTestServer({
      handler: (event) => void seen.push(event.type === 'text' ? event.preview : ''),
    });
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    await Promise.all(Array.from({ length: 30 }, (_, n) => server.sendMessage(key, conversationId, `${n}`)));
    await expect.poll(() => seen.length, pollOptions).toBe(31);
    const stored = await server.db.read((tx) =>
      tx.all<{ payload: string }>('SELECT payload FROM messages ORDER BY seq'),
    );
    expect(seen.slice(1)).toEqual(stored.map(({ payload }) => JSON.parse(payload).text));
    await server.close();
  });
});

const testLostConnections = () => {
  let folder: string;
  let proxy: TcpProxy;
  let server: TestServer;
  afterEach(async () => {
    proxy.filter = passAll;
    await server.composition.close();
    await server.db.close();
    await proxy.close();
    await releaseTestDatabase(folder);
    await rm(folder, { recursive: true });
  });

  test.each(
    [
      'FOR UPDATE',
      'FROM unnest',
      'unmet',
      'UPDATE conversations',
      'INSERT INTO messages',
      'INSERT INTO deliveries',
      'INSERT INTO usage',
      'INSERT INTO requests',
      'COMMIT',
    ].flatMap((text) => [[text, 'before'] as const, [text, 'after'] as const]),
  )('at %s, %s the database receives it, are stored once', async (text, when) => {
    folder = await mkdtemp(join(tmpdir(), 'webchat-group-'));
    proxy = await startTcpProxy(await testDatabaseOf(folder));
    // So few connections that the next statement of this kind is sent by a new one.
    server = await startTestServer({ db: await openPostgres(proxy.url, { pool: 4, writers: 2 }) }, folder);
    const people = await Promise.all([server.user(), server.user(), server.user()]);
    const ids = await Promise.all(people.map(({ key }) => server.conversation(key)));
    await allDelivered(server.db);
    proxy.cutAll();
    const cuts = proxy.cutAt(text, when);
    const send = (n: number) =>
      server.call('POST', '/messages', {
        key: people[n % 3]?.key,
        body: { conversationId: ids[n % 3], payload: { type: 'text', text: `${n}` } },
        headers: { 'idempotency-key': `${n}` },
      });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => send(n)));
    expect(cuts.count()).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const stored = await server.db.read((tx) => tx.all<{ id: string }>('SELECT id FROM messages'));
    const named = answers.map(({ body }) => (body as { message: { id: string } }).message.id);
    expect(stored.map(({ id }) => id).sort()).toEqual(named.sort());
    expect(await server.db.read((tx) => tx.all('SELECT 1 FROM requests'))).toHaveLength(12);
  });
};

/** The conditions are checked after the wait for the conversation, not as of before. */
async function testRemovalMeanwhile() {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-removal-'));
  const url = await testDatabaseOf(folder);
  const server = await startTestServer({}, folder);
  const other = await openPostgres(url);
  const owner = await server.user();
  const guest = await server.user();
  const conversationId = await server.conversation(owner.key);
  await server.join(owner.key, conversationId, guest);
  const send = ({ key }: { key: string }) =>
    server.call('POST', '/messages', {
      key,
      body: { conversationId, payload: { type: 'text', text: 'x' } },
    });
  const waiting = await other.write(async (tx) => {
    await tx.lock(`conversation:${conversationId}`);
    await tx.run('DELETE FROM participants WHERE user_id = ?', guest.id);
    const sent = Promise.all([send(guest), send(owner)]);
    await expect
      .poll(
        () =>
          tx.all(
            `SELECT 1 FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          ),
        pollOptions,
      )
      .not.toEqual([]);
    return () => sent;
  });
  expect((await waiting()).map(({ status }) => status)).toEqual([403, 201]);
  await other.close();
  await server.close();
}

/** Notes how often each work that stores messages waits until the database has answered all that it has sent. */
function noteWaits({ db }: TestServer): number[] {
  const noted: number[] = [];
  const { write } = db;
  db.write = async (work) => {
    let waits = 0;
    let isOfMessages = false;
    const result = await write((tx) => {
      // A test server runs some writes twice.
      waits = 0;
      let unanswered = 0;
      const note =
        <Args extends unknown[], Result>(send: (sql: string, ...args: Args) => Promise<Result>) =>
        async (sql: string, ...args: Args) => {
          if (unanswered === 0) waits += 1;
          unanswered += 1;
          isOfMessages ||= sql.includes('INSERT INTO messages');
          try {
            return await send(sql, ...args);
          } finally {
            unanswered -= 1;
          }
        };
      return work({ ...tx, all: note(tx.all), get: note(tx.get), run: note(tx.run) } as typeof tx);
    });
    if (isOfMessages) noted.push(waits);
    return result;
  };
  return noted;
}

async function testWaits() {
  const server = await startTestServer({
    relay: createMemoryRelayHub().connect(),
    handler: async (event, bot) => {
      if (event.type === 'text') await bot.reply({ type: 'text', text: 'Hello' });
    },
  });
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  await allDelivered(server.db);
  const waits = noteWaits(server);
  await server.sendMessage(key, conversationId, 'Hello', { 'idempotency-key': 'a' });
  await allDelivered(server.db);
  expect(waits).toEqual([2, 2]);
  await server.close();
}

if (isPostgresTest()) {
  test('a message waits twice for PostgreSQL before its commit, and so does the reply of a bot', testWaits);
  describe('messages whose connection is lost', testLostConnections);
  test('a message that waits for the removal of its sender is refused', testRemovalMeanwhile);
}
