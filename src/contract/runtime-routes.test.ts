// Calls every method of the official client's Runtime API: each is an operation of this server, or answered with 501
// and the alternative.
import { errorFrom, isApiError, runtime } from '@botpress/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf } from '../protocol/operations/apis.ts';
import { type HostedBot, type HostedServer, startHostedServer } from './hosted-client.testing.ts';

let hosted: HostedServer;
let bot: HostedBot;
beforeAll(async () => {
  hosted = await startHostedServer();
  bot = await hosted.addBot('away');
});
afterAll(() => hosted.close());

const methods = Object.entries(new runtime.Client({ token: 'x', botId: 'x' })).flatMap(([name, value]) =>
  typeof value === 'function' && name !== 'axiosInstance' ? [name] : [],
);
/** A text for each field: valid as an id, and not the id of anything. */
const input = new Proxy({}, { get: () => 'x', has: () => true });

test('the client has as many operations as when this test was written', () => {
  expect(methods.length).toBe(44);
});

test.each(methods)('%s is an operation, or is answered with the alternative', async (name) => {
  const client = new runtime.Client({ apiUrl: hosted.apiUrl, token: bot.token, botId: bot.id });
  const call = (client as unknown as Record<string, (given: object) => Promise<unknown>>)[name];
  const result = await call?.call(client, input).catch((reason: unknown) => errorFrom(reason));
  const isServed = operationsOf('runtime').some((operation) => operation.name === name);
  if (isServed) {
    if (isApiError(result)) expect([400, 404]).toContain(result.code);
    return;
  }
  expect(isApiError(result)).toBe(true);
  // The client has no class for 501, and keeps the message.
  expect((result as Error).message).toMatch(
    / are not part of this server\. .*\(Type: NotImplemented, Code: 501\)$/,
  );
});
