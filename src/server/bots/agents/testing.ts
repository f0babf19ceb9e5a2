// A run of an agent, and a scripted agent with chat completions on this machine, for tests.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Agent } from './agent.ts';
import type { AgentRun } from './protocol.ts';

/** Returns the first run of a conversation that has one message. */
export const testRun = (fields: Partial<AgentRun> = {}): AgentRun => ({
  runId: 'event-1',
  conversationId: 'conversation-1',
  model: 'test-model',
  instructions: 'Be kind.',
  history: [{ id: 'message-1', role: 'user', text: 'Hello', createdAt: '2026-01-01T00:00:00.000Z' }],
  knowledge: [],
  tools: [],
  context: [],
  state: undefined,
  resume: [],
  maxOutputTokens: 2_048,
  ...fields,
});

/** One request, as the agent gets it. */
export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: { messages: { role: string; content: string }[]; [field: string]: unknown };
  /** Resolves when the connection of the request is closed. */
  closed: Promise<unknown>;
}

export interface AgentServer {
  /** The address for AGENT. */
  url: string;
  requests: SeenRequest[];
  /** Replaces the function that answers; `index`: of the request. */
  answer(reply: (response: ServerResponse, request: SeenRequest, index: number) => unknown): void;
  close(): Promise<void>;
}

export async function startAgentServer(): Promise<AgentServer> {
  const requests: SeenRequest[] = [];
  let reply: Parameters<AgentServer['answer']>[0] = (response) => say(response, 'Hello');
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
    const request = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: JSON.parse(text),
      closed: once(response, 'close'),
    };
    requests.push(request);
    await reply(response, request, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer(next) {
      reply = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A stream of these events. */
export const frames = (events: object[]): string =>
  events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');

/** A frame with a part of the answer, or with the reason of its end. */
export const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** Begins a stream of events. */
export const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });

export const done = 'data: [DONE]\n\n';

/** Answers with a text. */
export const say = (response: ServerResponse, content: string): unknown =>
  begin(response).end(chunk({ content }) + chunk({}, 'stop') + done);

/** The agent at this address, as settings configure it. */
export const agentAt = (url: string, fields: Partial<Agent> = {}): Agent => ({
  url,
  protocol: 'openai-chat',
  key: undefined,
  headers: {},
  model: 'test-model',
  instructions: 'Be kind.',
  options: {},
  show: ['status', 'tools', 'sources'],
  ...fields,
});
