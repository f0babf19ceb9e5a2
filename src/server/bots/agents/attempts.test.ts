// Tests runs of agents that are repeated, because their process ended, and runs in several processes.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../protocol/message.ts';
import { isPostgresTest } from '../../storage/postgres/testing.ts';
import {
  pollOptions,
  startTestCluster,
  startTestServer,
  type TestOptions,
  type TestServer,
} from '../../testing.ts';
import { defaultAgentLimits } from './limits.ts';
import { type AgentServer, agentAt, begin, chunk, done, say, startAgentServer } from './testing.ts';

let agent: AgentServer;
let ends: (() => Promise<unknown>)[];
beforeEach(async () => {
  ends = [];
  agent = await startAgentServer();
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  await agent.close();
});

const options = (): TestOptions => ({ agents: { agent: agentAt(agent.url), times: { retries: [1, 1] } } });

async function messagesOf(server: TestServer, key: string, conversationId: string): Promise<Message[]> {
  const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
  return (body as { messages: Message[] }).messages;
}

/** A server whose process ended `attempts` times during the run of a message. */
async function killed(attempts: number, change: (server: TestServer) => Promise<unknown> = async () => {}) {
  const server = await startTestServer(options());
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  agent.answer((response) => begin(response).write(chunk({ content: 'Begun' })));
  await server.sendMessage(key, conversationId, 'Hello');
  await expect.poll(() => agent.requests.length, pollOptions).toBe(1);
  await server.db.write((tx) => tx.run('UPDATE deliveries SET attempts = ?', attempts));
  await change(server);
  agent.answer((response) => say(response, 'Whole'));
  const restarted = await server.restart();
  ends.push(() => restarted.close());
  return {
    server: restarted,
    answers: async () =>
      (await messagesOf(restarted, key, conversationId)).filter(
        ({ payload }) => !('text' in payload) || payload.text !== 'Hello',
      ),
  };
}

test('a run that a killed process has begun is begun again, once', async () => {
  const { answers } = await killed(1);
  await expect.poll(async () => (await answers()).length, pollOptions).toBe(1);
  expect((await answers())[0]?.payload).toEqual({ type: 'markdown', markdown: 'Whole' });
  expect(agent.requests).toHaveLength(2);
});

test('a run that has ended two processes is not begun again', async () => {
  const { answers } = await killed(2);
  await expect.poll(async () => (await answers()).length, pollOptions).toBe(1);
  expect((await answers())[0]?.metadata).toEqual({ error: 'bot_failed' });
  expect(agent.requests).toHaveLength(1);
});

test('an answer that was stored before the process was killed is not asked for again', async () => {
  const { server, answers } = await killed(1, async ({ db }) => {
    const [event] = await db.read((tx) =>
      tx.all<{ eventId: string }>('SELECT event_id AS "eventId" FROM deliveries'),
    );
    await db.write(async (tx) => {
      const [row] = await tx.all<Record<string, string | number | null>>('SELECT * FROM messages LIMIT 1');
      await tx.run(
        'INSERT INTO messages (id, conversation_id, seq, user_id, is_bot, payload, origin, created_at) VALUES (?, ?, ?, ?, 1, ?, ?, ?)',
        `${row?.id}Z`,
        row?.conversation_id ?? '',
        Number(row?.seq) + 500,
        row?.user_id ?? '',
        '{"type":"markdown","markdown":"Stored"}',
        `${event?.eventId}:stream:0`,
        Number(row?.created_at) + 1,
      );
    });
  });
  const pending = () => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries'));
  await expect.poll(pending, pollOptions).toEqual([]);
  expect((await answers()).map(({ payload }) => payload)).toEqual([{ type: 'markdown', markdown: 'Stored' }]);
  expect(agent.requests).toHaveLength(1);
});

/** Two processes on one database, and a user with two conversations. */
async function startTwo(limits: Partial<typeof defaultAgentLimits>) {
  const agents = { agent: agentAt(agent.url), limits: { ...defaultAgentLimits, ...limits } };
  // Runs are counted by clock hours, and the test must not begin in one and end in the next.
  const time = Date.now();
  const { servers, close } = await startTestCluster(2, { agents, now: () => time });
  ends.push(close);
  const [first, second] = servers as [TestServer, TestServer];
  const { key } = await first.user();
  const conversations = [await first.conversation(key), await second.conversation(key)] as const;
  const refusals = async (conversationId: string) =>
    (await messagesOf(first, key, conversationId)).filter(({ metadata }) => metadata?.error === 'agent_limit')
      .length;
  return { first, second, key, conversations, refusals };
}

// Processes share a database on PostgreSQL only.
describe.runIf(isPostgresTest())('runs of agents in several processes', () => {
  test('the runs of an hour are counted together, also those that begin at once', async () => {
    const { first, second, key, conversations, refusals } = await startTwo({
      runsPerHour: 4,
      runsOfUser: 100,
    });
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        await first.sendMessage(key, conversations[0], 'Hello');
        await second.sendMessage(key, conversations[1], 'Hello');
      }),
    );
    const refused = async () => (await refusals(conversations[0])) + (await refusals(conversations[1]));
    await expect.poll(refused, pollOptions).toBe(6);
    expect(agent.requests).toHaveLength(4);
  });

  test('a run at one process takes the slot of a run at another one', async () => {
    const { first, second, key, conversations, refusals } = await startTwo({ runsOfUser: 1 });
    let release = () => {};
    agent.answer((response) => {
      begin(response).write(chunk({ content: 'Begun' }));
      release = () => response.end(chunk({}, 'stop') + done);
    });
    await first.sendMessage(key, conversations[0], 'Hello');
    await expect.poll(() => agent.requests.length, pollOptions).toBe(1);
    await second.sendMessage(key, conversations[1], 'Hello');
    await expect.poll(() => refusals(conversations[1]), pollOptions).toBe(1);
    release();
    await expect
      .poll(async () => (await messagesOf(second, key, conversations[0])).length, pollOptions)
      .toBe(2);
    expect(agent.requests).toHaveLength(1);
  });
});
