// For tests of the client: a server over real HTTP behind a network relay that can cut connections.
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createRelay, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { startTestServer, type TestOptions, type TestServer } from '../server/testing.ts';

export interface RelayedServer {
  server: TestServer;
  /** The address of the server without the relay. */
  directUrl: string;
  relayUrl: string;
  /** Bytes that the relay forwards to the server before it cuts a connection, one entry for each; empty: never cut. */
  cuts: number[];
  /** Methods and paths of the requests that the server received. */
  requests: string[];
  close(): Promise<void>;
}

/** Answers a request; `next` passes it to the server. */
type Intercept = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;

/** Starts the server; each request goes through `intercept`, if there is one. */
export async function startRelayedServer(
  options: TestOptions = {},
  intercept: Intercept = (request, next) => next(request),
): Promise<RelayedServer> {
  const server = await startTestServer(options);
  const { fetch } = server.composition.app;
  const http = createServer(
    getRequestListener((request, env) => intercept(request, async (passed) => fetch(passed, env)), {
      overrideGlobalObjects: false,
    }),
  );
  const sockets = new Set<Socket>();
  const relay = createRelay((near) => {
    const peer = connect((http.address() as AddressInfo).port, '127.0.0.1');
    let isCut = false;
    for (const socket of [near, peer]) sockets.add(socket.on('error', () => {}));
    near.on('data', (chunk) => {
      if (isCut) return;
      const [left] = relayed.cuts;
      peer.write(left === undefined ? chunk : chunk.subarray(0, left));
      if (left === undefined) return;
      relayed.cuts[0] = left - chunk.length;
      if (chunk.length <= left) return;
      relayed.cuts.shift();
      isCut = true;
      // Ends the upstream connection. The sender's connection is cut when the server has read everything: an earlier
      // cut could let the sender's next request overtake the bytes.
      peer.end();
    });
    peer.on('data', (chunk) => isCut || near.write(chunk));
    peer.on('close', () => (isCut ? near.resetAndDestroy() : near.destroy()));
    near.on('close', () => peer.destroy());
  });
  for (const one of [http, relay]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  const urlOf = (one: { address(): unknown }) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
  http.on('request', ({ method, url }) => relayed.requests.push(`${method} ${url}`));
  const relayed: RelayedServer = {
    server,
    directUrl: urlOf(http),
    relayUrl: urlOf(relay),
    cuts: [],
    requests: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      http.closeAllConnections();
      for (const one of [http, relay]) await new Promise((resolve) => one.close(resolve));
      await server.close();
    },
  };
  return relayed;
}
