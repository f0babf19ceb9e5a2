// Tests of the relays that settings select, with whole servers: what happens when the relay is away.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startPostgres } from '../../../../scripts/services/postgres.mjs';
import { startRedis } from '../../../../scripts/services/redis.mjs';
import { openTestDatabase, startTestCluster, type TestServer } from '../../testing.ts';
import { connectRelay } from './connect-relay.ts';
import type { Relay } from './relay.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const none = { DATABASE_URL: undefined, RELAY_DATABASE_URL: undefined, RELAY_URL: undefined };

async function openDatabase() {
  const home = await mkdtemp(join(tmpdir(), 'webchat-relay-'));
  const db = await openTestDatabase(home);
  ends.push(() => rm(home, { recursive: true, force: true }));
  ends.push(db.close);
  return db;
}

/** Two servers with these relays, a conversation, and a stream at the second one. */
async function startServers(relays: (Relay | undefined)[]) {
  const cluster = await startTestCluster(2, (n) => ({
    ...(relays[n] ? { relay: relays[n] } : {}),
    realtimeIntervals: { tail: 200 },
  }));
  ends.push(cluster.close);
  const [one, other] = cluster.servers as [TestServer, TestServer];
  const { key } = await one.user();
  const id = await one.conversation(key);
  const stream = await other.listen(key, id);
  ends.push(stream.cancel);
  return { one, other, key, id, stream };
}

test('a server without DATABASE_URL has no relay, and one that needs it is refused in one line', async () => {
  const db = await openDatabase();
  expect(await connectRelay(none, db)).toBe(undefined);
  await expect(connectRelay({ ...none, RELAY_URL: 'redis://127.0.0.1' }, db)).rejects.toThrow(
    /^RELAY_URL: set DATABASE_URL, too, .+$/,
  );
  await expect(connectRelay({ ...none, RELAY_DATABASE_URL: 'postgres://x/y' }, db)).rejects.toThrow(
    /^RELAY_DATABASE_URL: set DATABASE_URL, too, .+$/,
  );
});

test('with DATABASE_URL, signals pass by notifications of PostgreSQL', async () => {
  const postgres = await startPostgres();
  ends.push(postgres.stop);
  const db = await openDatabase();
  const settings = { ...none, DATABASE_URL: postgres.url };
  const relays = [
    await connectRelay(settings, db),
    await connectRelay({ ...settings, RELAY_DATABASE_URL: postgres.url }, db),
  ];
  const { one, key, id, stream } = await startServers(relays);
  await one.sendMessage(key, id, 'by PostgreSQL');
  await one.sendMessage(key, id, 'x'.repeat(5_000));
  await stream.until((frame) => frame.id === '2');
});

test('with RELAY_URL, signals pass by Redis; while it is away, servers stay ready and messages arrive', async () => {
  let redis = await startRedis();
  ends.push(() => redis.stop());
  const db = await openDatabase();
  const settings = { ...none, DATABASE_URL: 'postgres://is-not-used/here', RELAY_URL: redis.url };
  const { one, other, key, id, stream } = await startServers([
    await connectRelay(settings, db),
    await connectRelay(settings, db),
  ]);
  await one.sendMessage(key, id, 'by Redis');
  await stream.until((frame) => frame.id === '1');
  await redis.stop();
  await one.sendMessage(key, id, 'from the log');
  await stream.until((frame) => frame.id === '2');
  const during = await other.listen(key, id, 0);
  await one.sendMessage(key, id, 'from the log again');
  await during.until((frame) => frame.id === '3');
  for (const server of [one, other]) expect((await server.fetch('/readyz')).status).toBe(200);
  redis = await startRedis(redis.port);
  await one.sendMessage(key, id, 'after');
  await stream.until((frame) => frame.id === '4');
  await during.until((frame) => frame.id === '4');
  await during.cancel();
});

test('an address where something else answers than Redis is refused in one line', async () => {
  const silent = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  ends.push(() => silent.close());
  const { port } = silent.address() as { port: number };
  const db = await openDatabase();
  await expect(
    connectRelay(
      { ...none, DATABASE_URL: 'postgres://is-not-used/here', RELAY_URL: `redis://127.0.0.1:${port}` },
      db,
    ),
  ).rejects.toThrow(/^RELAY_URL: Redis cannot be reached: .+$/);
});
