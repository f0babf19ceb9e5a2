// Tests of limits that several servers count together. On SQLite the servers of a cluster are one process, so that nothing is
// shared.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { solveChallenge } from '../../../client/chat/proof.ts';
import type { Challenge } from '../../../protocol/error.ts';
import { createQuotas } from '../../limits/quotas.ts';
import { createBuckets } from '../../limits/token-buckets.ts';
import { createLogger } from '../../startup/log.ts';
import type { Database } from '../../storage/database.ts';
import { isPostgresTest, releaseTestDatabase } from '../../storage/postgres/testing.ts';
import { startCluster } from '../../testing/servers.testing.ts';
import { openTestDatabase, type TestServer } from '../../testing.ts';
import { createSharedUsage } from './shared-usage.ts';

const headers = { 'x-forwarded-for': '192.0.2.7' };

/** Sends requests at both servers in turn, `batch` at a time, and returns their responses. */
async function send(servers: TestServer[], count: number, batch: number) {
  const answers: Response[] = [];
  for (let sent = 0; sent < count; sent += batch) {
    answers.push(
      ...(await Promise.all(
        Array.from({ length: batch }, async (_, n) => {
          const server = servers[n % servers.length] as TestServer;
          return server.fetch('/v1/admin/account', { headers });
        }),
      )),
    );
  }
  return answers;
}

const testLimits = () => {
  test('of an address hold for several thousand requests at two servers, and headers keep their meaning', async () => {
    const perMinute = 100;
    const limit = perMinute * 5;
    const cluster = await startCluster(2, { RATE_LIMIT: perMinute, TRUST_PROXY: 1 });
    const start = performance.now();
    const batch = 20;
    const answers = await send(cluster.servers, 4_000, batch);
    const refilled = ((performance.now() - start) * limit) / 60_000;
    const allowed = answers.filter(({ status }) => status !== 429);
    // A tenth of the limit at each server is not known to the other one, and what is under way at that moment.
    const overshoot = 2 * (limit / 10 + batch);
    expect(allowed.length).toBeLessThanOrEqual(limit + refilled + overshoot);
    expect(allowed.length).toBeGreaterThanOrEqual(limit);
    for (const { status, headers: fields } of answers) {
      expect(fields.get('ratelimit-limit')).toBe(`${limit}`);
      const remaining = Number(fields.get('ratelimit-remaining'));
      expect(remaining >= 0 && remaining <= limit).toBe(true);
      if (status !== 429) continue;
      expect(Number(fields.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test('of what an address creates hold at two servers', async () => {
    const cluster = await startCluster(2, {
      QUOTA_ADDRESS_USERS_HOUR: 40,
      TRUST_PROXY: 1,
      now: () => Date.parse('2026-01-01T00:00:00Z'),
    });
    let created = 0;
    for (let round = 0; round < 30; round += 1) {
      const answers = await Promise.all(
        cluster.servers.flatMap((server) =>
          Array.from({ length: 4 }, () => server.call('POST', '/users', { body: {}, headers })),
        ),
      );
      created += answers.filter(({ status }) => status === 201).length;
      expect(answers.every(({ status }) => status === 201 || status === 429)).toBe(true);
    }
    // A tenth of the limit at each server, and a round of requests.
    expect(created).toBeGreaterThanOrEqual(40);
    expect(created).toBeLessThanOrEqual(40 + 2 * 4 + 8);
  });

  test('a used proof of work is refused at every server', async () => {
    const cluster = await startCluster(2, { PROOF_OF_WORK: 6, TRUST_PROXY: 1 });
    const [one, other] = cluster.servers as [TestServer, TestServer];
    const create = (server: TestServer, proof?: string, key?: string) =>
      server.call('POST', '/users', {
        body: {},
        headers: {
          ...headers,
          ...(proof === undefined ? {} : { 'x-user-proof': proof }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
      });
    const proven = async () => solveChallenge((await create(one)).body.metadata as unknown as Challenge);
    const proof = await proven();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => create(n % 2 ? one : other, proof)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(403)]);
    // A repeated request gets its response at the other server, and no second user.
    const key = crypto.randomUUID();
    const again = await proven();
    const repeated = await Promise.all(
      Array.from({ length: 6 }, (_, n) => create(n % 2 ? one : other, again, key)),
    );
    expect(new Set(repeated.map(({ status, body }) => `${status} ${JSON.stringify(body.user)}`)).size).toBe(
      1,
    );
    expect(repeated[0]?.status).toBe(201);
  });

  test('what two processes take is made up for, in whatever order they exchange it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webchat-shared-'));
    const db = await openTestDatabase(folder);
    const logger = createLogger('silent', { write() {} });
    const now = 0;
    const processes = [1, 2].map(() => {
      const usage = createSharedUsage(db, 'secret', logger, () => 2);
      return { usage, buckets: createBuckets(60, () => now, undefined, { usage, name: 'test' }) };
    });
    const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]];
    for (let n = 0; n < 60; n += 1) {
      expect(one.buckets.take('a').isAllowed).toBe(true);
      expect(other.buckets.take('a').isAllowed).toBe(true);
    }
    await Promise.all([one.usage.exchange(), other.usage.exchange()]);
    one.buckets.charge('a', 1);
    other.buckets.charge('a', 1);
    for (let n = 0; n < 3; n += 1) for (const { usage } of processes) await usage.exchange();
    for (const { buckets } of processes) {
      const { isAllowed, remaining, retryAfter } = buckets.take('a');
      expect([isAllowed, remaining]).toEqual([false, 0]);
      // Both have used twice the limit, so that a token is there after more than half a minute.
      expect(retryAfter).toBeGreaterThan(30);
    }
    expect(one.buckets.take('b').isAllowed).toBe(true);
    const stored = await db.read((tx) => tx.all<{ id: string }>('SELECT id FROM shared_usage'));
    expect(stored.every(({ id }) => /^[\w-]{27}$/.test(id))).toBe(true);
    for (const { usage } of processes) await usage.close();
    await db.close();
    await releaseTestDatabase(folder);
    await rm(folder, { recursive: true });
  });
};

/** Two processes whose exchanges fail while `isAway`. Works on both engines, because no exchange succeeds then. */
function cutOff(processes: number) {
  const away = { isAway: false };
  const db = {
    write: async (): Promise<never[]> => {
      if (away.isAway) throw new Error('the database is away');
      return [];
    },
  } as unknown as Database;
  const logger = createLogger('silent', { write() {} });
  const usages = Array.from({ length: processes }, () =>
    createSharedUsage(db, 'secret', logger, () => processes),
  );
  return { away, usages, close: () => Promise.all(usages.map((usage) => usage.close())) };
}

test('while the database is away, all processes together give the limit of requests, and each of them at least one', async () => {
  for (const [processes, limit] of [
    [3, 60],
    [4, 2],
  ] as const) {
    const { away, usages, close } = cutOff(processes);
    let time = 0;
    const buckets = usages.map((usage) =>
      createBuckets(limit, () => time, undefined, { usage, name: 'test' }),
    );
    away.isAway = true;
    for (const [n, one] of buckets.entries()) {
      one.charge('other', 1);
      await usages[n]?.exchange();
    }
    const takeAll = () =>
      buckets.map((one) => {
        let taken = 0;
        while (one.take('a').isAllowed) taken += 1;
        return taken;
      });
    const share = Math.max(1, Math.floor(limit / processes));
    expect(takeAll()).toEqual(buckets.map(() => share));
    expect(buckets[0]?.settled('a')).toBeUndefined();
    expect(buckets[0]?.take('a')).toMatchObject({ limit, remaining: 0 });
    time += 30_000;
    expect(takeAll()).toEqual(buckets.map(() => Math.floor(share / 2)));
    away.isAway = false;
    // The first may be one that has failed before.
    for (const usage of [...usages, ...usages]) await usage.exchange();
    time += 60_000;
    expect(takeAll()).toEqual(buckets.map(() => limit));
    await close();
  }
});

test('while the database is away, all processes together give what is left of a quota, and each of them at least one', async () => {
  const { away, usages, close } = cutOff(3);
  const limits = { QUOTA_ADDRESS_USERS_HOUR: 10 };
  const quotas = usages.map((usage) => createQuotas(limits, () => 1, usage));
  const create = (n: number) => {
    try {
      quotas[n]?.request('192.0.2.1').create('users');
      return true;
    } catch {
      return false;
    }
  };
  const createAll = (n: number) => {
    let created = 0;
    while (create(n)) created += 1;
    return created;
  };
  expect([create(0), create(0), create(0), create(0)]).toEqual([true, true, true, true]);
  for (const usage of usages) await usage.exchange();
  away.isAway = true;
  for (const n of [0, 1, 2]) create(n);
  for (const usage of usages) await usage.exchange();
  // The first one knows of its four: a third of six is left, of which it has used one.
  expect([createAll(0), createAll(1)]).toEqual([1, 2]);
  away.isAway = false;
  for (const usage of [...usages, ...usages]) await usage.exchange();
  expect(createAll(2)).toBe(9);
  expect(createAll(2)).toBe(0);
  await close();
});

if (isPostgresTest()) describe('limits of several processes', testLimits);
else
  test('limits of a server that is one process are in memory only', async () => {
    const cluster = await startCluster(1, { RATE_LIMIT: 100, QUOTA_ADDRESS_USERS_HOUR: 5 });
    const [server] = cluster.servers as [TestServer];
    await server.user();
    expect(await server.db.read((tx) => tx.all('SELECT 1 FROM shared_usage'))).toEqual([]);
  });
