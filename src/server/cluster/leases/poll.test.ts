// Tests of the poll for events that nobody handles, and of the statements behind it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DeliveryRow, deliveryStates, insertDelivery } from '../../storage/bots/deliveries.ts';
import { claimDelivery, otherOwner } from '../../storage/bots/delivery-claims.ts';
import { insertConversation } from '../../storage/chat/conversations.ts';
import { deleteEventLease, insertEventLease, renewEventLease } from '../../storage/cluster/processes.ts';
import type { Database } from '../../storage/database.ts';
import { releaseTestDatabase } from '../../storage/postgres/testing.ts';
import { openTestDatabase, recordStatements } from '../../testing.ts';
import { createSharedPoll } from './poll.ts';

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-polls-'));
  db = await openTestDatabase(folder);
});
afterEach(async () => {
  await db.close();
  await releaseTestDatabase(folder);
  await rm(folder, { recursive: true });
});

const insert = (conversationId: string, seq: number, fields: Partial<DeliveryRow> = {}) =>
  db.write(async (tx) => {
    const eventId = `${conversationId}:${seq}`;
    const row = { eventId, conversationId, seq, userId: 'user', kind: 'message' as const, ref: null };
    await insertDelivery(tx, { ...row, data: null, locale: null, createdAt: 1 });
    const { state = deliveryStates.pending, dueAt = 0, owner = null } = fields;
    const update = 'UPDATE deliveries SET state = ?, due_at = ?, owner = ? WHERE event_id = ?';
    await tx.run(update, state, dueAt, owner, eventId);
  });
const lease = (id: string, duration = 60_000) => db.write((tx) => insertEventLease(tx, id, duration));

function createPoll(knownIds: string[] = [], claiming = 0) {
  const woken: string[] = [];
  const stranded: number[] = [];
  const poll = createSharedPoll({
    db,
    wake: (id) => woken.push(id),
    owner: () => 'mine',
    isKnown: (id) => knownIds.includes(id),
    claiming: () => claiming,
    onStranded: (count) => stranded.push(count),
  });
  return {
    stranded,
    next: (at: number) => poll(0, at),
    poll: async (at: number) => {
      await poll(0, at);
      return woken.splice(0).sort();
    },
  };
}

test('poll: finds the conversations whose next event is due and not handled, each once', async () => {
  await lease('mine');
  await lease('theirs');
  await lease('over', -1);
  await insert('free', 1);
  await insert('free', 2);
  await insert('handled', 1, { owner: 'theirs' });
  await insert('handled', 2);
  await insert('abandoned', 1, { owner: 'over' });
  await insert('unknown', 1, { owner: 'deleted' });
  await insert('later', 1, { dueAt: 2_000 });
  await insert('later', 2);
  await insert('deferred', 1, { state: deliveryStates.deferred, dueAt: 500 });
  await insert('deferred later', 1, { state: deliveryStates.deferred, dueAt: 2_000 });
  await insert('deferred handled', 1, { state: deliveryStates.deferred, dueAt: 500, owner: 'theirs' });
  await insert('deferred handled', 2);
  await insert('dead', 1, { state: deliveryStates.deadLetter });
  await insert('mine', 1, { owner: 'mine' });
  await insert('known', 1);
  const { poll } = createPoll(['known']);
  expect(await poll(1_000)).toEqual(['abandoned', 'deferred', 'free', 'unknown']);
  expect(await poll(2_000)).toEqual(['abandoned', 'deferred', 'deferred later', 'free', 'later', 'unknown']);
});

test('poll: wakes no more than it can claim soon, and goes on at once', async () => {
  for (let n = 0; n < 60; n += 1) await insert(`c${n}`, 1);
  await lease('mine');
  expect((await createPoll().poll(1_000)).length).toBe(50);
  expect((await createPoll([], 49).poll(1_000)).length).toBe(1);
  expect(await createPoll([], 70).poll(1_000)).toEqual([]);
  expect(await createPoll([], 70).next(1_000)).toBe(1_050);
  expect(await createPoll(Array.from({ length: 60 }, (_, n) => `c${n}`)).next(1_000)).toBe(Infinity);
});

test('poll: an event that this process owns and does not handle is found after a minute, and counted', async () => {
  await lease('mine');
  await insert('stranded', 1, { owner: 'mine' });
  await insert('running', 1, { owner: 'mine' });
  const { poll, stranded } = createPoll(['running']);
  // It may have been written a moment ago.
  expect(await poll(1_000)).toEqual([]);
  expect(await poll(60_999)).toEqual([]);
  expect(stranded).toEqual([]);
  expect(await poll(61_000)).toEqual(['stranded']);
  expect(stranded).toEqual([1]);
});

test('claim: of many processes at once, one gets the event, and nobody another event of the conversation', async () => {
  const times = { createdAt: 1, updatedAt: 1, seq: 2, messageCount: 2, hasHandling: 0 };
  const ids = { id: 'c', botId: 'bot', foreignId: null, ownerId: 'user', channel: 'channel' };
  await db.write((tx) => insertConversation(tx, { ...ids, ...times }));
  await insert('c', 1);
  await insert('c', 2, { state: deliveryStates.deferred, dueAt: 1 });
  const names = Array.from({ length: 10 }, (_, n) => `lease_${n}`);
  await Promise.all(names.map((name) => lease(name)));
  const claimed = await Promise.all(
    names.map((owner, n) => {
      const event = { eventId: `c:${1 + (n % 2)}`, conversationId: 'c', attempts: 0 };
      return db.write((tx) => claimDelivery(tx, event, owner));
    }),
  );
  expect(claimed.filter(Boolean)).toHaveLength(1);
  expect(claimed.find(Boolean)).toMatchObject({ attempts: 1 });
});

test('claim: is refused without a valid lease, for an event that has changed, and while another one handles it', async () => {
  await insert('c', 1);
  await lease('over', -1);
  await lease('a');
  await lease('b');
  const claim = (owner: string, attempts: number) =>
    db.write((tx) => claimDelivery(tx, { eventId: 'c:1', conversationId: 'c', attempts }, owner));
  expect(await claim('over', 0)).toBe(undefined);
  expect(await claim('unknown', 0)).toBe(undefined);
  expect(await claim('a', 1)).toBe(undefined);
  expect(await claim('a', 0)).toMatchObject({ attempts: 1, owner: 'a' });
  expect(await claim('b', 1)).toBe(undefined);
  expect(await db.read((tx) => otherOwner(tx, 'c', 'b'))).toBe('a');
  expect(await db.read((tx) => otherOwner(tx, 'c', 'a'))).toBe(undefined);
  expect(await claim('a', 1)).toMatchObject({ attempts: 2, owner: 'a' });
  await db.write((tx) => deleteEventLease(tx, 'a'));
  expect(await claim('b', 2)).toMatchObject({ attempts: 3, owner: 'b' });
});

test('lease: one that is over is not renewed, and its time is that of the database', async () => {
  expect(Math.abs((await lease('a')) - Date.now())).toBeLessThan(60_000);
  const renewed = await db.write((tx) => renewEventLease(tx, 'a', -1));
  expect(Math.abs((renewed ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(await db.write((tx) => renewEventLease(tx, 'a', 60_000))).toBe(undefined);
});

test('poll: uses the index of due events', async () => {
  if ((await db.read(async (tx) => tx.dialect)) !== 'sqlite') return;
  await lease('mine');
  const statements = recordStatements(db);
  const { poll } = createPoll();
  await poll(1_000);
  const queries = statements.filter((sql) => sql.includes('FROM deliveries'));
  expect(queries).toHaveLength(5);
  for (const sql of queries) {
    const plan = await db.read((tx) => tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`));
    const details = plan.map(({ detail }) => detail).join('\n');
    expect(details).toMatch(
      /SEARCH (?:d|deliveries) USING (?:COVERING )?INDEX deliveries_(?:due|owned) \(state=\?/,
    );
    expect(details).not.toMatch(/SCAN (?!owners|CONSTANT)|TEMP B-TREE/);
  }
});

/** Returns how many rows the statements of a poll read from tables and indexes of PostgreSQL. */
async function rowsOfPoll(): Promise<number> {
  const { read } = db;
  let rows = 0;
  const count = (plan: Plan): void => {
    const isScan = /Scan$/.test(plan['Node Type']) && plan['Relation Name'] !== undefined;
    const perLoop = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
    if (isScan) rows += perLoop * plan['Actual Loops'];
    for (const part of plan.Plans ?? []) count(part);
  };
  db.read = (work) =>
    read((tx) =>
      work({
        ...tx,
        async all(sql, ...values) {
          const [found] = await db.write((own) =>
            own.all<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, ...values),
          );
          for (const { Plan } of JSON.parse(found?.['QUERY PLAN'] ?? '[]')) count(Plan);
          return tx.all(sql, ...values);
        },
      }),
    );
  await createPoll().poll(1_000);
  db.read = read;
  return rows;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

test('poll: reads as many rows with 4,000 events that are handled as with 40', async () => {
  if ((await db.read(async (tx) => tx.dialect)) === 'sqlite') return;
  await lease('mine');
  await lease('theirs');
  await insert('free', 1);
  const handle = (from: number, to: number) =>
    db.write(async (tx) => {
      await tx.run(
        `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, created_at, attempts, owner)
         SELECT 'event ' || n, 'handled ' || n, 'bot', 1, 'user', 'message', 1, 1, 'theirs'
         FROM generate_series(CAST(? AS int), CAST(? AS int)) n`,
        from,
        to,
      );
      await tx.run('ANALYZE deliveries');
    });
  await handle(1, 40);
  const before = await rowsOfPoll();
  await handle(41, 4_000);
  expect(await rowsOfPoll()).toBeLessThanOrEqual(before);
});

test('poll: reads further until it finds a conversation behind many that are held back', async () => {
  await lease('mine');
  await lease('theirs');
  await insert('held', 1, { owner: 'theirs' });
  await db.write(async (tx) => {
    for (let n = 2; n <= 1_200; n += 1)
      await tx.run(
        `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, created_at)
         VALUES (?, 'held', 'bot', ?, 'user', 'message', 1)`,
        `held ${n}`,
        n,
      );
  });
  await insert('next', 1);
  expect(await createPoll().poll(1_000)).toEqual(['next']);
});
