// Servers that end with the test that starts them.
import { onTestFinished } from 'vitest';
import {
  startTestCluster,
  startTestServer,
  type TestCluster,
  type TestOptions,
  type TestServer,
} from '../testing.ts';

/** Closes it at the end of the test, what was opened last first. */
export function closing<T extends { close(): unknown }>(opened: T): T {
  onTestFinished(async () => {
    await opened.close();
  });
  return opened;
}

/** Starts a server for the running test. One that restarts it ends with the test, too. */
export const startServer = async (options?: TestOptions): Promise<TestServer> =>
  closing(await startTestServer(options));

export const startCluster = async (...given: Parameters<typeof startTestCluster>): Promise<TestCluster> =>
  closing(await startTestCluster(...given));
