// A proxy in front of an S3 server that causes faults, and lists the requests.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Options } from './requests.ts';

/**
 * What happens to a request. `refuse`: 503 without the server; `silent`: no response; `lose`: the connection ends before
 * the server has the request; `loseResponse`: after the server has processed it. An object replaces parts of the response
 * of the server.
 */
export type Fault =
  | 'refuse'
  | 'silent'
  | 'lose'
  | 'loseResponse'
  | { status?: number; headers?: Record<string, string>; text?: string; cutAfter?: number };

export interface SeenRequest {
  method: string;
  /** The path after the bucket. */
  name: string;
  query: URLSearchParams;
}

export interface FaultProxy {
  /** The options of a store behind the proxy. */
  options(s3: S3Options): S3Options;
  /** Every request that the server received. */
  seen: SeenRequest[];
  /** Called for each request; undefined passes it on. It may wait. */
  fault: (request: SeenRequest) => Fault | undefined | Promise<Fault | undefined>;
  close(): Promise<void>;
}

export async function startFaultProxy(origin: string): Promise<FaultProxy> {
  const target = new URL(origin);
  const proxy: FaultProxy = {
    options: (s3) => ({ ...s3, url: s3.url.replace(origin, address) }),
    seen: [],
    fault: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', origin);
    const seen = {
      method: incoming.method ?? '',
      name: url.pathname.split('/').slice(2).join('/'),
      query: url.searchParams,
    };
    const fault = await proxy.fault(seen);
    if (fault === 'silent') return;
    if (fault === 'lose') return void incoming.socket.destroy();
    if (fault === 'refuse') {
      incoming.resume();
      outgoing.writeHead(503, { 'content-type': 'application/xml' });
      return void outgoing.end('<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>');
    }
    proxy.seen.push(seen);
    // The signature contains the host, which stays the one of the proxy.
    const { hostname, port } = target;
    const { method, headers } = incoming;
    const forwarded = request({ hostname, port, method, headers, path: incoming.url });
    forwarded.on('error', () => incoming.socket.destroy());
    forwarded.on('response', (response) => {
      if (fault === 'loseResponse') {
        response.resume();
        return void response.on('end', () => incoming.socket.destroy());
      }
      const { status = response.statusCode ?? 500, text, cutAfter } = fault ?? {};
      outgoing.writeHead(status, { ...(text === undefined ? response.headers : {}), ...fault?.headers });
      if (text !== undefined) {
        response.resume();
        return void response.on('end', () => outgoing.end(text));
      }
      if (cutAfter === undefined) return void response.pipe(outgoing);
      let sent = 0;
      response.on('data', (chunk: Buffer) => {
        if (sent >= cutAfter) return;
        outgoing.write(
          chunk.subarray(0, cutAfter - sent),
          () => sent >= cutAfter && incoming.socket.destroy(),
        );
        sent += chunk.length;
      });
    });
    incoming.pipe(forwarded);
  }

  const server = createServer((incoming, outgoing) => {
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    void handle(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
