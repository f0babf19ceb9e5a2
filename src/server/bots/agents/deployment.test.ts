// Tests agents that administrators set, and that their secrets are in no response, in no log and at no other address.
import { expect, onTestFinished, test, vi } from 'vitest';
import { AdminClient } from '../../../client/index.ts';
import { isPostgresTest } from '../../storage/postgres/testing.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { testOnSqlite } from '../../testing/sqlite-only.testing.ts';
import type { TestOptions, TestServer } from '../../testing.ts';
import { markdownOf, startChat, useAgent } from './chat.testing.ts';
import { agentAt, begin, chunk, done, say } from './testing.ts';

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

/** Sends a message and returns the answer of the bot. */
const ask = async (server: TestServer) => (await startChat(() => server)).ask('Hello');

const secrets = { key: 'canary-key', headers: { 'x-team': 'canary-header' } };

test('an agent of the Admin API answers, with its key, headers, instructions and options', async () => {
  const { server, client, id } = await start();
  const shown = { model: 'm', instructions: 'Be brief.', options: { temperature: 0 } };
  const { deployment } = await client.setBotDeployment({
    id,
    agent: { url: agent.url, ...shown, ...secrets },
  });
  expect(deployment.agent).toEqual({
    ...shown,
    ...{ url: agent.url, protocol: 'openai-chat', show: ['status', 'tools', 'sources'] },
    ...{ hasKey: true, headerNames: ['x-team'] },
  });
  expect(await client.getBotDeployment({ id })).toEqual({ deployment });
  expect(await ask(server)).toMatchObject({ payload: { type: 'markdown', markdown: 'Hello' } });
  const [request] = agent.requests;
  expect(request?.headers).toMatchObject({ authorization: 'Bearer canary-key', 'x-team': 'canary-header' });
  expect(request?.body).toMatchObject({
    model: 'm',
    temperature: 0,
    messages: [{ content: 'Be brief.' }, {}],
  });
});

test('knowledge bases are set by id or name, or all, and read back', async () => {
  const { client, id } = await start();
  const set = async (knowledge: string[] | 'all' | undefined) => {
    const agentInput = { url: agent.url, model: 'm', ...(knowledge && { knowledge }) };
    return (await client.setBotDeployment({ id, agent: agentInput })).deployment.agent?.knowledge;
  };
  expect(await set(['Help', 'kb_1', 'Help'])).toEqual(['Help', 'kb_1']);
  expect(await set('all')).toBe('all');
  // The fields are set together.
  expect(await set(undefined)).toBeUndefined();
  await expect(set([])).rejects.toMatchObject({ code: 400 });
});

test('the longest silence is a setting of the server, and of each agent', async () => {
  const delays = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => void delays.mockRestore());
  const { server, client, id } = await start({
    WEBHOOK_PRIVATE: 'first',
    agent: agentAt(agent.url),
    AGENT_TIMEOUT: 91,
  });
  /** The silences, in seconds, for which a run has waited. */
  const waited = async () => {
    delays.mockClear();
    await ask(server);
    return [...new Set(delays.mock.calls.map(([, delay]) => delay))].filter((delay) =>
      /^9\d000$/.test(`${delay}`),
    );
  };
  expect(await waited()).toEqual([91_000]);
  const set = async (timeout: number | undefined) => {
    const agentInput = { url: agent.url, model: 'm', ...(timeout && { timeout }) };
    return (await client.setBotDeployment({ id, agent: agentInput })).deployment.agent?.timeout;
  };
  expect(await set(92)).toBe(92);
  expect(await waited()).toEqual([92_000]);
  expect(await set(undefined)).toBeUndefined();
  expect(await waited()).toEqual([91_000]);
});

test('agent, webhook and code replace each other, and null removes the agent', async () => {
  const { client, id } = await start();
  const one = { url: agent.url, model: 'm' };
  const set = async (input: object) => (await client.setBotDeployment({ id, ...input })).deployment;
  await set({ webhookUrl: 'https://bot.example/' });
  const withAgent = await set({ agent: one });
  expect([withAgent.webhookUrl, withAgent.signingSecret, withAgent.agent?.url]).toEqual([
    undefined,
    undefined,
    agent.url,
  ]);
  // An omitted field is unchanged.
  expect((await set({ outgoingEvents: false })).agent?.url).toBe(agent.url);
  expect((await set({ webhookUrl: 'https://bot.example/' })).agent).toBeUndefined();
  await set({ agent: one });
  expect((await set({ agent: null })).agent).toBeUndefined();
  await expect(set({ agent: one, webhookUrl: 'https://bot.example/' })).rejects.toMatchObject({ code: 400 });
  await expect(set({ agent: one, code: 'shop.mjs' })).rejects.toMatchObject({ code: 400 });
  const { bot } = await client.createBot({ name: 'Other' });
  expect((await client.setBotDeployment({ id: bot.id, agent: one })).deployment.agent).toBeDefined();
  expect((await client.getBot({ id: bot.id })).bot.deployedAt).toBeDefined();
  await client.setBotDeployment({ id: bot.id, agent: null });
  expect((await client.getBot({ id: bot.id })).bot.deployedAt).toBeUndefined();
});

testOnSqlite('the key and the headers are kept for the same server only', async () => {
  const { client, id } = await start();
  const set = async (input: object) =>
    (await client.setBotDeployment({ id, agent: { url: agent.url, model: 'm', ...input } })).deployment.agent;
  const stateOf = async (input: object) => {
    const { hasKey, headerNames } = (await set(input)) ?? {};
    return [hasKey, headerNames];
  };
  expect(await stateOf(secrets)).toEqual([true, ['x-team']]);
  expect(await stateOf({ model: 'other' })).toEqual([true, ['x-team']]);
  expect(await stateOf({ url: agent.url.replace('/v1', '/other/v1') })).toEqual([true, ['x-team']]);
  expect(await stateOf({ key: null })).toEqual([false, ['x-team']]);
  expect(await stateOf({ ...secrets, headers: {} })).toEqual([true, []]);
  expect(await stateOf(secrets)).toEqual([true, ['x-team']]);
  expect(await stateOf({ url: 'https://attacker.example/v1' })).toEqual([false, []]);
  // They do not come back.
  expect(await stateOf({})).toEqual([false, []]);
});

test.skipIf(isPostgresTest()).each([
  [
    { url: 'https://agents.example/' },
    'agent.protocol: Expected openai-chat, openai-responses, ag-ui or ai-sdk',
  ],
  [{ url: 'https://agents.example/v1' }, 'agent.model: Expected the name of the model.'],
  [{ url: 'ftp://agents.example/v1', model: 'm' }, 'agent.url'],
  [{ url: 'https://name:canary-key@agents.example/v1', model: 'm' }, 'agent.url'],
  [{ url: 'https://a.example/v1', model: 'm', key: 'canary-key two' }, 'agent.key'],
  [{ url: 'https://a.example/v1', model: 'm', headers: { host: 'canary-key' } }, 'agent.headers'],
  [{ url: 'https://a.example/v1', model: 'm', headers: { 'x-a': 'canary-key\r\nx-b: 1' } }, 'agent.headers'],
  [{ url: 'https://a.example/v1', model: 'm', options: { a: 'x'.repeat(32_000) } }, 'agent.options'],
])('a wrong agent is refused: %j', async (wrong, message) => {
  const { server, client, id } = await start();
  const error = await client.setBotDeployment({ id, agent: wrong as never }).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ code: 400, message: expect.stringContaining(message) });
  expect(JSON.stringify([error, error?.message, server.log])).not.toContain('canary');
  expect((await client.getBotDeployment({ id })).deployment.agent).toBeUndefined();
});

test('a private address is refused unless the operator allows it, and the visitor is told', async () => {
  const { server, client, id } = await start({});
  await client.setBotDeployment({ id, agent: { url: agent.url, model: 'm' } });
  expect(await ask(server)).toMatchObject({ metadata: { error: 'bot_failed' } });
  expect(agent.requests).toEqual([]);
  const { logs } = await client.listBotLogs({ id });
  expect(logs).toMatchObject([{ type: 'agent_failed', reason: 'address_refused' }]);
});

test('a deployment replaces the agent of the settings until it is removed', async () => {
  const { server, client, id } = await start({
    agent: agentAt(agent.url),
    WEBHOOK_PRIVATE: 'first',
  });
  agent.answer((response, { body }) => say(response, String(body.model)));
  const model = async () => markdownOf(await ask(server));
  expect(await model()).toBe('test-model');
  await client.setBotDeployment({ id, agent: { url: agent.url, model: 'deployed' } });
  expect(await model()).toBe('deployed');
  await client.setBotDeployment({ id, agent: null });
  expect(await model()).toBe('test-model');
});

test('the chat says that an AI answers while an agent does, unless the configuration of the bot decides', async () => {
  const { server, client, id } = await start();
  const notice = async () => {
    const { body } = await server.call('GET', '/webchat');
    return (body as { configuration: { aiNotice?: boolean } }).configuration.aiNotice;
  };
  expect(await notice()).toBeUndefined();
  await client.setBotDeployment({ id, agent: { url: agent.url, model: 'm' } });
  expect(await notice()).toBe(true);
  await client.setBotWebchat({ id, configuration: { aiNotice: false } });
  expect(await notice()).toBe(false);
  await client.setBotWebchat({ id, configuration: {} });
  expect(await notice()).toBe(true);
  await client.setBotDeployment({ id, webhookUrl: 'https://bot.example.com/events' });
  expect(await notice()).toBeUndefined();
  await client.setBotDeployment({ id, agent: { url: agent.url, model: 'm' } });
  expect(await notice()).toBe(true);

  // The agent of the settings answers the default bot, and no other one.
  const operators = await start({ agent: agentAt(agent.url) });
  const { body } = await operators.server.call('GET', '/webchat');
  expect(body).toMatchObject({ configuration: { aiNotice: true } });
  const { bot } = await operators.client.createBot({ name: 'Other' });
  const { deployment } = await operators.client.getBotDeployment({ id: bot.id });
  const other = await operators.server.fetch(`${new URL(deployment.chatUrl).pathname}/webchat`);
  expect(((await other.json()) as { configuration: object }).configuration).not.toHaveProperty('aiNotice');
});

test('a deleted bot leaves no key behind', async () => {
  const { server, client } = await start();
  const { bot } = await client.createBot({ name: 'Other' });
  await client.setBotDeployment({ id: bot.id, agent: { url: agent.url, model: 'm', ...secrets } });
  await client.deleteBot({ id: bot.id });
  const rows = await server.db.read((tx) => tx.all('SELECT key FROM bot_agents'));
  expect(rows).toEqual([]);
});

testOnSqlite(
  'canary: secrets, hidden parts and errors of an agent are in no byte for visitors, administrators or logs',
  async () => {
    const { server, client, id } = await start();
    const { key, conversationId, send, messages, answers } = await startChat(() => server);
    const stream = await server.listen(key, conversationId, 0);
    const shown = { instructions: 'canary-instructions', options: { user: 'canary-options' } };
    const agentInput = { url: agent.url, model: 'm', ...shown, ...secrets };
    const responses: unknown[] = [await client.setBotDeployment({ id, agent: agentInput })];
    const call = {
      tool_calls: [
        { index: 0, id: 'canary-id', function: { name: 'search', arguments: '{"q":"canary-input"}' } },
      ],
    };
    const hidden =
      chunk({ reasoning_content: 'canary-reasoning' }) +
      chunk({ content: '<think>canary-thought</think>' }) +
      chunk(call);
    const replies = [
      hidden + chunk({ content: 'Whole' }) + chunk({}, 'stop') + done,
      `${hidden}${chunk({ content: 'Half' })}data: {"error":{"message":"canary-error","code":"canary-code"}}\n\n`,
      `${hidden}event: error\ndata: canary-error\n\n`,
    ];
    agent.answer((response, _, index) => {
      const reply = replies[index];
      if (reply !== undefined) begin(response).end(reply);
      else response.writeHead(400, 'canary-status', { 'x-error': 'canary-header' }).end('canary-body');
    });
    for (let count = 1; count <= 4; count += 1) {
      await send('Hello');
      await answers(count);
    }
    // The agent has seen all of it.
    expect(JSON.stringify(agent.requests.map(({ headers, body }) => [headers, body]))).toContain(
      'canary-instructions',
    );
    expect(agent.requests).toHaveLength(4);
    responses.push(
      await messages(),
      stream.frames,
      await client.listBotLogs({ id }),
      await client.getBotDeployment({ id }),
    );
    responses.push(await client.getBot({ id }), await client.list.bots().collect(), server.log);
    await stream.cancel();
    const all = JSON.stringify(responses);
    expect(all).toContain('Whole');
    // Administrators who may change the bot read its instructions and options, and nobody anything else.
    const found = [...all.matchAll(/canary-\w+/g)].map(([text]) => text);
    expect(new Set(found)).toEqual(new Set(['canary-instructions', 'canary-options']));
    expect(JSON.stringify([await messages(), stream.frames, server.log])).not.toContain('canary');
    // Nor in what is stored, besides the agent itself.
    const stored = [];
    for (const table of ['messages', 'bot_logs', 'states', 'deliveries', 'audit_log'])
      stored.push(await server.db.read((tx) => tx.all(`SELECT * FROM ${table}`)));
    expect(JSON.stringify(stored)).not.toContain('canary');
  },
);
