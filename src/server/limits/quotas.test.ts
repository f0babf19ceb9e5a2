// Tests of the quotas of visitors with a whole server: abuse is rejected, and normal use at the same time is not.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Bot, BotEvent } from '../../protocol/bot.ts';
import { migrations } from '../storage/migrations.ts';
import { openSqlite, sqlite } from '../storage/sqlite.ts';
import { closing } from '../testing/servers.testing.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { startTestServer, type TestResponse } from '../testing.ts';
import { type QuotaLimits, quotaTable } from './settings.ts';

const hour = 60 * 60 * 1000;
const defaults: QuotaLimits = Object.fromEntries(
  Object.entries(quotaTable).map(([name, row]) => [name, Number(row.default)]),
);

/** A server with these quotas, a clock that can be set, and visitors at addresses. */
async function start(quotas: QuotaLimits, options: Parameters<typeof startTestServer>[0] = {}) {
  // Half past an hour, so that the window does not end during the test.
  const clock = { now: Date.UTC(2026, 0, 5, 12, 30) };
  const all = { ...quotas, TRUST_PROXY: 1, now: () => clock.now, ...options };
  let server = await startTestServer(all);
  closing(server);
  const at = (address: string) => {
    const call = (method: string, path: string, key?: string, body?: unknown, headers = {}) =>
      server.call(method, path, { key, body, headers: { 'x-forwarded-for': address, ...headers } });
    const sendMessage = (key: string, conversationId: string, text = 'Hello', headers = {}) =>
      call('POST', '/messages', key, { conversationId, payload: { type: 'text', text } }, headers);
    const file = (key: string, size: number) => call('POST', '/files', key, { key: 'a.bin', size });
    const enter = async () => {
      const { key } = (await call('POST', '/users', undefined, {})).body as { key: string };
      const { body } = await call('POST', '/conversations', key, {});
      return { key, conversationId: (body.conversation as { id: string } | undefined)?.id ?? '' };
    };
    return { call, sendMessage, file, enter };
  };
  const restart = async () => {
    server = await server.restart();
  };
  return { clock, at, restart, server: () => server, home: at('192.0.2.1') };
}

const statuses = (answers: TestResponse[]) => answers.map(({ status }) => status);
const refusal = ({ status, body, headers }: TestResponse) => [status, body.type, headers.get('retry-after')];

/** Repeats an action sequentially. */
async function times(count: number, work: (n: number) => Promise<TestResponse>): Promise<TestResponse[]> {
  const answers: TestResponse[] = [];
  for (let n = 0; n < count; n += 1) answers.push(await work(n));
  return answers;
}

test('quotas: one address cannot exceed its hourly quota of bytes by creating more users', async () => {
  const { at, home } = await start({ QUOTA_ADDRESS_BYTES_HOUR: 10_000 });
  const text = 'x'.repeat(1_000);
  const answers = await times(20, async () => {
    const { key, conversationId } = await home.enter();
    return home.sendMessage(key, conversationId, text);
  });
  const stored = answers.filter(({ status }) => status === 201).length;
  expect(stored).toBe(9);
  expect(refusal(answers.at(-1) as TestResponse)).toEqual([429, 'RateLimited', '1800']);
  expect(answers.at(-1)?.body.message).toBe(
    'This address has reached its hourly quota of bytes. Try again in 1800 s.',
  );
  // Another address is unaffected.
  const other = at('192.0.2.2');
  const { key, conversationId } = await other.enter();
  expect((await other.sendMessage(key, conversationId, text)).status).toBe(201);
});

test('quotas: the daily quota is separate and resets at midnight UTC', async () => {
  const { clock, home } = await start({ QUOTA_ADDRESS_MESSAGES_HOUR: 2, QUOTA_ADDRESS_MESSAGES_DAY: 3 });
  const { key, conversationId } = await home.enter();
  expect(statuses(await times(3, () => home.sendMessage(key, conversationId)))).toEqual([201, 201, 429]);
  clock.now += hour;
  const [first, second] = await times(2, () => home.sendMessage(key, conversationId));
  expect(first?.status).toBe(201);
  expect(second?.body.message).toContain('daily quota of messages');
  expect(Number(second?.headers.get('retry-after'))).toBe(10.5 * 3600);
  clock.now += 10.5 * hour;
  expect((await home.sendMessage(key, conversationId)).status).toBe(201);
});

test('quotas: an IPv6 /64 counts as one address, and a /48 has four times its quota', async () => {
  const { at } = await start({ QUOTA_ADDRESS_USERS_HOUR: 2 });
  const create = (address: string) => at(address).call('POST', '/users', undefined, {});
  const inOne = await times(3, (n) => create(`2001:db8:0:1::${n + 1}`));
  expect(statuses(inOne)).toEqual([201, 201, 429]);
  const inMany = await times(10, (n) => create(`2001:db8:0:${n + 2}::1`));
  expect(statuses(inMany)).toEqual([201, 201, 201, 201, 201, 201, 429, 429, 429, 429]);
  expect((await create('2001:db8:1:1::1')).status).toBe(201);
});

test('quotas: a file beyond the quota of bytes is rejected before it is sent', async () => {
  const { home, clock } = await start(defaults);
  const { key, conversationId } = await home.enter();
  const answers = await times(3, () => home.file(key, 100_000_000));
  expect(statuses(answers)).toEqual([201, 201, 429]);
  expect(answers[2]?.body.message).toContain('This user has reached its hourly quota of bytes.');
  // A message and a small file are still within the quota.
  expect((await home.sendMessage(key, conversationId)).status).toBe(201);
  expect((await home.file(key, 1_000_000)).status).toBe(201);
  clock.now += hour;
  expect((await home.file(key, 100_000_000)).status).toBe(201);
});

test('quotas: the number of files is limited, so that many small ones are rejected', async () => {
  const { home } = await start({ QUOTA_USER_FILES: 2 });
  const [one, two] = [await home.enter(), await home.enter()];
  const answers = await times(3, () => home.file(one.key, 1));
  expect(statuses(answers)).toEqual([201, 201, 403]);
  expect(refusal(answers[2] as TestResponse)).toEqual([403, 'QuotaExceeded', null]);
  expect((await home.file(two.key, 1)).status).toBe(201);
});

test('quotas: a write that alone exceeds a quota responds with QuotaExceeded without Retry-After', async () => {
  const { home } = await start({ QUOTA_USER_BYTES_HOUR: 1_000, QUOTA_ADDRESS_BYTES_HOUR: 2_000 });
  const { key } = await home.enter();
  for (const size of [1_001, 2_001]) {
    expect(refusal(await home.file(key, size))).toEqual([403, 'QuotaExceeded', null]);
  }
  expect((await home.file(key, 1_000)).status).toBe(201);
});

test('quotas: creating users from one address is limited, also by get-or-create', async () => {
  const { home, clock, at, server } = await start(defaults);
  const create = () => home.call('POST', '/users', undefined, {});
  const answers = await Promise.all(Array.from({ length: 1_000 }, create));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(500);
  expect(refusal(await create())).toEqual([429, 'RateLimited', '1800']);
  const created = answers.find(({ status }) => status === 201)?.body as { key: string };
  const [first, second] = [server().sign('first'), server().sign('second')];
  const getOrCreate = (client: ReturnType<typeof at>, key: string) =>
    client.call('POST', '/users/get-or-create', key, {});
  expect((await getOrCreate(home, first)).status).toBe(429);
  expect((await getOrCreate(at('192.0.2.2'), second)).status).toBe(201);
  // Existing users can still write.
  expect((await getOrCreate(home, second)).status).toBe(201);
  expect((await getOrCreate(home, created.key)).status).toBe(201);
  clock.now += hour;
  expect((await create()).status).toBe(201);
});

test('quotas: a user is not created if the first conversation exceeds the quota of conversations', async () => {
  const { home } = await start({ QUOTA_ADDRESS_CONVERSATIONS_HOUR: 1, QUOTA_ADDRESS_USERS_HOUR: 2 });
  const create = (body: object) => home.call('POST', '/users', undefined, body);
  expect((await create({ firstConversation: true })).status).toBe(201);
  expect(refusal(await create({ firstConversation: true }))).toEqual([429, 'RateLimited', '1800']);
  // The refused one was not counted as a user.
  expect((await create({})).status).toBe(201);
  expect((await create({})).status).toBe(429);
});

test('quotas: creating conversations is limited by address, and existing ones are still found', async () => {
  const { home } = await start({ QUOTA_ADDRESS_CONVERSATIONS_HOUR: 3 });
  const { key } = await home.enter();
  const open = (id: string) => home.call('POST', '/conversations/get-or-create', key, { id });
  expect(statuses([await open('a'), await open('b'), await open('c')])).toEqual([201, 201, 429]);
  expect((await open('a')).status).toBe(201);
  expect(refusal(await home.call('POST', '/conversations', key, {}))[1]).toBe('RateLimited');
});

test('quotas: the quota of one user does not affect another at the same address', async () => {
  const { home } = await start({ QUOTA_USER_MESSAGES_HOUR: 3 });
  const [heavy, other] = [await home.enter(), await home.enter()];
  const answers = await times(5, () => home.sendMessage(heavy.key, heavy.conversationId));
  expect(statuses(answers)).toEqual([201, 201, 201, 429, 429]);
  expect(answers[3]?.body.message).toContain('This user has reached its hourly quota of messages.');
  expect(statuses(await times(3, () => home.sendMessage(other.key, other.conversationId)))).toEqual([
    201, 201, 201,
  ]);
});

test('quotas: the quota of a conversation is shared by its participants', async () => {
  const { home } = await start({ QUOTA_CONVERSATION_MESSAGES: 3 }, { PARTICIPANTS: 'direct' });
  const { key, conversationId } = await home.enter();
  const guest = await home.enter();
  const { body } = await home.call('GET', '/users/me', guest.key);
  await home.call('POST', `/conversations/${conversationId}/participants`, key, {
    userId: (body.user as { id: string }).id,
  });
  expect(
    statuses([
      await home.sendMessage(key, conversationId),
      await home.sendMessage(guest.key, conversationId),
    ]),
  ).toEqual([201, 201]);
  const payload = { a: 1 };
  expect((await home.call('POST', '/events', key, { conversationId, payload })).status).toBe(201);
  expect(refusal(await home.sendMessage(guest.key, conversationId))).toEqual([403, 'QuotaExceeded', null]);
  expect((await home.sendMessage(guest.key, guest.conversationId)).status).toBe(201);
});

test('quotas: the quota of a bot is shared by its visitors, and its own messages do not count', async () => {
  const { home, at } = await start({ QUOTA_BOT_MESSAGES: 3 }, { handler: welcome });
  const answers = await times(5, async (n) => {
    const client = at(`192.0.2.${n + 10}`);
    const { key, conversationId } = await client.enter();
    return client.sendMessage(key, conversationId);
  });
  expect(statuses(answers)).toEqual([201, 201, 201, 403, 403]);
  expect(answers[4]?.body.message).toContain('This chat has reached its quota of messages.');
  // Reading still works.
  const { key, conversationId } = await home.enter();
  expect((await home.call('GET', `/conversations/${conversationId}/messages`, key)).status).toBe(200);
});

test('quotas: the hourly window follows the clock, not the first message', async () => {
  const { home, clock } = await start({ QUOTA_USER_MESSAGES_HOUR: 1 });
  const { key, conversationId } = await home.enter();
  expect(statuses(await times(2, () => home.sendMessage(key, conversationId)))).toEqual([201, 429]);
  clock.now += hour / 2 - 1;
  expect(refusal(await home.sendMessage(key, conversationId))).toEqual([429, 'RateLimited', '1']);
  clock.now += 1;
  expect(statuses(await times(2, () => home.sendMessage(key, conversationId)))).toEqual([201, 429]);
});

test('quotas: a restart resets neither the stored totals nor the hourly usage of users', async () => {
  const { home, clock, restart } = await start({
    QUOTA_USER_MESSAGES_HOUR: 2,
    QUOTA_CONVERSATION_MESSAGES: 3,
  });
  const { key, conversationId } = await home.enter();
  await times(2, () => home.sendMessage(key, conversationId));
  await restart();
  expect((await home.sendMessage(key, conversationId)).status).toBe(429);
  clock.now += hour;
  expect((await home.sendMessage(key, conversationId)).status).toBe(201);
  await restart();
  expect((await home.sendMessage(key, conversationId)).status).toBe(403);
});

test('quotas: deleting a message reduces all stored totals, but not the hourly usage', async () => {
  const limits = { QUOTA_USER_MESSAGES: 1, QUOTA_CONVERSATION_MESSAGES: 1, QUOTA_BOT_MESSAGES: 1 };
  const { home } = await start({ ...limits, QUOTA_USER_MESSAGES_HOUR: 2 });
  const { key, conversationId } = await home.enter();
  const remove = async ({ body }: TestResponse) =>
    home.call('DELETE', `/messages/${(body.message as { id: string }).id}`, key);
  const first = await home.sendMessage(key, conversationId, 'äöü');
  expect((await home.sendMessage(key, conversationId)).status).toBe(403);
  expect((await remove(first)).status).toBe(200);
  // Deleting twice reduces the total once.
  expect((await remove(first)).status).toBe(404);
  const second = await home.sendMessage(key, conversationId);
  expect([second.status, (await home.sendMessage(key, conversationId)).status]).toEqual([201, 403]);
  await remove(second);
  expect((await home.sendMessage(key, conversationId)).status).toBe(429);
});

test('quotas: deleting conversations and users reduces the totals by exactly their usage', async () => {
  const { home, server } = await start({});
  const usage = () =>
    server().db.read((tx) =>
      tx.all<Record<string, unknown>>('SELECT id, messages, bytes, files FROM usage ORDER BY id'),
    );
  const [stays, goes] = [await home.enter(), await home.enter()];
  await home.sendMessage(stays.key, stays.conversationId, 'Grüße');
  await home.file(stays.key, 11);
  const before = await usage();
  // A message in the conversation of another user still counts for its author.
  const { body } = await home.call('POST', '/conversations', stays.key, {});
  const second = (body.conversation as { id: string }).id;
  await times(3, (n) => home.sendMessage(stays.key, second, `ä ${n}`));
  await home.call('POST', '/events', stays.key, { conversationId: second, payload: { a: 'ß' } });
  await home.sendMessage(goes.key, goes.conversationId, 'Hello');
  await home.file(goes.key, 22);
  expect(await usage()).not.toEqual(before);
  await home.call('DELETE', `/conversations/${second}`, stays.key);
  await home.call('DELETE', '/users/me', goes.key);
  await server().composition.cleanUp();
  expect(await usage()).toEqual(before);
});

test('quotas: expired uploads reduce the totals', async () => {
  const { home, clock, server } = await start({ QUOTA_USER_FILES: 1, QUOTA_BOT_FILES: 1 });
  const { key } = await home.enter();
  expect(statuses(await times(2, () => home.file(key, 5)))).toEqual([201, 403]);
  clock.now += 25 * hour;
  await server().composition.cleanUp();
  expect((await home.file(key, 5)).status).toBe(201);
});

test('quotas: changed feedback counts for the hour, and removing it is always possible', async () => {
  const { home, server } = await start({ QUOTA_USER_MESSAGES_HOUR: 2 }, { handler: welcome });
  const { key, conversationId } = await home.enter();
  const stream = await server().listen(key, conversationId, 0);
  const { data } = await stream.untilType('message_created');
  await stream.cancel();
  const path = `/messages/${data.id}/feedback`;
  const rate = (comment: string) => home.call('PUT', path, key, { value: 'negative', comment });
  expect(statuses([await rate('a'), await rate('a'), await rate('b'), await rate('b')])).toEqual([
    200, 200, 200, 200,
  ]);
  expect((await rate('c')).status).toBe(429);
  expect((await home.call('DELETE', path, key)).status).toBe(200);
});

test('quotas: a retry with an Idempotency-Key does not count, and is answered at a full quota', async () => {
  const { home } = await start({ QUOTA_USER_MESSAGES_HOUR: 1, QUOTA_ADDRESS_MESSAGES_HOUR: 1 });
  const { key, conversationId } = await home.enter();
  const sendWithKey = (name: string) =>
    home.sendMessage(key, conversationId, 'Hello', { 'idempotency-key': name });
  const [first, again] = [await sendWithKey('one'), await sendWithKey('one')];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect((await sendWithKey('two')).status).toBe(429);
  expect((await sendWithKey('one')).status).toBe(201);
});

test('quotas: cached responses count in bytes, not in characters', async () => {
  const { home } = await start({ QUOTA_ADDRESS_BYTES_HOUR: 500_000 });
  const { key } = await home.enter();
  await home.call('PUT', '/users/me', key, { pictureUrl: '€'.repeat(39_000) });
  const answers = await times(5, (n) =>
    home.call('POST', '/users/get-or-create', key, {}, { 'idempotency-key': `another ${n}` }),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
});

test('quotas: profiles of new and changed users count for the bytes of address, user and bot', async () => {
  const body = { pictureUrl: `https://example.com/${'x'.repeat(39_000)}` };
  const { home } = await start({ QUOTA_ADDRESS_BYTES_HOUR: 100_000 });
  const made = await times(4, () => home.call('POST', '/users', undefined, body));
  expect(statuses(made)).toEqual([201, 201, 429, 429]);

  const { home: shop, at } = await start({ QUOTA_BOT_BYTES_HOUR: 100_000, QUOTA_USER_BYTES_HOUR: 50_000 });
  const { key } = await shop.enter();
  const changed = await times(2, () => shop.call('PUT', '/users/me', key, body));
  expect(statuses(changed)).toEqual([200, 429]);
  const others = await times(2, (n) => at(`192.0.2.${n + 2}`).call('POST', '/users', undefined, body));
  expect(statuses(others)).toEqual([201, 429]);
});

test('quotas: a request that fails for another reason does not count', async () => {
  const { home } = await start({
    QUOTA_ADDRESS_MESSAGES_HOUR: 1,
    QUOTA_ADDRESS_USERS_HOUR: 2,
    QUOTA_USER_MESSAGES_HOUR: 2,
  });
  const [one, two] = [await home.enter(), await home.enter()];
  // 403, 400, 413, 403 of a quota, then a failed commit: none of them counts.
  expect((await home.sendMessage(one.key, two.conversationId)).status).toBe(403);
  expect((await home.sendMessage(one.key, one.conversationId, '')).status).toBe(400);
  expect((await home.sendMessage(one.key, one.conversationId, 'x'.repeat(1_100_000))).status).toBe(413);
  expect((await home.sendMessage(one.key, one.conversationId)).status).toBe(201);
  expect((await home.sendMessage(one.key, one.conversationId)).status).toBe(429);
});

test('quotas: concurrent requests cannot exceed a quota together', async () => {
  const { home } = await start({ QUOTA_ADDRESS_MESSAGES_HOUR: 5, QUOTA_USER_MESSAGES_HOUR: 3 });
  const [one, two] = [await home.enter(), await home.enter()];
  const burst = ({ key, conversationId }: typeof one) =>
    Promise.all(Array.from({ length: 30 }, () => home.sendMessage(key, conversationId)));
  const [first, second] = await Promise.all([burst(one), burst(two)]);
  const stored = (answers: TestResponse[]) => answers.filter(({ status }) => status === 201).length;
  expect(stored(first) + stored(second)).toBe(5);
  expect(Math.max(stored(first), stored(second))).toBeLessThanOrEqual(3);
});

test('quotas: without limits nothing is rejected, and the usage is counted nevertheless', async () => {
  const { home, server } = await start({});
  const { key, conversationId } = await home.enter();
  const payload = { type: 'text', text: 'ä' };
  await home.sendMessage(key, conversationId, payload.text);
  const rows = await server().db.read((tx) =>
    tx.all<Record<string, unknown>>('SELECT messages, bytes, files, hour_messages FROM usage'),
  );
  const row = { messages: 1, bytes: Buffer.byteLength(JSON.stringify(payload)), files: 0, hourMessages: 1 };
  expect(rows).toEqual([row, row, row]);
});

test('quotas: with the defaults thirty users at one address can write for an hour', async () => {
  const { home } = await start(defaults);
  const visitors = await Promise.all(Array.from({ length: 30 }, home.enter));
  const answers = await Promise.all(
    visitors.flatMap(({ key, conversationId }) => [
      ...Array.from({ length: 20 }, () => home.sendMessage(key, conversationId)),
      home.file(key, 5_000_000),
    ]),
  );
  expect(new Set(statuses(answers))).toEqual(new Set([201]));
});

testOnSqlite(
  'quotas: the migration counts the data of an older folder as if it had been counted from the start',
  async () => {
    const { home, server } = await start({});
    const { key, conversationId } = await home.enter();
    await home.sendMessage(key, conversationId, 'Grüße');
    await home.call('POST', '/messages', key, {
      conversationId,
      payload: { type: 'text', text: 'a' },
      metadata: { b: 'ß' },
    });
    await home.call('POST', '/events', key, { conversationId, payload: { c: 1 } });
    await home.file(key, 77);
    const file = join(server().home, 'platform.db');
    const columns = 'SELECT id, messages, bytes, files FROM usage ORDER BY id';
    const counted = await server().db.read((tx) => tx.all(columns));
    expect(counted).toHaveLength(3);
    await server().composition.close();
    await server().db.close();
    const DatabaseSync = await sqlite();
    const older = new DatabaseSync(file);
    const step = migrations.findIndex((sql) => sql.includes('CREATE TABLE usage'));
    older.exec('DROP TABLE usage');
    older.exec(migrations[step] ?? '');
    older.close();
    const newer = await openSqlite(file);
    expect(await newer.read((tx) => tx.all(columns))).toEqual(counted);
    await newer.close();
  },
);

async function welcome(_: BotEvent, bot: Bot): Promise<void> {
  await bot.reply({ type: 'text', text: 'Welcome' });
}
