// Tests agents that call tools of the page, over HTTP, with all protocols: the page answers, and the agent goes on.
import { describe, expect, test } from 'vitest';
import type { ProtocolName } from '../../../protocol/admin.ts';
import type { PageClient } from '../../../protocol/interrupts.ts';
import { limits } from '../../../protocol/limits.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { settledRows } from '../../testing/settled-rows.testing.ts';
import { pollOptions, type TestServer } from '../../testing.ts';
import { interruptOf, markdownOf, startChat, useAgent } from './chat.testing.ts';
import { namesOfOptions } from './page-tools.ts';
import { scripts } from './scripts.testing.ts';
import { agentAt, begin } from './testing.ts';

const agent = useAgent();
let server: TestServer;

const canary = 'canary-page-context';
const client: PageClient = {
  id: 'tab-1',
  tools: [
    {
      name: 'add_item',
      title: 'Add to the cart',
      description: 'Adds an item to the cart.',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    },
    { name: 'get_cart', description: 'Returns the cart.', annotations: { readOnlyHint: true } },
  ],
  context: [{ description: 'The open page', value: canary }],
};

const input = '{"id":"A-1"}';
const { call, text, result, names } = ofProtocol('openai-chat');

/** The script of a protocol for one call at a time. */
function ofProtocol(protocol: ProtocolName) {
  const { calls, results, ...script } = scripts[protocol];
  return {
    ...script,
    call: (name: string, id: string) => calls([{ id, name, input }]),
    result: (body: Parameters<typeof results>[0] | undefined, id: string) => results(body ?? {}).get(id),
  };
}

async function start(protocol: ProtocolName, fields: Parameters<typeof agentAt>[1] = {}, now = Date.now) {
  server = await startServer({ agent: agentAt(agent.url, { protocol, ...fields }), now });
  const { conversationId, messages, until, post } = await startChat(() => server);
  const send = (text: string, more: object = { client }) =>
    post('/messages', { conversationId, payload: { type: 'text', text }, ...more });
  const answer = async (id: string, payload: object, more: object = { client }) => {
    await post(`/interrupts/${id}/claim`, { claim: 'page-1' });
    return post(`/interrupts/${id}/response`, { status: 'resolved', payload, claim: 'page-1', ...more });
  };
  return { send, answer, post, messages, until };
}

/** Answers request n with the n-th text; the last one again. */
const reply = (...responses: string[]) =>
  agent.answer((response, _, index) => begin(response).end(responses[index] ?? responses.at(-1)));
describe.each(Object.keys(scripts) as ProtocolName[])('%s', (protocol) => {
  const script = ofProtocol(protocol);

  test('tools of the page are called, and each request has the inputs and the results of all calls of the turn', async () => {
    const calls = ['call/1', 'call/2', 'call/3'];
    reply(...calls.map((id) => script.call('add_item', id)), script.text('All are in your cart.'));
    const { send, answer, until } = await start(protocol);
    await send('Buy it');
    const [, asked] = await until(2);
    expect(interruptOf(asked)).toMatchObject({
      ...{ reason: 'client_tool', clientId: 'tab-1', toolName: 'add_item', message: 'Add to the cart' },
      ...{ input: { id: 'A-1' }, state: 'open' },
    });
    expect(asked?.parts).toContainEqual(expect.objectContaining({ type: 'tool', title: 'Add to the cart' }));
    expect(agent.requests).toHaveLength(1);
    expect(JSON.stringify(agent.requests[0]?.body)).toContain(canary);
    for (const [n] of calls.entries()) {
      const { id } = interruptOf((await until(n + 2)).at(-1));
      expect((await answer(id, { result: { items: n + 1 } })).status).toBe(200);
    }
    expect(markdownOf((await until(5)).at(-1))).toBe('All are in your cart.');
    expect(agent.requests.map(({ body }) => script.names(body))).toEqual(
      Array(4).fill(['add_item', 'get_cart']),
    );
    const last = agent.requests[3]?.body;
    expect(calls.map((id) => script.result(last, id))).toEqual([{ items: 1 }, { items: 2 }, { items: 3 }]);
    expect(JSON.stringify(last).match(/A-1/g)).toHaveLength(calls.length);
    expect(JSON.stringify([await until(5), await settledRows(server.db)])).not.toContain(canary);
  });

  test.each([
    ['an error', { error: 'It is sold out.' }, 'sold out'],
    ['a refusal of the visitor', { approved: false }, 'did not allow'],
  ])('%s is the result of the call', async (_, payload, text) => {
    reply(script.call('add_item', 'call/1'), script.text('I see.'));
    const { send, answer, until } = await start(protocol);
    await send('Buy it');
    await answer(interruptOf((await until(2))[1]).id, payload);
    expect(markdownOf((await until(3))[2])).toBe('I see.');
    expect(JSON.stringify(script.result(agent.requests[1]?.body, 'call/1'))).toContain(text);
  });

  test('the agent gets the result of a tool that the page does not offer any more', async () => {
    reply(script.call('add_item', 'call/1'), script.text('It is in your cart.'));
    const { send, answer, until } = await start(protocol);
    await send('Buy it');
    await answer(interruptOf((await until(2))[1]).id, { result: { items: 3 } }, { client: { id: 'tab-1' } });
    expect(markdownOf((await until(3))[2])).toBe('It is in your cart.');
    const second = agent.requests[1]?.body;
    expect(script.names(second ?? {})).toEqual([]);
    expect(script.result(second, 'call/1')).toEqual({ items: 3 });
  });
});

describe('calls of the page', () => {
  test('without tools of the page, none are offered, and nothing else is sent', async () => {
    reply(text('Hello'));
    const { send, until } = await start('openai-chat');
    await send('Hello', {});
    await until(2);
    expect(agent.requests[0]?.body).not.toHaveProperty('tools');
    expect(JSON.stringify(agent.requests[0]?.body)).not.toContain('page');
  });

  test('a tool with the name of a tool of the agent is not offered, and those of the agent stay', async () => {
    reply(text('Hello'));
    const own = { type: 'function', function: { name: 'get_cart', parameters: {} } };
    const { send, until } = await start('openai-chat', { options: { tools: [own] } });
    await send('Hello');
    await until(2);
    expect(names(agent.requests[0]?.body ?? {})).toEqual(['get_cart', 'add_item']);
    expect((agent.requests[0]?.body.tools as object[] | undefined)?.[0]).toEqual(own);
    expect(JSON.stringify(server.log)).toContain('tools of the same name');
    expect(namesOfOptions({ tools: [{ name: 'a' }, null, 3] })).toEqual(['a']);
    expect(namesOfOptions({ tools: { b: {} } })).toEqual(['b']);
  });

  test.each([
    ['a tool that only reads: the agent goes on without it', 'get_cart', false, 'did not answer in time'],
    ['a tool that has begun: the agent hears that nobody knows', 'add_item', true, 'not known whether'],
  ])('a page that is gone: %s', async (_, name, isClaimed, words) => {
    let time = Date.now();
    reply(call(name, 'c'), text('I could not look.'));
    const { send, post, until } = await start('openai-chat', {}, () => time);
    await send('Look');
    const { id } = interruptOf((await until(2))[1]);
    if (isClaimed) await post(`/interrupts/${id}/claim`, { claim: 'page-1' });
    time += limits.client.waitTime + 1;
    server = await server.restart();
    await until(3);
    expect(JSON.stringify(result(agent.requests[1]?.body, 'c'))).toContain(words);
  });

  test('a visitor who never answers a question about a tool costs no further run', async () => {
    let time = Date.now();
    reply(call('add_item', 'c'), text('Never'));
    const { send, messages, until } = await start('openai-chat', {}, () => time);
    await send('Buy');
    await until(2);
    time += limits.interrupts.defaultTime + 1;
    server = await server.restart();
    await expect.poll(async () => interruptOf((await messages())[1]).by, pollOptions).toBe('expired');
    const waiting = () => server.db.read((tx) => tx.all("SELECT 1 FROM deliveries WHERE state = 'waiting'"));
    await expect.poll(waiting, pollOptions).toEqual([]);
    expect(agent.requests).toHaveLength(1);
  });

  test('another message of the visitor settles the call, and the text of the call is not in the history', async () => {
    reply(call('add_item', 'c'), text('As you wish.'));
    const { send, answer, until } = await start('openai-chat');
    await send('Buy');
    const { id } = interruptOf((await until(2))[1]);
    await send('No, wait');
    await until(4);
    expect((await answer(id, { result: 1 })).status).toBe(409);
    const said = agent.requests[1]?.body.messages.map(({ content }) => content) ?? [];
    expect(said).not.toContain('Add to the cart');
  });

  test('an agent that calls the page again and again has no more tools of it after eight times', async () => {
    agent.answer((response, { body }, index) =>
      begin(response).end(names(body).length > 0 ? call('get_cart', `c${index}`) : text('Enough.')),
    );
    const { send, answer, until } = await start('openai-chat');
    await send('Look');
    for (let n = 2; n < 10; n += 1) await answer(interruptOf((await until(n)).at(-1)).id, { result: n });
    expect(markdownOf((await until(10)).at(-1))).toBe('Enough.');
    expect(agent.requests).toHaveLength(9);
  });
});
