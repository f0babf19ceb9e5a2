// Tests of /healthz and /readyz: what a load balancer learns, and that nothing else is revealed.
import { expect, test } from 'vitest';
import { migrations } from '../storage/migrations.ts';
import { sqlite } from '../storage/sqlite.ts';
import { startServer } from '../testing/servers.testing.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import type { startTestServer, TestServer } from '../testing.ts';
import { createHealth } from './health.ts';

const start = async (options: Parameters<typeof startTestServer>[0] = {}) => {
  const server = await startServer(options);
  return server;
};
const ask = async ({ fetch }: Pick<TestServer, 'fetch'>, path: string) => {
  const response = await fetch(path);
  return [response.status, await response.text()];
};

test('health: a running server is alive and ready, whatever the rate limits', async () => {
  const server = await start({ RATE_LIMIT: 1 });
  for (let n = 0; n < 100; n += 1) {
    expect(await ask(server, '/healthz')).toEqual([200, '{"status":"ok"}']);
    expect(await ask(server, '/readyz')).toEqual([200, '{"status":"ready"}']);
  }
  expect((await server.fetch('/readyz', { method: 'HEAD' })).status).toBe(200);
  expect((await server.fetch('/readyz', { method: 'POST' })).status).toBe(404);
});

test('health: /readyz is 503 before the start has ended, and from the announcement of the stop on', async () => {
  const server = await start();
  const starting = createHealth(server.db, { state: 'starting' });
  expect(await ask({ fetch: async (path) => starting.request(path) }, '/readyz')).toEqual([
    503,
    '{"status":"starting"}',
  ]);
  server.composition.announceStop();
  expect(await ask(server, '/readyz')).toEqual([503, '{"status":"draining"}']);
  expect(await ask(server, '/healthz')).toEqual([200, '{"status":"ok"}']);
  // The process still answers requests.
  expect((await server.user()).key).toMatch(/./);
});

testOnSqlite(
  'health: /readyz is 503 while the database has another schema, and 200 when it has that of this version again',
  async () => {
    const server = await start();
    const DatabaseSync = await sqlite();
    const other = new DatabaseSync(server.db.location);
    other.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    const response = await server.fetch('/readyz');
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
      503,
      '1',
      '{"status":"unavailable"}',
    ]);
    other.exec(`PRAGMA user_version = ${migrations.length}`);
    other.close();
    expect((await server.fetch('/readyz')).status).toBe(200);
  },
);

test('health: /readyz is 503 without a reason when the database does not answer', async () => {
  const server = await start();
  await server.db.close();
  expect(await ask(server, '/readyz')).toEqual([503, '{"status":"unavailable"}']);
  expect(await ask(server, '/healthz')).toEqual([200, '{"status":"ok"}']);
});
