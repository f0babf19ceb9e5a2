// Tests agents that ask the visitor: with AG-UI, over HTTP, until the agent has gone on with the answer.
import { beforeEach, expect, test } from 'vitest';
import { startServer } from '../../testing/servers.testing.ts';
import { pollOptions, type TestServer } from '../../testing.ts';
import { interruptOf, startChat, useAgent } from './chat.testing.ts';
import { agentAt, begin, frames } from './testing.ts';

const agent = useAgent();
let server: TestServer;
/** The text of the agent after the answer. */
let afterwards: object[];
let interrupt: object;

const message = (id: string, delta: string) => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta },
  { type: 'TEXT_MESSAGE_END', messageId: id },
];
const callWith = (delta: string) => [
  { type: 'TOOL_CALL_START', toolCallId: 'call/1', toolCallName: 'refund' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'call/1', delta },
  { type: 'TOOL_CALL_END', toolCallId: 'call/1' },
];
let call: object[];

beforeEach(() => {
  call = callWith('{"order":"A-1","amount":20}');
  interrupt = { id: 'ask/1', reason: 'tool_call', message: 'Refund 20 euros?', toolCallId: 'call/1' };
  afterwards = [
    { type: 'TOOL_CALL_RESULT', messageId: 'result', toolCallId: 'call/1', content: 'refunded' },
    ...message('m2', 'It is on its way.'),
  ];
  agent.answer((response, { body }) => {
    const { threadId, runId } = body as { threadId?: string; runId?: string };
    const ends = { type: 'RUN_FINISHED', threadId, runId };
    const events = body.resume
      ? [...afterwards, { ...ends, outcome: { type: 'success' } }]
      : [
          ...message('m1', 'Let me see.'),
          ...call,
          { ...ends, outcome: { type: 'interrupt', interrupts: [interrupt] } },
        ];
    begin(response).end(frames([{ type: 'RUN_STARTED', threadId, runId }, ...events]));
  });
});
async function ask(show: Parameters<typeof agentAt>[1] = {}) {
  const url = agent.url.replace('/v1', '/agent');
  server = await startServer({ agent: agentAt(url, { protocol: 'ag-ui', ...show }) });
  const { send, messages, until, post } = await startChat(() => server);
  await send('I want my money back.');
  const [, asked] = await until(2);
  const part = interruptOf(asked);
  const respond = (body: object) => post(`/interrupts/${part.id}/response`, body);
  const approve = (approved: boolean) => respond({ status: 'resolved', payload: { approved } });
  return { part, parts: asked?.parts, messages, until, respond, approve, send };
}

/** The answer as the agent gets it. */
const answered = (approved: boolean) => ({ interruptId: 'ask/1', status: 'resolved', payload: { approved } });

test('an approval of the visitor is sent to the agent, which continues, and its tool shows the result', async () => {
  const { part, parts, messages, until, approve } = await ask({ show: ['tools', 'tool-output'] });
  const asked = { reason: 'tool_call', message: 'Refund 20 euros?', toolName: 'refund', state: 'open' };
  expect(part).toMatchObject({ ...asked, input: { order: 'A-1', amount: 20 } });
  const tool = { type: 'tool', toolName: 'refund', state: 'approval-requested' };
  expect(parts).toContainEqual(expect.objectContaining(tool));
  expect(JSON.stringify(await messages())).not.toContain('ask/1');
  expect((await approve(true)).status).toBe(200);
  await until(3);
  expect(agent.requests).toHaveLength(2);
  expect(agent.requests[1]?.body.resume).toEqual([answered(true)]);
  const [, earlier, later] = await messages();
  expect(later?.payload).toEqual({ type: 'markdown', markdown: 'It is on its way.' });
  await expect
    .poll(async () => (await messages())[1]?.parts?.find(({ type }) => type === 'tool'), pollOptions)
    .toMatchObject({ state: 'output-available', output: 'refunded' });
  expect(earlier?.parts).toContainEqual(expect.objectContaining({ type: 'interrupt', state: 'resolved' }));
});

test('a refusal goes back, too; tools that are not shown are asked for by name and input alone', async () => {
  afterwards = message('m2', 'As you wish.');
  const { part, parts, until, approve } = await ask({ show: [] });
  expect(parts?.filter(({ type }) => type === 'tool')).toEqual([]);
  expect(part).toMatchObject({ toolName: 'refund', input: { order: 'A-1', amount: 20 } });
  await approve(false);
  await until(3);
  expect(agent.requests[1]?.body.resume).toEqual([answered(false)]);
});

test.each([
  ['a text', ['tools'], 'DELETE FROM orders', 'DELETE FROM orders'],
  ['a shown text', ['tools', 'tool-input'], 'DELETE FROM orders', 'DELETE FROM orders'],
  ['a list', ['tools'], '["A-1",2000]', ['A-1', 2_000]],
  ['an object that is cut off', ['tools'], '{"amount":2000,', '{"amount":2000,'],
  ['a number', [], '2000', 2_000],
  ['null', [], 'null', null],
] as const)(
  'the visitor sees an input that is %s, and the agent gets it back unchanged',
  async (_, show, sent, input) => {
    call = callWith(sent);
    const { part, until, approve } = await ask({ show });
    expect(part).toMatchObject({ toolName: 'refund', input: { input }, state: 'open' });
    await approve(true);
    await until(3);
    const made = expect.objectContaining({ function: { name: 'refund', arguments: sent } });
    expect(agent.requests[1]?.body.messages).toContainEqual(expect.objectContaining({ toolCalls: [made] }));
  },
);

test('the visitor sees an input whose end the agent has not reported', async () => {
  call = call.slice(0, 2);
  const { part } = await ask({ show: [] });
  expect(part).toMatchObject({ toolName: 'refund', input: { order: 'A-1', amount: 20 } });
});

test.each([
  ['is longer than a question can show', 20_000],
  ['does not fit into what the server keeps', 1_000_001],
])(
  'a question that cannot be asked because its input %s leaves the text that the visitor has read',
  async (_, length) => {
    call = callWith(`{"order":"${'x'.repeat(length)}"}`);
    const { part, messages } = await ask();
    expect(part).toBeUndefined();
    const [, answer, ...more] = await messages();
    const payload = { type: 'markdown', markdown: 'Let me see.' };
    expect(answer).toMatchObject({ payload, metadata: { error: 'agent_failed' } });
    expect(more).toEqual([]);
  },
);

test('another message of the visitor cancels the question, and the agent learns both', async () => {
  const { until, approve, send } = await ask();
  await send('Never mind.');
  await until(4);
  expect(agent.requests.map(({ body }) => body.resume)).toEqual([
    undefined,
    [{ interruptId: 'ask/1', status: 'cancelled' }],
  ]);
  expect(agent.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'Never mind.' });
  expect((await approve(true)).status).toBe(409);
  // The question is not open any more.
  await send('Hello?');
  await until(6);
  expect(agent.requests[2]?.body.resume).toBeUndefined();
});

/** A question with a form. */
const asksFor = (responseSchema: object) => {
  interrupt = { id: 'ask/1', reason: 'input_required', message: 'Where to?', responseSchema };
};

test('a question with a form: unsupported keywords are ignored, and unsupported fields are a text box', async () => {
  const iban = { type: 'string', minLength: 4 };
  asksFor({
    ...{
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
    },
    ...{ properties: { iban: { ...iban, pattern: '^DE', format: 'iban' } }, required: ['iban'] },
  });
  const { part, until, respond } = await ask();
  expect(part.responseSchema).toEqual({ type: 'object', properties: { iban }, required: ['iban'] });
  expect((await respond({ status: 'resolved', payload: { iban: 'x' } })).status).toBe(400);
  const resolution = { status: 'resolved', payload: { iban: 'DE00' } };
  await respond(resolution);
  await until(3);
  expect(agent.requests[1]?.body.resume).toEqual([{ interruptId: 'ask/1', ...resolution }]);
});

test('a schema that no form can be is asked as a text box', async () => {
  asksFor({ type: 'object', properties: { address: { type: 'object', properties: {} } } });
  const { part } = await ask();
  expect(part.responseSchema?.properties).toEqual({ answer: { type: 'string' } });
});

test('a restart between the question and the answer loses nothing that the agent keeps', async () => {
  const { part, until, approve } = await ask();
  expect(part.state).toBe('open');
  // The state of the agent is stored with the question, before the visitor sees it.
  await server.db.write((tx) => tx.run("DELETE FROM states WHERE name = 'agent'"));
  await approve(true);
  await until(3);
  const messages = agent.requests[1]?.body.messages ?? [];
  expect(messages.map(({ content }) => content)).toContain('Let me see.');
});
