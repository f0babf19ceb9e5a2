// Tests of two servers on the same data under many requests at once: what a rule limits, makes unique or orders stays so,
// whichever server gets the requests. On PostgreSQL the writes of both run at the same time.
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  clockFromFullHour,
  pollOptions,
  startTestCluster,
  type TestCluster,
  type TestServer,
} from '../testing.ts';

let cluster: TestCluster;
let servers: TestServer[];
beforeEach(async () => {
  cluster = await startTestCluster(2, {
    now: clockFromFullHour(),
    USER_KEYS: 'issued',
    QUOTA_USER_MESSAGES_HOUR: 30,
  });
  ({ servers } = cluster);
});
afterEach(() => cluster.close());

/** The server whose turn it is. */
const at = (n: number): TestServer => {
  const server = servers[n % servers.length];
  if (!server) throw new Error('There are servers.');
  return server;
};
const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));
const rows = <T>(sql: string, ...values: string[]) => at(0).db.read((tx) => tx.all<T>(sql, ...values));
const count = async (sql: string, ...values: string[]) =>
  (await rows<{ count: number }>(`SELECT COUNT(*) AS count ${sql}`, ...values))[0]?.count;
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

/** Calls the APIs below /v1 with the administrator's token. */
const admin = async (n: number, method: string, path: string, body?: unknown, botId?: string) => {
  const response = await at(n).fetch(`/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${at(0).admin.token}`,
      'x-workspace-id': at(0).admin.workspaceId,
      'content-type': 'application/json',
      ...(botId === undefined ? {} : { 'x-bot-id': botId }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
};
const post = (n: number, key: string, conversationId: string, text: string, idempotencyKey?: string) =>
  at(n).call('POST', '/messages', {
    key,
    body: { conversationId, payload: { type: 'text', text } },
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  });

test('equal requests with an Idempotency-Key take effect once, and all get the same response', async () => {
  const { key } = await at(0).user();
  const conversationId = await at(0).conversation(key);
  const answers = await times(40, (n) => post(n, key, conversationId, `${n % 4}`, `key ${n % 4}`));
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(4);
  expect(await count('FROM messages')).toBe(4);
  const created = await times(12, (n) =>
    at(n).call('POST', '/conversations', { key, body: {}, headers: { 'idempotency-key': 'one' } }),
  );
  expect(new Set(created.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await count('FROM conversations')).toBe(2);
  expect(at(1).admin).toEqual({ workspaceId: at(0).admin.workspaceId, token: undefined });
});

test('the messages of a conversation have sequence numbers without holes, in the order of their times', async () => {
  const owner = await at(0).user();
  const conversationId = await at(0).conversation(owner.key);
  const guest = await at(1).user();
  await at(0).join(owner.key, conversationId, guest);
  const before = (await rows<{ seq: number }>('SELECT seq FROM conversations'))[0]?.seq ?? 0;
  const answers = await times(40, (n) => post(n, n % 4 < 2 ? owner.key : guest.key, conversationId, `${n}`));
  expect(new Set(statuses(answers))).toEqual(new Set([201]));
  const stored = await rows<{ seq: number; createdAt: number }>(
    'SELECT seq, created_at FROM messages ORDER BY seq',
  );
  expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, n) => before + 1 + n));
  const written = stored.map(({ createdAt }) => createdAt);
  expect(written).toEqual(written.toSorted((a, b) => a - b));
  expect(new Set(written).size).toBe(40);
  const [{ seq, total } = { seq: 0, total: 0 }] = await rows<{ seq: number; total: number }>(
    'SELECT seq, message_count AS total FROM conversations',
  );
  expect([seq, total]).toEqual([before + 40, 40]);
  await expect.poll(() => count('FROM deliveries'), pollOptions).toBe(0);
});

test('a quota counts the messages at both servers, and exactly so many are stored', async () => {
  const { key } = await at(0).user();
  const conversations = await times(4, (n) => at(n).conversation(key));
  const answers = await times(60, (n) => post(n, key, conversations[n % 4] ?? '', `${n}`));
  expect(statuses(answers)).toEqual([...Array(30).fill(201), ...Array(30).fill(429)]);
  expect(await count('FROM messages')).toBe(30);
});

test('the user of an id is created once by keys of an application, and all requests get it', async () => {
  const answers = await times(20, (n) =>
    at(n).call('POST', '/users/get-or-create', {
      key: at(0).sign(`person-${n % 2}`),
      body: { name: `${n}` },
    }),
  );
  expect(new Set(statuses(answers))).toEqual(new Set([201]));
  expect(await count("FROM users WHERE foreign_id LIKE 'person-%'")).toBe(2);
});

test('getOrCreate of the Runtime API creates one resource, also with the same tags at once', async () => {
  const [{ id: botId } = { id: '' }] = await rows<{ id: string }>('SELECT id FROM bots');
  const made = await times(20, (n) =>
    admin(n, 'POST', '/chat/users/get-or-create', { tags: { ref: `${n % 2}` }, name: 'x' }, botId),
  );
  expect(new Set(statuses(made))).toEqual(new Set([200]));
  expect(new Set(made.map(({ body }) => (body.user as unknown as { id: string }).id)).size).toBe(2);
});

test('a participant who joins and leaves at both servers is in the conversation once or not at all', async () => {
  const owner = await at(0).user();
  const guest = await at(1).user();
  const conversationId = await at(0).conversation(owner.key);
  const path = `/conversations/${conversationId}/participants`;
  await times(30, async (n) => {
    if (n % 3 === 0) await at(n).call('POST', path, { key: owner.key, body: { userId: guest.id } });
    if (n % 3 === 1) await at(n).call('POST', `/invitations/${conversationId}`, { key: guest.key, body: {} });
    if (n % 3 === 2) await at(n).call('DELETE', `${path}/${guest.id}`, { key: owner.key });
  });
  const log = await rows<{ type: string; seq: number }>('SELECT type, seq FROM signals ORDER BY seq');
  // Each signal changes what the one before said.
  const changes = log.map(({ type }) => type).filter((type) => type.startsWith('participant_'));
  const alternating = changes.map((_, n) => (n % 2 === 0 ? 'participant_added' : 'participant_removed'));
  expect(changes).toEqual(alternating);
  expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: log.length }, (_, n) => n + 1));
  expect(await count('FROM participants WHERE user_id = ?', guest.id)).toBe(changes.length % 2);
});

test('nothing of a user remains who is deleted while they post at both servers', async () => {
  const { id, key } = await at(0).user();
  const conversationId = await at(0).conversation(key);
  const answers = await times(30, (n) =>
    n === 10 ? at(n).call('DELETE', '/users/me', { key }) : post(n, key, conversationId, `${n}`),
  );
  expect(answers[10]?.status).toBe(200);
  expect(statuses(answers).filter((status) => ![200, 201, 401, 403].includes(status))).toEqual([]);
  await expect.poll(() => count('FROM deletions'), pollOptions).toBe(0);
  for (const sql of ['FROM messages WHERE user_id = ?', 'FROM participants WHERE user_id = ?'])
    expect(await count(sql, id)).toBe(0);
  expect(await count('FROM usage WHERE id = ?', id)).toBe(0);
});

test('rows that are inserted into a table at both servers have different ids, and a key is unique', async () => {
  const [{ id: botId } = { id: '' }] = await rows<{ id: string }>('SELECT id FROM bots');
  const fields = { schema: { n: 1 }, keyColumn: 'n' };
  const made = await times(10, (n) => admin(n, 'POST', '/tables/ordersTable', fields, botId));
  expect(statuses(made)).toEqual(Array(10).fill(200));
  expect(made.filter(({ body }) => body.created).length).toBe(1);
  const answers = await times(20, (n) =>
    admin(n, 'POST', '/tables/ordersTable/rows/upsert', { rows: [{ n: n % 5 }], keyColumn: 'n' }, botId),
  );
  expect(statuses(answers).filter((status) => status !== 200)).toEqual([]);
  const found = await admin(0, 'POST', '/tables/ordersTable/rows/find', {}, botId);
  const stored = found.body.rows as unknown as { id: number; n: number }[];
  expect(stored.map(({ n }) => n).sort()).toEqual([0, 1, 2, 3, 4]);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(5);
});

test('the file of a key is one file, whichever server was asked to create or replace it', async () => {
  const [{ id: botId } = { id: '' }] = await rows<{ id: string }>('SELECT id FROM bots');
  const body = { key: 'prices.txt', size: 3 };
  const answers = await times(10, (n) => admin(n, 'PUT', '/files', body, botId));
  expect(statuses(answers)).toEqual(Array(10).fill(200));
  const { body: list } = await admin(1, 'GET', '/files', undefined, botId);
  expect(list.files).toHaveLength(1);
});

test('members with the same address, and bots with the same name, exist once', async () => {
  const members = await times(10, (n) =>
    admin(n, 'POST', '/admin/workspace-members', { email: 'same@example.com', role: 'viewer' }),
  );
  expect(statuses(members)).toEqual([200, ...Array(9).fill(409)]);
  const bots = await times(10, (n) => admin(n, 'POST', '/admin/bots', { name: 'same' }));
  expect(statuses(bots)).toEqual([200, ...Array(9).fill(409)]);
  const bot = (bots.find(({ status }) => status === 200)?.body.bot as unknown as { id: string } | undefined)
    ?.id;
  const removals = await times(4, (n) => admin(n, 'DELETE', `/admin/bots/${bot}`));
  expect(statuses(removals)).toEqual([200, 404, 404, 404]);
});
