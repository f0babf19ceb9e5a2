// Tests runs of agents that are repeated, because their process ended, and runs in several processes.
import { afterEach, describe, expect, test } from 'vitest';
import { isPostgresTest } from '../../storage/postgres/testing.ts';
import {
  pollOptions,
  startTestCluster,
  startTestServer,
  type TestOptions,
  type TestServer,
} from '../../testing.ts';
import { type Chat, markdownOf, startChat, useAgent } from './chat.testing.ts';
import { agentAt, begin, chunk, done, say } from './testing.ts';

const agent = useAgent();
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const options = (): TestOptions => ({
  agent: agentAt(agent.url),
  agentHooks: { times: { retries: [1, 1] } },
});

/** A server whose process ended `attempts` times during the run of a message. */
async function killed(attempts: number, change: (server: TestServer) => Promise<unknown> = async () => {}) {
  let server = await startTestServer(options());
  const { send, answers, messages } = await startChat(() => server);
  agent.answer((response) => begin(response).write(chunk({ content: 'Begun' })));
  await send('Hello');
  await expect.poll(() => agent.requests.length, pollOptions).toBe(1);
  await server.db.write((tx) => tx.run('UPDATE deliveries SET attempts = ?', attempts));
  await change(server);
  agent.answer((response) => say(response, 'Whole'));
  server = await server.restart();
  ends.push(() => server.close());
  return { server, answers, messages };
}

test('a run that a killed process has begun is begun again, once', async () => {
  const { answers } = await killed(1);
  expect((await answers(1))[0]?.payload).toEqual({ type: 'markdown', markdown: 'Whole' });
  expect(agent.requests).toHaveLength(2);
});

test('a run that has ended two processes is not begun again', async () => {
  const { answers } = await killed(2);
  expect((await answers(1))[0]?.metadata).toEqual({ error: 'bot_failed' });
  expect(agent.requests).toHaveLength(1);
});

test('an answer that was stored before the process was killed is not asked for again', async () => {
  const { server, messages } = await killed(1, async ({ db }) => {
    const [event] = await db.read((tx) => tx.all<{ eventId: string }>('SELECT event_id FROM deliveries'));
    await db.write(async (tx) => {
      const [row] = await tx.all<Record<string, string | number | null>>('SELECT * FROM messages LIMIT 1');
      await tx.run(
        'INSERT INTO messages (id, conversation_id, seq, user_id, is_bot, payload, origin, created_at, bot_id) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?)',
        `${row?.id}Z`,
        row?.conversationId ?? '',
        Number(row?.seq) + 500,
        row?.userId ?? '',
        '{"type":"markdown","markdown":"Stored"}',
        `${event?.eventId}:stream:0`,
        Number(row?.createdAt) + 1,
        row?.botId ?? '',
      );
    });
  });
  const pending = () => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries'));
  await expect.poll(pending, pollOptions).toEqual([]);
  expect((await messages()).map(markdownOf)).toEqual([undefined, 'Stored']);
  expect(agent.requests).toHaveLength(1);
});

/** A user with two conversations, each at a process of its own. */
async function startTwo(limits: TestOptions) {
  // Runs are counted by clock hours, and the test must not begin in one and end in the next.
  const time = Date.now();
  const { servers, close } = await startTestCluster(2, {
    agent: agentAt(agent.url),
    ...limits,
    now: () => time,
  });
  ends.push(close);
  const [one, two] = servers as [TestServer, TestServer];
  const first = await startChat(() => one);
  return { first, second: await startChat(() => two, first) };
}
const refusals = async ({ messages }: Chat) =>
  (await messages()).filter(({ metadata }) => metadata?.error === 'agent_limit').length;

// Processes share a database on PostgreSQL only.
describe.runIf(isPostgresTest())('runs of agents in several processes', () => {
  test('the runs of an hour are counted together, also those that begin at once', async () => {
    const { first, second } = await startTwo({
      AGENT_RUNS_PER_HOUR: 4,
      agentHooks: { concurrency: { ofUser: 100 } },
    });
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        await first.send('Hello');
        await second.send('Hello');
      }),
    );
    await expect.poll(async () => (await refusals(first)) + (await refusals(second)), pollOptions).toBe(6);
    expect(agent.requests).toHaveLength(4);
  });

  test('a run at one process takes the slot of a run at another one', async () => {
    const { first, second } = await startTwo({ agentHooks: { concurrency: { ofUser: 1 } } });
    let release = () => {};
    agent.answer((response) => {
      begin(response).write(chunk({ content: 'Begun' }));
      release = () => response.end(chunk({}, 'stop') + done);
    });
    await first.send('Hello');
    await expect.poll(() => agent.requests.length, pollOptions).toBe(1);
    await second.send('Hello');
    await expect.poll(() => refusals(second), pollOptions).toBe(1);
    release();
    await first.until(2);
    expect(agent.requests).toHaveLength(1);
  });
});
