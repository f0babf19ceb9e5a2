// A language model with the API of chat completions: it answers with the price of an umbrella if it got a passage with one, or greets.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnsweringModel {
  url: string;
  close(): Promise<unknown>;
}

/** Starts the model. It accepts the key `sk-test` only. */
export async function startModel(): Promise<AnsweringModel> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.headers.authorization !== 'Bearer sk-test') {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Incorrect API key provided.' } }));
      return;
    }
    const price = /The umbrella costs (\d+) EUR/.exec(body)?.[1];
    const text = price ? `It costs ${price} EUR.` : 'I can help you with orders.';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of text.split(/(?<= )/))
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    );
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
