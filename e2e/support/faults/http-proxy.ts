// An HTTP proxy on loopback, whose handler decides what happens to each request: the base of all fault proxies for HTTP.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OpenStream, ProxyExchange } from './proxy-exchange.ts';

interface HttpProxy {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  url: string;
  /** The event streams that clients are reading. */
  streams: Set<OpenStream>;
  /** Closes every connection and refuses new ones. */
  disconnect(): void;
  /** Accepts connections again. */
  reconnect(): void;
  close(): Promise<void>;
}

interface HttpProxyOptions {
  /**
   * Several requests use one connection. Not for browsers: when a reused connection is reset, they silently repeat the request.
   */
  keepsConnections?: boolean;
}

/**
 * @param target the server's address without a trailing slash; undefined if the handler responds to all requests.
 * @param handle forwards the request or responds to it. If it rejects, the connection is reset.
 */
export async function startHttpProxy(
  target: string | undefined,
  handle: (exchange: ProxyExchange) => Promise<void>,
  { keepsConnections = false }: HttpProxyOptions = {},
): Promise<HttpProxy> {
  const streams = new Set<OpenStream>();
  let isConnected = true;
  const server = createServer((request, response) => {
    response.shouldKeepAlive &&= keepsConnections;
    for (const one of [request, response]) one.on('error', () => {});
    const exchange = new ProxyExchange(request, response, target ?? '', streams);
    // Rejects when the server is down or the client has disconnected.
    handle(exchange).catch(() => exchange.reset());
  });
  server.on('connection', (socket) => {
    if (!isConnected) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A gate that a test did not close must not keep the process alive.
  if (target === undefined) server.unref();

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams,
    disconnect() {
      isConnected = false;
      server.closeAllConnections();
    },
    reconnect() {
      isConnected = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
