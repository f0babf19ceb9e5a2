// Runs the platform's contract against our server over real HTTP. (src/client/chat/chat.test.ts has a client without HTTP.)
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { startTestServer } from '../../server/testing.ts';
import { Client } from '../index.ts';
import { platformContract } from './platform.contract.ts';

platformContract('over HTTP', async () => {
  const server = await startTestServer();
  const http = createServer(
    getRequestListener(server.composition.app.fetch, { overrideGlobalObjects: false }),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const { workspaceId, token = '' } = server.admin;
  const apiUrl = `http://127.0.0.1:${port}/`;
  const [bot] = await new Client({ apiUrl, token, workspaceId }).list.bots().collect({ limit: 1 });
  return {
    apiUrl,
    token,
    workspaceId,
    botId: bot?.id ?? '',
    fetch,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await server.close();
    },
  };
});
