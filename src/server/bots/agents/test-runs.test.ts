// Tests of testBotAgent: the stored agent and one that is not stored, reasons in words, addresses, limits and secrets.
import { expect, test } from 'vitest';
import { AdminClient, ApiError } from '../../../client/index.ts';
import { startServer } from '../../testing/servers.testing.ts';
import type { TestOptions } from '../../testing.ts';
import { useAgent } from './chat.testing.ts';

const agent = useAgent();
async function start(options: TestOptions = { WEBHOOK_PRIVATE: 'first' }) {
  const server = await startServer(options);
  const { token = '', workspaceId } = server.admin;
  const client = new AdminClient({
    apiUrl: 'http://server.test',
    token,
    workspaceId,
    fetch: ((url: string, init: RequestInit) => {
      const { pathname, search } = new URL(url);
      return server.fetch(pathname + search, init);
    }) as typeof fetch,
    retry: { attempts: 0 },
  });
  const [bot] = (await client.listBots({})).bots;
  return { server, client, id: bot?.id ?? '' };
}

test('an agent that is not stored is asked, and nothing of it is stored', async () => {
  const { client, id } = await start();
  const given = { url: agent.url, model: 'm', key: 'canary-key' };
  const { test } = await client.testBotAgent({ id, agent: given, question: 'Do you have bikes?' });
  expect(test).toEqual({ latencyMs: expect.any(Number), model: 'm', text: 'Hello' });
  const [request] = agent.requests;
  expect(request?.headers.authorization).toBe('Bearer canary-key');
  expect(request?.body.messages.at(-1)?.content).toBe('Do you have bikes?');
  expect((await client.getBotDeployment({ id })).deployment.agent).toBeUndefined();
});

test('the stored agent is asked, and its key only at its own origin', async () => {
  const { client, id } = await start();
  await client.setBotDeployment({ id, agent: { url: agent.url, model: 'm', key: 'canary-key' } });
  expect((await client.testBotAgent({ id })).test.text).toBe('Hello');
  await client.testBotAgent({ id, agent: { url: agent.url, model: 'other' } });
  const elsewhere = agent.url.replace('127.0.0.1', 'localhost');
  await client.testBotAgent({ id, agent: { url: elsewhere, model: 'm' } });
  expect(agent.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer canary-key',
    'Bearer canary-key',
    undefined,
  ]);
});

test.each([
  [401, 'The address refused the key.'],
  [404, 'The address was not found there, or it does not know this model.'],
  [418, 'The address answered with the status 418.'],
  [503, 'The address answered with the status 503.'],
])('the status %i is explained, and the request is sent once', async (status, message) => {
  const { client, id } = await start();
  agent.answer((response) => response.writeHead(status).end('canary of the provider'));
  const { test } = await client.testBotAgent({ id, agent: { url: agent.url, model: 'm' } });
  expect(test).toEqual({
    latencyMs: expect.any(Number),
    model: 'm',
    error: { code: 'status', status, message },
  });
  expect(agent.requests).toHaveLength(1);
});

test('an address where nothing listens, and one that answers with a page, are explained', async () => {
  const { client, id } = await start();
  const nowhere = await client.testBotAgent({ id, agent: { url: 'http://127.0.0.1:1/v1', model: 'm' } });
  expect(nowhere.test.error).toMatchObject({
    code: 'ECONNREFUSED',
    message: expect.stringContaining('Nothing answers'),
  });
  agent.answer((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
  const page = await client.testBotAgent({ id, agent: { url: agent.url, model: 'm' } });
  expect(page.test.error?.code).toBe('content_type');
});

test('a private address is refused where visitors could not be answered from it', async () => {
  const { client, id } = await start({ WEBHOOK_PRIVATE: 'refuse' });
  const { test } = await client.testBotAgent({ id, agent: { url: agent.url, model: 'm' } });
  expect(test.error?.code).toBe('address_refused');
  expect(agent.requests).toEqual([]);
});

test('a bot without an agent, and an agent without a model, are refused', async () => {
  const { client, id } = await start();
  await expect(client.testBotAgent({ id })).rejects.toMatchObject({ type: 'InvalidPayload' });
  await expect(client.testBotAgent({ id, agent: { url: agent.url } })).rejects.toThrow('agent.model');
  await expect(client.testBotAgent({ id: 'none' })).rejects.toMatchObject({ type: 'ResourceNotFound' });
});

test('the limits of the agent count tests', async () => {
  const { client, id } = await start({ WEBHOOK_PRIVATE: 'first', AGENT_RUNS_PER_HOUR: 2 });
  const ask = () => client.testBotAgent({ id, agent: { url: agent.url, model: 'm' } });
  await ask();
  await ask();
  const refused = await ask().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ type: 'RateLimited' });
  expect(agent.requests).toHaveLength(2);
});
