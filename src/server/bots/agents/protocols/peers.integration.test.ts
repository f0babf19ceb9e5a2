// Runs whole conversations with servers that others have written: the AI SDK in two versions, and a mock of OpenAI's interfaces.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import * as ai6 from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import * as ai7 from 'ai7';
import { MockLanguageModelV4 } from 'ai7/test';
import { afterEach, describe, expect, test } from 'vitest';
import type { ProtocolName } from '../../../../protocol/admin.ts';
import type { Message } from '../../../../protocol/message.ts';
import { startTestServer, type TestServer } from '../../../testing.ts';
import { interruptOf, markdownOf, startChat } from '../chat.testing.ts';
import { agentAt } from '../testing.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Chunks of a model for a question: the words of the question decide. */
function answerTo(question: string, count: number, isDone: boolean): object[] {
  const text = (...deltas: string[]) => [
    { type: 'text-start', id: '0' },
    ...deltas.map((delta) => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
  ];
  const finish = (unified: string) => ({
    type: 'finish',
    usage: { inputTokens: { total: 3 }, outputTokens: { total: 4 } },
    finishReason: { unified, raw: unified },
  });
  const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: '{"order":"A-1"}' };
  const start = { type: 'stream-start', warnings: [] };
  if (question === 'Refund' && !isDone) return [start, call, finish('tool-calls')];
  if (question === 'Refund') return [start, ...text('The money is on its way.'), finish('stop')];
  if (question === 'Filter') return [start, ...text('Half'), finish('content-filter')];
  if (question === 'Slow')
    return [start, { type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'Begun' }];
  return [start, ...text(`You said ${question}`, ` (${count}).`), finish('stop')];
}

interface Part {
  type: string;
  text?: string;
}

/** The behavior of the model of a route. Its stream stays open for the question "Slow". */
function streamFor(options: unknown): ReadableStream {
  const { prompt, abortSignal } = options as {
    prompt: { role: string; content: Part[] }[];
    abortSignal?: AbortSignal;
  };
  const asked = prompt.filter(({ role }) => role === 'user');
  const question = asked.at(-1)?.content.find(({ type }) => type === 'text')?.text ?? '';
  const chunks = answerTo(question, asked.length, prompt.at(-1)?.role === 'tool');
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (question !== 'Slow') controller.close();
      abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason));
    },
  });
}

/** A route of the AI SDK as its documentation shows it, and the address of its server. */
async function startRoute(
  respond: (messages: never, response: ServerResponse) => Promise<void>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { messages } = JSON.parse(body);
    await respond(messages as never, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const inputSchema = { type: 'object', properties: { order: { type: 'string' } } } as const;

const refundOf = { needsApproval: true, execute: async () => 'sent' };
const routes = {
  'AI SDK 6': () =>
    startRoute(async (messages, response) => {
      const model = new MockLanguageModelV3({
        doStream: async (options) => ({ stream: streamFor(options) }),
      });
      const tools = { refund: ai6.tool({ inputSchema: ai6.jsonSchema(inputSchema), ...refundOf }) };
      const modelMessages = await ai6.convertToModelMessages(messages);
      const answer = ai6.streamText({ model, tools, messages: modelMessages, onError() {} });
      await answer.pipeUIMessageStreamToResponse(response);
    }),
  'AI SDK 7': () =>
    startRoute(async (messages, response) => {
      const model = new MockLanguageModelV4({
        doStream: async (options) => ({ stream: streamFor(options) }),
      });
      const tools = { refund: ai7.tool({ inputSchema: ai7.jsonSchema(inputSchema), ...refundOf }) };
      const modelMessages = await ai7.convertToModelMessages(messages);
      const { stream } = ai7.streamText({ model, tools, messages: modelMessages, onError() {} });
      await ai7.pipeUIMessageStreamToResponse({ response, stream: ai7.toUIMessageStream({ stream }) });
    }),
};

/** A server of OpenAI's interfaces. Its answer to "Slow" takes longer than a test. */
async function startModels(): Promise<string> {
  const mock = new LLMock({ port: 0 });
  for (const word of ['One', 'Two', 'Three', 'Four'])
    mock.addFixture({ match: { userMessage: word }, response: { content: `You said ${word}.` } });
  mock.addFixture({
    match: { userMessage: 'Slow' },
    response: { content: 'Begun '.repeat(10_000) },
    chunkSize: 6,
    latency: 20,
  });
  await mock.start();
  closing.push(() => mock.stop());
  return mock.url;
}

/** A chat whose agent is at an address. */
async function startPeerChat(url: string, protocol: ProtocolName) {
  const options = { agent: agentAt(url, { protocol }), agentHooks: { times: { retries: [1, 1] } } };
  let server: TestServer = await startTestServer(options);
  closing.push(() => server.close());
  const { key, conversationId, send, ask, post, answers } = await startChat(() => server);
  /** The next message of the bot. */
  const next = async (act: () => Promise<unknown>): Promise<Message | undefined> => {
    const { length } = await answers(0);
    await act();
    return (await answers(length + 1)).at(-1);
  };
  return {
    ask,
    async stop() {
      const stream = await server.listen(key, conversationId);
      const stopped = await next(async () => {
        await send('Slow');
        const { streamId } = (await stream.untilType('message_stream_delta')).data;
        await post(`/conversations/${conversationId}/stop`, { streamId });
      });
      await stream.cancel();
      return stopped;
    },
    approve: (question: Message | undefined) =>
      next(async () => {
        const body = { status: 'resolved', payload: { approved: true } };
        expect((await post(`/interrupts/${interruptOf(question).id}/response`, body)).status).toBe(200);
      }),
    async restart() {
      server = await server.restart();
    },
  };
}

describe.each(Object.entries(routes))('a route of the %s', (_, startPeer) => {
  test('answers again: a second message, after a stop, and after a restart', async () => {
    const chat = await startPeerChat(await startPeer(), 'ai-sdk');
    expect(markdownOf(await chat.ask('One'))).toBe('You said One (1).');
    expect(markdownOf(await chat.ask('Two'))).toBe('You said Two (2).');
    expect(await chat.stop()).toMatchObject({ payload: { markdown: 'Begun' }, metadata: { stopped: true } });
    expect(markdownOf(await chat.ask('Three'))).toBe('You said Three (4).');
    await chat.restart();
    expect(markdownOf(await chat.ask('Four'))).toBe('You said Four (5).');
  });

  test('asks before it acts, and a message in place of the answer is answered', async () => {
    const chat = await startPeerChat(await startPeer(), 'ai-sdk');
    const question = await chat.ask('Refund');
    expect(question?.parts).toMatchObject([
      { type: 'tool', toolName: 'refund', state: 'approval-requested' },
      { type: 'interrupt', toolName: 'refund', input: { order: 'A-1' }, state: 'open' },
    ]);
    expect(markdownOf(await chat.approve(question))).toBe('The money is on its way.');
    const again = await chat.ask('Refund');
    expect(again?.parts?.at(-1)).toMatchObject({ type: 'interrupt', state: 'open' });
    expect(markdownOf(await chat.ask('Never mind'))).toMatch(/^You said Never mind/);
    await chat.restart();
    const third = await chat.ask('Refund');
    expect(markdownOf(await chat.approve(third))).toBe('The money is on its way.');
  });

  test('tells that a filter has ended its answer', async () => {
    const chat = await startPeerChat(await startPeer(), 'ai-sdk');
    expect(await chat.ask('Filter')).toMatchObject({
      payload: { markdown: 'Half' },
      metadata: { error: 'agent_failed' },
    });
  });
});

test.each<[ProtocolName, string]>([
  ['openai-chat', '/v1/chat/completions'],
  ['openai-responses', '/v1/responses'],
])(
  'a server of models with %s answers again: a second message, after a stop, and after a restart',
  async (protocol, path) => {
    const chat = await startPeerChat((await startModels()) + path, protocol);
    expect(markdownOf(await chat.ask('One'))).toBe('You said One.');
    expect(markdownOf(await chat.ask('Two'))).toBe('You said Two.');
    const stopped = await chat.stop();
    expect(markdownOf(stopped)).toMatch(/^Begun/);
    expect(stopped?.metadata).toMatchObject({ stopped: true });
    expect(markdownOf(await chat.ask('Three'))).toBe('You said Three.');
    await chat.restart();
    expect(markdownOf(await chat.ask('Four'))).toBe('You said Four.');
  },
);
