// Tests what an agent with AG-UI gets over several messages of a conversation: one thread, the end of what was open, and another
// request while it is busy.
import { expect, test } from 'vitest';
import { putState } from '../../storage/runtime/states.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { pollOptions, type TestServer } from '../../testing.ts';
import { interruptOf, markdownOf, startChat, useAgent } from './chat.testing.ts';
import { type AgentServer, agentAt, begin, frames } from './testing.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const busy = [1, 1, 1];

const agent = useAgent();
let server: TestServer;

type Reply = Parameters<AgentServer['answer']>[0];

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const text = (delta: string, id = 'm') => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta },
  { type: 'TEXT_MESSAGE_END', messageId: id },
];
const asking = (interrupt: object) => {
  return { ...finished, outcome: { type: 'interrupt', interrupts: [interrupt] } };
};
const says =
  (...events: object[]): Reply =>
  (response) =>
    begin(response).end(frames([started, ...events]));
const answers: Reply = says(...text('Hello.'), finished);
/** Each request gets the next answer, the last one for all others. */
const inTurn = (...replies: Reply[]) =>
  agent.answer((response, request, index) => (replies[index] ?? replies.at(-1))?.(response, request, index));

async function chat(path = '/agent') {
  server = await startServer({
    agent: agentAt(agent.url.replace('/v1', path), { protocol: 'ag-ui', show: ['tools'] }),
    agentHooks: { times: { busy, retries: [1, 1] } },
  });
  const { key, conversationId, send, messages, until, ask, post } = await startChat(() => server);
  return {
    ...{ key, conversationId, messages, until, ask, send },
    interrupt: async () => interruptOf((await messages()).at(-1)),
    respond: (id: string, body: object) => post(`/interrupts/${id}/response`, body),
  };
}

const bodies = () => agent.requests.map(({ body }) => body as Record<string, unknown>);
test('all runs of a conversation have one thread, whose id is a UUID, and an id of their own', async () => {
  inTurn(answers);
  const { conversationId, ask } = await chat();
  await ask('Hello');
  await ask('Again');
  const [first, second] = bodies();
  expect(first?.threadId).toMatch(uuid);
  expect(second?.threadId).toBe(first?.threadId);
  expect(first?.threadId).not.toBe(conversationId);
  expect(first?.runId).toMatch(uuid);
  expect(second?.runId).toMatch(uuid);
  expect(second?.runId).not.toBe(first?.runId);
});

test('a conversation whose agent has kept data under its id keeps this id as its thread', async () => {
  inTurn(answers);
  const { conversationId, ask } = await chat();
  await ask('Hello');
  // As an earlier version has stored it.
  const stored = { state: { state: { cart: ['A-1'] }, interrupts: [], calls: [], messages: [] } };
  await server.db.write(async (tx) => {
    const { id: botId } = (await tx.get('SELECT id FROM bots')) as { id: string };
    const row = {
      id: 'state_1',
      ownerId: conversationId,
      botId,
      name: 'agent',
      expiry: null,
      expiresAt: null,
    };
    await putState(tx, { ...row, payload: JSON.stringify(stored), createdAt: 0, updatedAt: 0 });
  });
  await ask('Again');
  await ask('And again');
  const [, second, third] = bodies();
  expect(second).toMatchObject({ threadId: conversationId, state: { cart: ['A-1'] } });
  expect(third).toMatchObject({ threadId: conversationId, state: { cart: ['A-1'] } });
});

test('an agent that asks by an event is answered as it expects, and the next message is a new turn', async () => {
  const value = { question: 'Refund 20 euros?', tool: 'refund', input: { order: 'A-1' } };
  const event = { type: 'CUSTOM', name: 'on_interrupt', value, rawEvent: { id: 'lg1', value } };
  inTurn(says(event, finished), says(...text('Refunded.'), finished), answers);
  const { until, ask, interrupt, respond } = await chat();
  await ask('Refund');
  const part = await interrupt();
  expect(part).toMatchObject({
    message: 'Refund 20 euros?',
    toolName: 'refund',
    input: { order: 'A-1' },
    state: 'open',
  });
  await respond(part.id, { status: 'resolved', payload: { approved: true } });
  await until(3);
  await ask('Thanks');
  expect(bodies().map(({ forwardedProps, resume }) => [forwardedProps, resume])).toEqual([
    [{}, undefined],
    [{ command: { resume: { approved: true } } }, undefined],
    [{}, undefined],
  ]);
});

test('the message of a visitor is sent once more if the agent has only cancelled its question', async () => {
  inTurn(says(asking({ id: 'i1', reason: 'confirmation', message: 'Sure?' })), says(finished), answers);
  const { messages, ask } = await chat();
  await ask('Refund');
  await ask('What are your hours?');
  expect(bodies().map(({ resume }) => resume)).toEqual([
    undefined,
    [{ interruptId: 'i1', status: 'cancelled' }],
    undefined,
  ]);
  expect(markdownOf((await messages()).at(-1))).toBe('Hello.');
});

test('a question is cancelled at the agent also if the server was killed before it had stored the state', async () => {
  inTurn(says(asking({ id: 'i1', reason: 'confirmation', message: 'Sure?' })), answers);
  const { ask } = await chat();
  await ask('Refund');
  await server.db.write((tx) => tx.run("DELETE FROM states WHERE name = 'agent'"));
  await ask('Hello');
  expect(bodies()[1]?.resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
});

test('a question of which nothing is known is asked in the language of the visitor, with all that was sent', async () => {
  inTurn(says(asking({ id: 'i1', reason: 'acme:hold', metadata: { acme: { code: 7 } } })));
  const { ask, interrupt } = await chat();
  await ask('Hello');
  expect(await interrupt()).toMatchObject({
    message: 'The assistant asks for your approval and does not say for what. This is all that it sent:',
    input: { acme: { code: 7 } },
  });
});

test('a question is open as long as the agent waits', async () => {
  const expiresAt = new Date(Date.now() + 60 * 60_000).toISOString();
  inTurn(says(asking({ id: 'i1', reason: 'confirmation', message: 'Sure?', expiresAt })));
  const { ask, interrupt } = await chat();
  await ask('Hello');
  // Without it, a question is open for a quarter of an hour.
  const later = Date.parse((await interrupt()).expiresAt) - Date.parse(expiresAt);
  expect(later).toBeGreaterThanOrEqual(-1);
  expect(later).toBeLessThan(30 * 60_000);
});

const refusing =
  (status: number, body: string): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);

test.each<[string, Reply]>([
  ['an error of the run', says({ type: 'RUN_ERROR', message: 'Thread is already running a task.' })],
  ['a stream without events', (response) => begin(response).end()],
  ['422', refusing(422, '{"detail":"Thread is already running a task. Wait for it to finish."}')],
  ['500', refusing(500, '{"error":"Failed to run agent","message":"Thread already running"}')],
  ['409', refusing(409, '')],
])('an agent that is busy, as it says with %s, is asked again', async (_, refuses) => {
  inTurn(refuses, refuses, answers);
  const { messages, ask } = await chat();
  await ask('Hello');
  expect(markdownOf((await messages())[1])).toBe('Hello.');
  expect(agent.requests).toHaveLength(3);
  expect(new Set(bodies().map(({ threadId }) => threadId)).size).toBe(1);
});

test('an agent that stays busy has failed, and one that refuses a request for another reason is not asked again', async () => {
  inTurn(refusing(422, '{"detail":"Thread is already running a task."}'));
  const { messages, ask } = await chat();
  await ask('Hello');
  expect((await messages())[1]?.metadata).toMatchObject({ error: 'bot_failed' });
  expect(agent.requests).toHaveLength(1 + busy.length);
  inTurn(refusing(422, '{"detail":"messages: field required"}'));
  await ask('Hello');
  expect(agent.requests).toHaveLength(2 + busy.length);
});

test("a stopped run is ended at CopilotKit's runtime, and the next message is answered", async () => {
  inTurn(
    (response) => begin(response).write(frames([started, ...text('Once').slice(0, 2)])),
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"stopped":true}'),
    answers,
  );
  const { key, conversationId, messages, until, send } = await chat('/api/agent/shop/run');
  const stream = await server.listen(key, conversationId, 0);
  await send('Tell me a story');
  const { streamId } = (await stream.untilType('message_stream_delta')).data;
  const body = { streamId };
  await server.call('POST', `/conversations/${conversationId}/stop`, { key, body });
  await expect.poll(() => agent.requests.length, pollOptions).toBe(2);
  await stream.cancel();
  const [run, cancelled] = agent.requests;
  const { threadId, runId } = (run?.body ?? {}) as { threadId?: unknown; runId?: unknown };
  expect(cancelled).toMatchObject({ path: `/api/agent/shop/stop/${String(threadId)}`, body: { runId } });
  const before = (await messages()).length;
  await send('Hello');
  await until(before + 2);
  expect(markdownOf((await messages()).at(-1))).toBe('Hello.');
});

test('the log of the bot says that the state of an agent was too large to be kept', async () => {
  const snapshot = { text: 'x'.repeat(70_000) };
  inTurn(says({ type: 'STATE_SNAPSHOT', snapshot }, ...text('Hello.'), finished));
  const { ask } = await chat();
  await ask('Hello');
  const rows = () => server.db.read((tx) => tx.all('SELECT kind, reason FROM bot_logs'));
  await expect.poll(rows, pollOptions).toEqual([{ kind: 'agent_state_dropped', reason: '70011 bytes' }]);
});
