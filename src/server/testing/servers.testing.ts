// Servers of a test file that end with each test.
import { afterEach } from 'vitest';
import { startTestServer, type TestOptions, type TestServer } from '../testing.ts';

/** Returns a function that starts servers, which are closed after each test of the file, also if they were restarted. */
export function useServers(): (options?: TestOptions) => Promise<TestServer> {
  const servers: TestServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return async (options) => {
    const server = await startTestServer(options);
    servers.push(server);
    return server;
  };
}
