// Tests of limits that several servers count together. On SQLite the servers of a cluster are one process, so that nothing is
// shared.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { solveChallenge } from '../../client/chat/proof.ts';
import type { Challenge } from '../../protocol/error.ts';
import { createLogger } from '../log.ts';
import { isPostgresTest, releaseTestDatabase } from '../storage/postgres/testing.ts';
import { openTestDatabase, startTestCluster, type TestServer } from '../testing.ts';
import { createSharedUsage } from './shared-usage.ts';
import { createBuckets } from './token-buckets.ts';

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
    const cluster = await startTestCluster(2, { rateLimit: perMinute, trustProxy: 1 });
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
    await cluster.close();
  });

  test('of what an address creates hold at two servers', async () => {
    const cluster = await startTestCluster(2, {
      quotas: { QUOTA_ADDRESS_USERS_HOUR: 40 },
      trustProxy: 1,
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
    await cluster.close();
  });

  test('a used proof of work is refused at every server', async () => {
    const cluster = await startTestCluster(2, { proofOfWork: 6, trustProxy: 1 });
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
    await cluster.close();
  });

  test('what two processes take is made up for, in whatever order they exchange it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webchat-shared-'));
    const db = await openTestDatabase(folder);
    const logger = createLogger('silent', { write() {} });
    const now = 0;
    const processes = [1, 2].map(() => {
      const usage = createSharedUsage(db, 'secret', logger);
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

if (isPostgresTest()) describe('limits of several processes', testLimits);
else
  test('limits of a server that is one process are in memory only', async () => {
    const cluster = await startTestCluster(1, { rateLimit: 100, quotas: { QUOTA_ADDRESS_USERS_HOUR: 5 } });
    const [server] = cluster.servers as [TestServer];
    await server.user();
    expect(await server.db.read((tx) => tx.all('SELECT 1 FROM shared_usage'))).toEqual([]);
    await cluster.close();
  });
