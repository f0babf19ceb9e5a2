// A language model for tests: a real HTTP server with the chat completions of OpenAI, whose answers the test decides.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request, as the model gets it. */
export interface ModelRequest {
  headers: IncomingMessage['headers'];
  body: { model: string; messages: { role: string; content: string }[]; [field: string]: unknown };
  /** The instructions, and the data of the row. */
  instructions: string;
  data: Record<string, unknown>;
}

/** The value of the cell; the exact text of the answer; or a response of any kind. */
export type ModelReply =
  | { value: unknown }
  | { content: string }
  | { status: number; headers?: Record<string, string>; body?: string }
  | ((response: ServerResponse) => void);

export interface ModelServer {
  /** The address for the option `model`. */
  url: string;
  requests: ModelRequest[];
  /** Replaces the function that answers. */
  answer(reply: (request: ModelRequest, index: number) => ModelReply | Promise<ModelReply>): void;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let reply: (request: ModelRequest, index: number) => ModelReply | Promise<ModelReply> = () => ({
    value: null,
  });
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
    if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
    const body: ModelRequest['body'] = JSON.parse(text);
    const [system, user] = body.messages;
    const request = {
      headers: incoming.headers,
      body,
      instructions: system?.content ?? '',
      data: JSON.parse(user?.content ?? '{}'),
    };
    requests.push(request);
    send(response, await reply(request, requests.length - 1));
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

function send(response: ServerResponse, reply: ModelReply): void {
  if (typeof reply === 'function') {
    reply(response);
    return;
  }
  if ('status' in reply) {
    response.writeHead(reply.status, reply.headers).end(reply.body);
    return;
  }
  const content = 'content' in reply ? reply.content : JSON.stringify({ value: reply.value });
  const completion = {
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
}
