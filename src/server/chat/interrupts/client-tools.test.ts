// Tests of tools of the page: offered with a message, called by the bot, claimed and answered by one page, and never kept.
import { describe, expect, test } from 'vitest';
import type { AnswerInterrupt, Bot, BotEvent, BotHandler } from '../../../protocol/bot.ts';
import type { PageClient } from '../../../protocol/interrupts.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Message } from '../../../protocol/message.ts';
import type { ToolState } from '../../../protocol/parts.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { allRows, pollOptions } from '../../testing.ts';
import { type InterruptPart, idle, rowsOf } from './testing.ts';

/** Text that only the bot may see. */
const canary = 'canary-context-77';
const client: PageClient = {
  id: 'tab-1',
  tools: [
    {
      name: 'get_cart',
      title: 'Read the cart',
      description: 'Returns the cart.',
      annotations: { readOnlyHint: true },
    },
    {
      name: 'add_item',
      title: 'Add an item',
      description: 'Adds an item to the cart.',
      inputSchema: JSON.parse(
        '{"type":"object","__proto__":{"polluted":true},"properties":{"id":{"type":"string"}}}',
      ),
    },
  ],
  context: [{ description: 'The open page', value: canary }],
};

const call = (name: string, more: Partial<AnswerInterrupt> = {}): AnswerInterrupt => ({
  reason: 'client_tool',
  message: name,
  toolName: name,
  input: { id: 'A-1' },
  ...more,
});

async function start(
  ask: (bot: Bot, event: BotEvent) => Promise<unknown>,
  options: { now?: () => number } = {},
) {
  const events: BotEvent[] = [];
  const errors: string[] = [];
  const handler: BotHandler = async (event, bot) => {
    events.push(event);
    if (event.preview === 'ask')
      await ask(bot, event).catch((error: Error) => void errors.push(error.message));
    else if (event.type === 'resume') await bot.reply({ type: 'text', text: 'Done.' });
  };
  const server = await startServer({ handler, ...options });
  const visitor = await server.user();
  const conversationId = await server.conversation(visitor.key);
  const post = (text: string, body: object = {}) =>
    server.call('POST', '/messages', {
      key: visitor.key,
      body: { conversationId, payload: { type: 'text', text }, ...body },
    });
  const messages = async () => {
    const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, {
      key: visitor.key,
    });
    return (body.messages as Message[]).reverse();
  };
  const parts = async () =>
    (await messages())
      .flatMap((message) => message.parts ?? [])
      .filter((part): part is InterruptPart => part.type === 'interrupt');
  const asked = async () => {
    await post('ask', { client });
    await expect.poll(async () => (await parts()).length, pollOptions).toBeGreaterThan(0);
    return (await parts())[0] as InterruptPart;
  };
  const to =
    (id: string, path: string) =>
    (body: object, key = visitor.key) =>
      server.call('POST', `/interrupts/${id}/${path}`, { key, body });
  return { server, events, errors, visitor, conversationId, post, messages, parts, asked, to };
}
const resumed = (events: BotEvent[]) => events.filter(({ type }) => type === 'resume');
const tools = async (messages: Message[]): Promise<ToolState[]> =>
  messages.flatMap(({ parts = [] }) => parts.flatMap((part) => (part.type === 'tool' ? part.state : [])));

describe('what the page offers', () => {
  test('is in the event of the message, whole, and nowhere else', async () => {
    const { server, events, post, messages, visitor, conversationId } = await start(async () => {});
    const stream = await server.listen(visitor.key, conversationId);
    const { status, body } = await post('hello', { client });
    expect(status).toBe(201);
    const signal = await stream.untilType('message_created');
    await idle(server);
    const [event] = events.filter(({ type }) => type === 'text');
    expect(event?.client).toEqual(client);
    expect(Object.hasOwn(event?.client?.tools?.[1]?.inputSchema ?? {}, '__proto__')).toBe(true);
    expect(Object.prototype).not.toHaveProperty('polluted');
    const seen = [body, signal, await messages(), await allRows(server.db)];
    expect(JSON.stringify(seen)).not.toContain(canary);
  });

  test('is in the event of a message that supersedes another one, and of one that settles a question', async () => {
    const { server, events, post, asked } = await start((bot) => bot.stream().interrupt(call('add_item')));
    await asked();
    const { body } = await post('instead', { client: { context: [{ description: 'a', value: 'b' }] } });
    await idle(server);
    await post('again', { supersedes: (body.message as Message).id, client });
    await idle(server);
    const text = events.filter(({ type }) => type === 'text');
    expect(text.map((event) => event.client?.context?.[0]?.value)).toEqual([canary, 'b', canary]);
  });

  test('with a name twice is refused', async () => {
    const { post } = await start(async () => {});
    const [tool] = client.tools ?? [];
    const { status, body } = await post('hello', { client: { tools: [tool, tool] } });
    expect([status, body.message]).toEqual([400, expect.stringContaining('each name once')]);
  });

  test('more than 32,000 bytes are refused, and nothing is stored', async () => {
    const { post, messages } = await start(async () => {});
    const value = 'x'.repeat(limits.client.bytes);
    const { status, body } = await post('hello', { client: { context: [{ description: 'd', value }] } });
    expect([status, body.type]).toEqual([413, 'PayloadTooLarge']);
    expect(body.message).toContain('client has');
    expect(await messages()).toEqual([]);
  });
});

describe('a call of a tool of the page', () => {
  test('names the page that runs it; one that only reads asks nobody, and waits two minutes', async () => {
    const { parts, asked } = await start(async (bot) => {
      const answer = bot.stream();
      const tool = answer.tool({ name: 'get_cart', input: { id: 'A-1' } });
      return answer.end(undefined, { interrupts: [call('get_cart', { tool }), call('add_item')] });
    });
    await asked();
    const [read, add] = await parts();
    expect(read).toMatchObject({
      reason: 'client_tool',
      clientId: 'tab-1',
      readOnly: true,
      toolName: 'get_cart',
    });
    expect(add).toMatchObject({ clientId: 'tab-1', input: { id: 'A-1' }, state: 'open' });
    expect(add).not.toHaveProperty('readOnly');
    const wait = Date.parse(add?.expiresAt ?? '') - Date.parse(read?.expiresAt ?? '');
    expect(wait).toBe(limits.interrupts.defaultTime - limits.client.waitTime);
  });

  test.each<[string, Partial<AnswerInterrupt>, string]>([
    ['of another name', { toolName: 'other' }, 'has no tool other'],
    ['without a name', { toolName: undefined as never }, 'toolName'],
    ['with a form', { responseSchema: { type: 'object', properties: {} } }, 'no form'],
  ])('%s is refused', async (_, wrong, message) => {
    const { server, post, errors } = await start((bot) => bot.stream().interrupt(call('add_item', wrong)));
    await post('ask', { client });
    await idle(server);
    expect(errors).toEqual([expect.stringContaining(message)]);
  });

  test('a bot cannot call a tool when the page offers none', async () => {
    const { server, post, errors } = await start((bot) => bot.stream().interrupt(call('add_item')));
    await post('ask');
    await idle(server);
    expect(errors).toEqual([expect.stringContaining('has no tool add_item')]);
  });

  test('is claimed once, and answered by the page that has claimed it; the bot alone gets the result', async () => {
    const { server, events, asked, to, messages, parts } = await start((bot) => {
      const answer = bot.stream();
      const tool = answer.tool({ name: 'add_item' });
      return answer.interrupt(call('add_item', { tool }));
    });
    const { id } = await asked();
    const [claim, respond] = [to(id, 'claim'), to(id, 'response')];
    const answer = { status: 'resolved', payload: { result: { items: [canary] } } };
    expect((await respond({ ...answer, claim: 'page-1' })).status).toBe(409);
    const [one, two] = await Promise.all([claim({ claim: 'page-1' }), claim({ claim: 'page-2' })]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    const [winner, loser] = one.status === 200 ? ['page-1', 'page-2'] : ['page-2', 'page-1'];
    // The response was lost.
    expect((await claim({ claim: winner })).status).toBe(200);
    expect((await claim({ claim: loser })).body.metadata).toMatchObject({ interrupt: { id, state: 'open' } });
    for (const wrong of [answer, { ...answer, claim: loser }, { status: 'cancelled' }])
      expect((await respond(wrong)).status).toBe(409);
    const later = {
      ...answer,
      claim: winner,
      client: { id: 'tab-1', context: [{ description: 'd', value: 'new' }] },
    };
    expect((await respond(later)).status).toBe(200);
    expect((await respond(later)).status).toBe(200);
    expect((await respond({ ...later, payload: { result: 2 } })).status).toBe(409);
    expect((await claim({ claim: winner })).status).toBe(409);
    await idle(server);
    expect(resumed(events)).toMatchObject([
      {
        client: later.client,
        payload: { interrupts: [{ id, status: 'resolved', by: 'page', payload: answer.payload }] },
      },
    ]);
    expect(resumed(events)[0]?.payload).not.toHaveProperty('client');
    expect((await parts())[0]).toMatchObject({
      state: 'resolved',
      by: 'page',
      input: { id: 'A-1' },
      response: { outcome: 'done' },
    });
    expect(await tools(await messages())).toEqual(['output-available']);
    expect(JSON.stringify([await messages(), await allRows(server.db)])).not.toContain(canary);
  });

  test.each<[string, object, object, ToolState]>([
    [
      'an error',
      { error: 'It is sold out.' },
      { by: 'page', response: { outcome: 'failed' } },
      'output-error',
    ],
    ['a refusal', { approved: false }, { by: 'visitor', response: { outcome: 'declined' } }, 'output-denied'],
  ])('%s goes to the bot as it is', async (_, payload, part, state) => {
    const { server, events, asked, to, parts, messages } = await start((bot) => {
      const answer = bot.stream();
      const tool = answer.tool({ name: 'add_item' });
      return answer.interrupt(call('add_item', { tool }));
    });
    const { id } = await asked();
    await to(id, 'claim')({ claim: 'page-1' });
    expect((await to(id, 'response')({ status: 'resolved', payload, claim: 'page-1' })).status).toBe(200);
    await idle(server);
    expect(resumed(events)[0]?.payload).toMatchObject({ interrupts: [{ payload }] });
    expect((await parts())[0]).toMatchObject(part);
    expect(await tools(await messages())).toEqual([state]);
  });

  test('what a tool that only reads was called with is removed when it has run', async () => {
    const { asked, to, parts } = await start((bot) => bot.stream().interrupt(call('get_cart')));
    const { id, input } = await asked();
    expect(input).toEqual({ id: 'A-1' });
    await to(id, 'claim')({ claim: 'page-1' });
    await to(id, 'response')({ status: 'resolved', payload: { result: 1 }, claim: 'page-1' });
    expect((await parts())[0]).not.toHaveProperty('input');
  });

  test.each<[string, object, number]>([
    ['an approval alone', { approved: true }, 400],
    ['nothing', {}, 400],
    ['a result and an error', { result: 1, error: 'x' }, 400],
    ['a result of 5 MB', { result: 'x'.repeat(5_000_000) }, 413],
    ['a result of 20,000 bytes', { result: 'x'.repeat(20_000) }, 413],
  ])('%s is refused as an answer', async (_, payload, expected) => {
    const { asked, to, parts } = await start((bot) => bot.stream().interrupt(call('add_item')));
    const { id } = await asked();
    await to(id, 'claim')({ claim: 'page-1' });
    const { status } = await to(id, 'response')({ status: 'resolved', payload, claim: 'page-1' });
    expect(status).toBe(expected);
    expect((await parts())[0]?.state).toBe('open');
  });

  test('a page that does not know whether it has run the tool says so, and the bot hears it', async () => {
    const { server, events, asked, to } = await start((bot) => bot.stream().interrupt(call('add_item')));
    const { id } = await asked();
    await to(id, 'claim')({ claim: 'page-1' });
    expect((await to(id, 'response')({ status: 'cancelled', claim: 'page-1' })).status).toBe(200);
    await idle(server);
    expect(resumed(events)[0]?.payload).toMatchObject({
      interrupts: [{ status: 'cancelled', by: 'unknown_outcome' }],
    });
  });

  test.each<[string, boolean, string]>([
    ['that no page has begun to run expires', false, 'expired'],
    ['that a page has begun to run has an unknown outcome', true, 'unknown_outcome'],
  ])('a call %s', async (_, isClaimed, by) => {
    let time = Date.now();
    const { server, events, asked, to } = await start((bot) => bot.stream().interrupt(call('get_cart')), {
      now: () => time,
    });
    const { id } = await asked();
    if (isClaimed) await to(id, 'claim')({ claim: 'page-1' });
    time += limits.client.waitTime + 1;
    expect((await to(id, 'claim')({ claim: 'page-1' })).status).toBe(409);
    await server.restart();
    await expect.poll(() => resumed(events).length, pollOptions).toBe(1);
    expect(resumed(events)[0]?.payload).toMatchObject({ interrupts: [{ status: 'cancelled', by }] });
  });

  test('that was claimed or answered before the server ended keeps its page and its result', async () => {
    const ask = (bot: Bot) => bot.stream().interrupt(call('add_item'));
    const { server, events, asked, visitor, conversationId } = await start(ask);
    const { id } = await asked();
    let current = server;
    const restart = async () => {
      current = await current.restart();
    };
    const to = async (path: string, claim: string, more = {}) =>
      (
        await current.call('POST', `/interrupts/${id}/${path}`, {
          key: visitor.key,
          body: { claim, ...more },
        })
      ).status;
    const respond = (claim: string, result: unknown) =>
      to('response', claim, { status: 'resolved', payload: { result } });
    await restart();
    expect(await to('claim', 'page-1')).toBe(200);
    await restart();
    // The response of the claim may be lost with the server: the page asks again, another page cannot.
    expect([await to('claim', 'page-1'), await to('claim', 'page-2')]).toEqual([200, 409]);
    expect([await respond('page-2', 'forged'), await respond('page-1', 1)]).toEqual([409, 200]);
    await restart();
    expect([await respond('page-1', 1), await respond('page-1', 2)]).toEqual([200, 409]);
    await idle(current);
    expect(resumed(events).map(({ payload }) => payload)).toMatchObject([
      { interrupts: [{ by: 'page', payload: { result: 1 } }] },
    ]);
    const { body } = await current.call('GET', `/conversations/${conversationId}/messages`, {
      key: visitor.key,
    });
    expect(JSON.stringify(body)).toContain('"outcome":"done"');
  });

  test('of another visitor can neither be claimed nor answered; a question is not a call', async () => {
    const { server, asked, to } = await start((bot) => bot.stream().interrupt(call('add_item')));
    const { id } = await asked();
    const { key } = await server.user();
    expect((await to(id, 'claim')({ claim: 'page-1' }, key)).status).toBe(404);
    expect((await to(id, 'response')({ status: 'cancelled' }, key)).status).toBe(404);
    const other = await start((bot) => bot.stream().interrupt({ reason: 'confirmation', message: 'Sure?' }));
    expect((await other.to((await other.asked()).id, 'claim')({ claim: 'page-1' })).status).toBe(400);
    expect(await rowsOf(server)).toMatchObject([{ claim: null, state: 'open' }]);
  });
});
