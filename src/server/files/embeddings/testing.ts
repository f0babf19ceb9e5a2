// A server with an OpenAI-compatible embeddings address for tests. Its vectors count known words, so that a test
// decides which texts are similar; its answers can be replaced by any response.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  model: string;
  input: string[];
  authorization: string | undefined;
}

export interface EmbeddingServer {
  /** The address of `POST /embeddings`. */
  url: string;
  /** The requests so far. */
  received: ReceivedRequest[];
  /** Replaces the answers: returns undefined for the usual one. */
  answer(handler: ((request: ReceivedRequest, response: ServerResponse) => unknown) | undefined): void;
  close(): Promise<void>;
}

/** Words of equal meaning; each line is a dimension. */
const meanings = [
  ['refund', 'reimbursement', 'money'],
  ['parcel', 'delivery', 'shipping'],
  ['dog', 'puppy', 'animal'],
  ['night', 'dark'],
];

/** Returns the vector of a text for a model: a model whose name ends with a number has that many dimensions more. */
export function vectorOf(text: string, model = ''): number[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const vector = meanings.map((group) => words.filter((word) => group.includes(word)).length);
  const more = Number(/\d+$/.exec(model)?.[0] ?? 1);
  return [...vector, ...Array<number>(more).fill(0.01)];
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const received: ReceivedRequest[] = [];
  let handler: Parameters<EmbeddingServer['answer']>[0];
  const server = createServer((request, response) => void respond(request, response));

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { model, input } = JSON.parse(text) as { model: string; input: string[] };
    const seen = { model, input, authorization: request.headers.authorization };
    received.push(seen);
    const answer = await handler?.(seen, response);
    if (response.writableEnded || response.headersSent) return;
    const usual = { data: input.map((one, index) => ({ index, embedding: vectorOf(one, model) })) };
    response.setHeader('content-type', 'application/json');
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? usual));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`,
    received,
    answer(next) {
      handler = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
