// Tests of a server whose database is away for a while: what requests get, and that nothing is lost or stored twice.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../../../e2e/support/faults/tcp-proxy.ts';
import { startPostgres } from '../../../../scripts/services/postgres.mjs';
import type { BotHandler } from '../../../protocol/bot.ts';
import { allDelivered } from '../../testing/settled-rows.testing.ts';
import { pollOptions, startTestServer, type TestServer } from '../../testing.ts';
import { usePostgres } from './databases.testing.ts';
import { openPostgres } from './postgres.ts';

const post = (server: TestServer, key: string, conversationId: string, text: string) =>
  server.call('POST', '/messages', {
    key,
    body: { conversationId, payload: { type: 'text', text } },
    headers: { 'idempotency-key': text },
  });

/** Repeats a post until it is acknowledged, and returns the statuses of the attempts before. */
async function postUntilStored(server: TestServer, key: string, conversationId: string, text: string) {
  const refused: number[] = [];
  for (;;) {
    const { status } = await post(server, key, conversationId, text);
    if (status === 201) return refused;
    refused.push(status);
    // The interval of a client that repeats its requests.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const textsOf = async (server: TestServer) => {
  const rows = await server.db.read((tx) =>
    tx.all<{ payload: string }>('SELECT payload FROM messages WHERE is_bot = 0'),
  );
  return rows.map(({ payload }) => JSON.parse(payload).text as string).sort();
};

describe('a server behind a connection that fails', () => {
  const postgres = usePostgres();
  let proxy: TcpProxy;
  let server: TestServer;
  let changes: boolean[];
  let key: string;
  let conversationId: string;
  let handle: BotHandler;
  beforeEach(async () => {
    handle = () => {};
    proxy = await startTcpProxy(await postgres.url());
    changes = [];
    const onAvailable = (isAvailable: boolean) => void changes.push(isAvailable);
    const db = await openPostgres(proxy.url, { pool: 5, onAvailable });
    server = await startTestServer({ db, handler: (event, bot) => handle(event, bot) }, postgres.folder());
    ({ key } = await server.user());
    conversationId = await server.conversation(key);
  });
  afterEach(async () => {
    proxy.state = 'open';
    await server.composition.close();
    await server.db.close();
    await proxy.close();
  });

  test('delivers an event again whose bot could not answer meanwhile, and tells the visitor no failure', async () => {
    const attempts: string[] = [];
    handle = async (event, bot) => {
      if (event.type !== 'text') return;
      attempts.push(event.id);
      if (attempts.length === 1) {
        proxy.state = 'refused';
        proxy.cutAll();
      }
      try {
        await bot.reply({ type: 'text', text: 'the answer' });
      } finally {
        proxy.state = 'open';
      }
    };
    expect((await post(server, key, conversationId, 'a question')).status).toBe(201);
    const texts = async () => {
      const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
      return (body.messages as { payload: { text: string } }[])?.map(({ payload }) => payload.text);
    };
    await expect.poll(texts, pollOptions).toEqual(['the answer', 'a question']);
    await allDelivered(server.db);
    expect(await texts()).toEqual(['the answer', 'a question']);
    expect(attempts.length).toBeGreaterThan(1);
    expect(new Set(attempts).size).toBe(1);
  });

  test.each(['refused', 'silent'] as const)(
    'answers 503 with Retry-After while the database is %s, keeps its streams, and goes on afterwards',
    async (state) => {
      const stream = await server.listen(key, conversationId);
      const logged = server.log.length;
      proxy.state = state;
      if (state === 'refused') proxy.cutAll();
      // More than there are connections.
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, (_, n) => post(server, key, conversationId, `${n}`)),
        server.call('GET', `/conversations/${conversationId}/messages`, { key }),
      ]);
      for (const { status, headers, body } of answers) {
        expect([status, body.type, headers.get('retry-after')]).toEqual([503, 'ServiceUnavailable', '2']);
        expect(Object.keys(body).sort()).toEqual(['code', 'id', 'message', 'metadata', 'type']);
      }
      // A request can be answered before the next look at those who wait.
      await expect.poll(() => changes, pollOptions).toEqual([false]);
      expect(server.log.slice(logged).filter(({ msg }) => msg === 'request failed')).toEqual([]);
      proxy.state = 'open';
      const texts = Array.from({ length: 20 }, (_, n) => `${n}`);
      await Promise.all(texts.map((text) => postUntilStored(server, key, conversationId, text)));
      expect(await textsOf(server)).toEqual(texts.toSorted());
      await stream.until(({ signal }) => signal?.type === 'message_created');
      await expect.poll(() => changes, pollOptions).toEqual([false, true]);
      await stream.cancel();
    },
  );

  test('lets requests wait for a database that comes back soon', async () => {
    let attempts = 0;
    const { filter } = proxy;
    // The first attempts of the requests fail.
    proxy.filter = () => {
      attempts += 1;
      if (attempts > 8) proxy.filter = filter;
      return { bytes: Buffer.alloc(0), cut: 'now' };
    };
    proxy.cutAll();
    const texts = Array.from({ length: 10 }, (_, n) => `${n}`);
    const answers = await Promise.all(texts.map((text) => post(server, key, conversationId, text)));
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 201));
    expect(await textsOf(server)).toEqual(texts);
    expect(attempts).toBeGreaterThan(8);
  });

  test('is not ready when the database has not answered for ten seconds, and ready when it answers', async () => {
    const statusOf = async () => (await server.fetch('/readyz')).status;
    expect(await statusOf()).toBe(200);
    proxy.state = 'silent';
    // A short interruption does not stop the process: its requests fail already.
    expect((await post(server, key, conversationId, 'x')).status).toBe(503);
    await expect.poll(statusOf, pollOptions).toBe(503);
    expect((await server.fetch('/healthz')).status).toBe(200);
    proxy.state = 'open';
    await expect.poll(statusOf, pollOptions).toBe(200);
  });

  test('answers 503 to requests that are under way when it closes, as on a busy machine: they are repeated elsewhere', async () => {
    // They occupy all connections, until the lock is given up.
    const other = new pg.Client({ connectionString: await postgres.url() });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(1)');
    const slow = Array.from({ length: 5 }, () =>
      server.db.read((tx) => tx.all('SELECT 1 FROM pg_advisory_lock_shared(1)')),
    );
    const occupied = async () => {
      const { rows } = await other.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
      );
      return rows.length;
    };
    await expect.poll(occupied, pollOptions).toBe(5);
    const waiting = [
      server.call('GET', '/users/me', { key }),
      server.call('GET', `/conversations/${conversationId}/messages`, { key }),
    ];
    const closing = server.db.close();
    const late = [server.call('GET', '/users/me', { key }), post(server, key, conversationId, 'late')];
    const answers = await Promise.all([...waiting, ...late]);
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      Array(4).fill([503, '2']),
    );
    await other.end();
    await Promise.all([...slow, closing]);
  });

  test('does not give up statements that take long while the database answers', async () => {
    const slow = server.db.read((tx) => tx.get<{ n: number }>('SELECT 1 AS n FROM pg_sleep(7)'));
    expect(await slow).toEqual({ n: 1 });
    expect(changes).toEqual([]);
  });
});

test.each(['SIGINT', 'SIGQUIT'] as const)(
  'a restart of PostgreSQL by %s while messages are stored loses nothing and stores nothing twice',
  async (signal) => {
    const postgres = await startPostgres({ synchronous_commit: 'on' });
    const server = await startTestServer({ db: await openPostgres(postgres.urlOf('postgres')) });
    const people = await Promise.all(Array.from({ length: 5 }, () => server.user()));
    const ids = await Promise.all(people.map(({ key }) => server.conversation(key)));
    let isOver = false;
    const acknowledged: string[] = [];
    const refused = new Set<number>();
    const senders = people.map(async ({ key }, n) => {
      for (let count = 0; !isOver; count += 1) {
        const text = `${n} ${count}`;
        for (const status of await postUntilStored(server, key, ids[n] ?? '', text)) refused.add(status);
        acknowledged.push(text);
      }
    });
    for (let count = 1; count <= 2; count += 1) {
      await expect.poll(() => acknowledged.length, pollOptions).toBeGreaterThan(count * 20);
      await postgres.restart(signal);
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length, pollOptions).toBeGreaterThan(before + 10);
    }
    isOver = true;
    await Promise.all(senders);
    expect(await textsOf(server)).toEqual(acknowledged.toSorted());
    expect([...refused].filter((status) => status !== 503)).toEqual([]);
    await server.composition.close();
    await server.db.close();
    await postgres.stop();
  },
);
