// A proxy before the platform that does one thing wrong: what a test says of a request, it does in the platform's place.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers in the platform's place and says true, or changes what goes on and says nothing. */
export type Fault = (asked: IncomingMessage, answer: ServerResponse) => unknown;

export interface Faulty {
  url: string;
  chatUrl: string;
  close(): Promise<void>;
}

/** Headers by which any page may read an answer. */
export const readable = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

export async function startFaulty(platformUrl: string, fault: Fault): Promise<Faulty> {
  const server = createServer((asked, answer) => {
    if (fault(asked, answer) === true) return;
    const { method, headers, url } = asked;
    const { host: _, ...rest } = headers;
    const forward = request(platformUrl + url, { method, headers: rest }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    answer.on('close', () => forward.destroy());
    forward.on('error', () => answer.destroy());
    asked.pipe(forward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    chatUrl: `${url}/chat/demo`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
