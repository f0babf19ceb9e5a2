// Tests of what an event contains beyond its payload (states, tags, trigger, knowledge bases), and of events about what
// the bot itself sends.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bot, BotEvent } from '../../protocol/bot.ts';
import { pollOptions, startTestServer, type TestServer } from '../testing.ts';
import {
  accept,
  addWebhookBot,
  answerJson,
  type Receiver,
  startReceiver,
  startVisitor,
  type WebhookBot,
} from './webhooks/testing.ts';

let server: TestServer;
let receiver: Receiver;
let bot: WebhookBot;
let visitor: Awaited<ReturnType<typeof startVisitor>>;
/** What the module of the default bot does. */
let handle: (event: BotEvent, bot: Bot) => unknown = () => {};
beforeEach(async () => {
  receiver = await startReceiver(accept);
  server = await startTestServer({
    webhooks: { privateNetworks: 'first' },
    handler: async (event, bot) => void (await handle(event, bot)),
  });
  bot = await addWebhookBot(server, receiver.url);
  visitor = await startVisitor(() => server, 'away');
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

async function runtime(method: string, path: string, body: unknown) {
  const response = await server.fetch(`/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bot.token}`,
      'x-bot-id': bot.id,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect([path, response.status < 300]).toEqual([path, true]);
  return (await response.json()) as { message: { id: string } };
}

const events = () => receiver.received.map(({ body }) => body.event);
const lastEvent = async (count: number) => {
  await expect.poll(() => events().length, pollOptions).toBe(count);
  return events().at(-1) as BotEvent;
};
const reply = (text: string) => ({
  conversationId: visitor.conversationId,
  payload: { type: 'text', text },
});
async function wantOutgoing() {
  const { workspaceId, token } = server.admin;
  const response = await server.fetch(`/v1/admin/bots/${bot.id}/deployment`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    body: '{"outgoingEvents": true}',
  });
  const { deployment } = (await response.json()) as { deployment: { outgoingEvents?: boolean } };
  expect(deployment.outgoingEvents).toBe(true);
}

describe('an event', () => {
  test('contains the states and the tags of its conversation, user and message', async () => {
    const { conversationId, userId } = visitor;
    await runtime('POST', `chat/states/conversation/${conversationId}/cart`, { payload: { items: 1 } });
    await runtime('POST', `chat/states/user/${userId}/__proto__`, { payload: { a: 1 }, expiry: 60_000 });
    await runtime('PUT', `chat/conversations/${conversationId}`, { tags: { topic: 'refund' } });
    await runtime('PUT', `chat/users/${userId}`, { tags: { plan: 'pro' } });
    await visitor.sendText('Hello');
    const event = await lastEvent(2);
    expect(JSON.stringify(event.state)).toBe(
      '{"conversation":{"cart":{"items":1}},"user":{"__proto__":{"a":1}}}',
    );
    expect(event.tags).toEqual({
      conversation: { topic: 'refund', owner: userId },
      message: {},
      user: { plan: 'pro' },
    });
    expect([event.trigger, event.kb]).toEqual([undefined, undefined]);
  });

  test('that is not a message names what sent it', async () => {
    const event = await lastEvent(1);
    expect(event.trigger).toEqual({
      flowId: bot.id,
      nodeId: 'conversation_started',
      eventName: 'chat:conversation_started',
      integration: 'chat',
      conversationId: visitor.conversationId,
      userId: visitor.userId,
    });
  });

  test('of a message names the knowledge bases of the bot', async () => {
    await runtime('POST', 'files/knowledge-bases', { name: 'Help' });
    await visitor.sendText('Hello');
    const event = await lastEvent(2);
    expect(event.kb).toEqual({ included: [{ id: expect.stringMatching(/^kb_/), name: 'Help' }] });
  });
});

describe('the bot object', () => {
  test('reads and writes states of the conversation, the user and the bot', async () => {
    const seen: unknown[] = [];
    handle = async (event, api) => {
      if (event.type !== 'text') return;
      seen.push(event.state, await api.getState('conversation', 'visits'));
      const visits = Number((await api.getState('conversation', 'visits'))?.n ?? 0) + 1;
      await api.setState('conversation', 'visits', { n: visits }, { expiry: 60_000 });
      seen.push(await api.patchState('user', 'profile', { [`v${visits}`]: true }));
      await api.setState('bot', 'gone', { a: 1 });
      await api.setState('bot', 'gone', null);
      seen.push(await api.getState('bot', 'gone'));
      await api.reply({ type: 'text', text: `${visits}` });
    };
    const other = await startVisitor(() => server, 'demo');
    for (const text of ['one', 'two']) await other.sendText(text);
    await expect.poll(() => other.texts(), pollOptions).toEqual(expect.arrayContaining(['1', '2']));
    expect(seen).toEqual([
      { conversation: {}, user: {} },
      undefined,
      { v1: true },
      undefined,
      { conversation: { visits: { n: 1 } }, user: { profile: { v1: true } } },
      { n: 1 },
      { v1: true, v2: true },
      undefined,
    ]);
  });

  test('refuses wrong names, payloads and times', async () => {
    const errors: string[] = [];
    const note = (error: Error) => void errors.push(`${error.name}: ${error.message}`);
    handle = async (event, api) => {
      if (event.type !== 'text') return;
      const set = api.setState as (...given: unknown[]) => Promise<void>;
      await set('workflow', 'x', {}).catch(note);
      await set('constructor', 'x', {}).catch(note);
      await set('user', '', {}).catch(note);
      await set('user', 'x', []).catch(note);
      await set('user', 'x', {}, { expiry: -1 }).catch(note);
      await set('user', 'x'.repeat(201), {}).catch(note);
      await set('user', 'x', { text: 'x'.repeat(131_072) }).catch(note);
      await api.reply({ type: 'text', text: 'done' });
    };
    const other = await startVisitor(() => server, 'demo');
    await other.sendText('one');
    await expect.poll(() => other.texts(), pollOptions).toContain('done');
    expect(errors).toEqual([
      expect.stringContaining('TypeError: The scope must be one of conversation, user, bot.'),
      expect.stringContaining('TypeError: The scope must be one of conversation, user, bot.'),
      expect.stringContaining('TypeError: The name must be a text.'),
      expect.stringContaining('TypeError: The payload is not valid: Expected an object.'),
      expect.stringContaining('TypeError: The expiry must be'),
      expect.stringContaining('name: Expected at most 200 characters.'),
      expect.stringContaining('a state has at most 131072'),
    ]);
  });
});

describe('events about what the bot sends', () => {
  test('are delivered only to a bot that asks for them', async () => {
    await lastEvent(1);
    await runtime('POST', 'chat/messages', reply('not reported'));
    await wantOutgoing();
    const { message } = await runtime('POST', 'chat/messages', reply('reported'));
    const event = await lastEvent(2);
    expect(event).toMatchObject({
      direction: 'outgoing',
      type: 'text',
      preview: 'reported',
      messageId: message.id,
      userId: bot.userId,
    });
    await runtime('POST', 'chat/events', { conversationId: visitor.conversationId, payload: { a: 1 } });
    expect(await lastEvent(3)).toMatchObject({ direction: 'outgoing', type: 'custom', payload: { a: 1 } });
    await visitor.sendText('Hello');
    expect(await lastEvent(4)).toMatchObject({ direction: 'incoming', preview: 'Hello' });
  });

  test('cause no loop in a bot that answers every event in its response', async () => {
    await lastEvent(1);
    await wantOutgoing();
    receiver.answer(answerJson({ messages: [{ payload: { type: 'text', text: 'echo' } }] }));
    // The message, the answer, and the answer to the event about it.
    await visitor.sendText('Hello');
    await expect.poll(() => visitor.texts(), pollOptions).toHaveLength(3);
    await visitor.sendText('Bye');
    await expect.poll(() => visitor.texts(), pollOptions).toHaveLength(6);
    const directions = events().map(({ direction }) => direction);
    expect(directions.filter((direction) => direction === 'incoming')).toHaveLength(3);
    expect(directions.filter((direction) => direction === 'outgoing')).toHaveLength(2);
  });

  test('end after 20 in a bot that answers each of them through the Runtime API', async () => {
    await lastEvent(1);
    await wantOutgoing();
    receiver.answer(async (response, { body: { event } }) => {
      if (event.direction === 'outgoing') await runtime('POST', 'chat/messages', reply('again'));
      response.writeHead(204).end();
    });
    await runtime('POST', 'chat/messages', reply('first'));
    await lastEvent(21);
    const left = () => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries'));
    await expect.poll(left, pollOptions).toEqual([]);
    expect(await visitor.texts()).toHaveLength(21);
    // The next event of the visitor allows 20 more.
    await visitor.sendText('Hello');
    await lastEvent(22);
    receiver.answer(accept);
    await runtime('POST', 'chat/messages', reply('second'));
    await lastEvent(23);
  });

  test('that the bot refuses notify nobody', async () => {
    await lastEvent(1);
    await wantOutgoing();
    receiver.answer(answerJson({ messages: 'wrong' }));
    await runtime('POST', 'chat/messages', reply('reported'));
    await lastEvent(2);
    receiver.answer(accept);
    await visitor.sendText('Hello');
    await lastEvent(3);
    expect(await visitor.texts()).toEqual(['reported', 'Hello']);
  });
});
