// Tests of the relay by notifications on a real PostgreSQL.
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTcpProxy } from '../../../../e2e/support/faults/tcp-proxy.ts';
import { startPostgres } from '../../../../scripts/services/postgres.mjs';
import { pollOptions } from '../../testing.ts';
import { connectPostgresRelay } from './postgres-relay.ts';
import { testRelay } from './relay.contract.ts';

let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

testRelay('notifications of PostgreSQL', () => ({
  connect: () => connectPostgresRelay(postgres.url),
  async interrupt() {
    await query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'platform-webchat relay'",
    );
  },
}));

test('a relay takes one connection, which does not wait for the disk', async () => {
  const relay = await connectPostgresRelay(postgres.url);
  // The server may still know those of the tests before.
  await expect
    .poll(
      () => query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'platform-webchat relay'"),
      pollOptions,
    )
    .toHaveLength(1);
  await relay.close();
});

test('messages that are published while the connection is lost arrive as soon as it is there again, each once', async () => {
  const proxy = await startTcpProxy(postgres.url);
  const one = await connectPostgresRelay(proxy.url);
  const two = await connectPostgresRelay(postgres.url);
  try {
    const received: string[] = [];
    two.subscribe('a', (message) => received.push(message));
    let gaps = 0;
    one.onGap(() => {
      gaps += 1;
    });
    proxy.disconnect();
    // At once, so that the loss of the connection is noticed by this message, and later.
    one.publish('a', 'first');
    await query('SELECT 1');
    one.publish('a', 'second');
    expect(received).toEqual([]);
    proxy.reconnect();
    await expect.poll(() => gaps, pollOptions).toBe(1);
    one.publish('a', 'third');
    await expect.poll(() => received, pollOptions).toEqual(['first', 'second', 'third']);
  } finally {
    await one.close();
    await two.close();
    await proxy.close();
  }
});

test('two servers with a database each in one PostgreSQL do not hear each other', async () => {
  await query('CREATE DATABASE neighbor');
  const [one, neighbor, same] = [
    await connectPostgresRelay(postgres.url),
    await connectPostgresRelay(postgres.urlOf('neighbor')),
    await connectPostgresRelay(postgres.url),
  ];
  const received: string[] = [];
  neighbor.subscribe('a', () => received.push('neighbor'));
  same.subscribe('a', () => received.push('same'));
  one.publish('a', 'x');
  await expect.poll(() => received).toEqual(['same']);
  await one.close();
  await neighbor.close();
  await same.close();
});

test('a start without a database, and one whose notifications do not arrive, are refused in one line', async () => {
  await expect(connectPostgresRelay('postgres://127.0.0.1:1/none')).rejects.toThrow(
    /^DATABASE_URL: the database cannot be opened: .+$/,
  );
  // As a pooler that shares connections between transactions: each statement may be on another connection.
  const sockets = new Set<Socket>();
  const pooler = createServer((socket) => {
    const { port, hostname } = new URL(postgres.url);
    const upstream = connectSocket(Number(port), hostname);
    for (const one of [socket, upstream]) sockets.add(one.on('error', () => {}));
    socket.pipe(upstream);
    // It drops messages that do not belong to a statement: NotificationResponse.
    let rest = Buffer.alloc(0);
    upstream.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
        const length = 1 + rest.readUInt32BE(1);
        if (rest[0] !== 'A'.charCodeAt(0)) socket.write(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    });
    upstream.on('end', () => socket.end());
  });
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const { port } = pooler.address() as { port: number };
  const url = new URL(postgres.url);
  url.port = String(port);
  await expect(connectPostgresRelay(url.href, 'RELAY_DATABASE_URL')).rejects.toThrow(
    /^RELAY_DATABASE_URL: notifications \(LISTEN\) do not arrive\. .+$/,
  );
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => pooler.close(resolve));
});
