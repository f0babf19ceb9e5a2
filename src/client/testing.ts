// For tests of the client: a server over real HTTP behind a network relay that can cut connections, and programs of the
// documentation.
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { vi } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../e2e/support/faults/tcp-proxy.ts';
import { createCacheFolder } from '../../scripts/cache-folder.mjs';
import { startTestServer, type TestOptions, type TestServer } from '../server/testing.ts';

export interface RelayedServer {
  server: TestServer;
  /** The address of the server without the relay. */
  directUrl: string;
  relayUrl: string;
  relay: TcpProxy;
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
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const directUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const relay = await startTcpProxy(directUrl);
  http.on('request', ({ method, url }) => relayed.requests.push(`${method} ${url}`));
  const relayed: RelayedServer = {
    server,
    directUrl,
    relayUrl: relay.url.slice(0, -1),
    relay,
    requests: [],
    async close() {
      await relay.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await server.close();
    },
  };
  return relayed;
}

/** Runs a program of the documentation with the sources of the client, and returns the lines that it prints. */
export async function runExample(code: string, env: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.spyOn(console, 'log').mockImplementation((...words) => {
    lines.push(words.join(' '));
  });
  // Inside the repository, so that the program can import the sources, and vitest strips their types.
  const folder = await createCacheFolder('client-docs-');
  const client = JSON.stringify(join(import.meta.dirname, 'index.ts'));
  await writeFile(join(folder, 'example.ts'), code.replace("'platform-webchat/client'", client));
  try {
    await import(join(folder, 'example.ts'));
  } finally {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await rm(folder, { recursive: true });
  }
  return lines;
}
