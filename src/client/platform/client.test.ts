// Runs the platform's contract against our server, in this process and over real HTTP.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { startTestServer, type TestServer } from '../../server/testing.ts';
import { Client } from '../index.ts';
import type { PlatformServer } from './fixture.contract.ts';
import { platformContract } from './platform.contract.ts';

platformContract('in process', async () => {
  const server = await startTestServer();
  return { ...(await access(server, 'http://localhost', server.fetch)), close: server.close };
});

platformContract('over HTTP', async () => {
  const server = await startTestServer();
  const http = createServer(
    getRequestListener(server.composition.app.fetch, { overrideGlobalObjects: false }),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    ...(await access(server, `http://127.0.0.1:${port}/`, fetch)),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await server.close();
    },
  };
});

/** The credentials of a server that was just started. */
async function access(
  { admin: { workspaceId, token = '' } }: TestServer,
  apiUrl: string,
  fetch: PlatformServer['fetch'],
): Promise<Omit<PlatformServer, 'close'>> {
  const [bot] = await new Client({ apiUrl, token, workspaceId, fetch }).list.bots().collect({ limit: 1 });
  return { apiUrl, token, workspaceId, botId: bot?.id ?? '', fetch };
}
