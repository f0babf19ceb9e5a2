// Tests of what an event contains beyond its payload (states, tags, trigger, knowledge bases), and of events about what
// the bot itself sends.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bot, BotEvent } from '../../protocol/bot.ts';
import type { Deployment } from '../../protocol/types/bots.ts';
import { requesterFor } from '../admin/testing.ts';
import { pollOptions, startTestServer, type TestServer } from '../testing.ts';
import {
  accept,
  addWebhookBot,
  answerJson,
  type Receiver,
  requestAs,
  startReceiver,
  startVisitor,
  type Visitor,
  type WebhookBot,
} from './webhooks/testing.ts';

let server: TestServer;
let receiver: Receiver;
let bot: WebhookBot;
let visitor: Visitor;
/** The behaviour of the module of the default bot. */
let handle: (event: BotEvent, bot: Bot) => unknown = () => {};
beforeEach(async () => {
  receiver = await startReceiver(accept);
  server = await startTestServer({
    WEBHOOK_PRIVATE: 'first',
    handler: async (event, bot) => void (await handle(event, bot)),
  });
  bot = await addWebhookBot(server, receiver.url);
  visitor = await startVisitor(() => server, 'away');
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

/** Sends a request of the bot. */
async function runtime(method: string, path: string, body?: unknown) {
  const answer = await requestAs(server, bot, `${method} /v1/${path}`, body);
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body;
}

const events = () => receiver.received.map(({ body }) => body.event);
const lastEvent = async (count: number) => {
  await expect.poll(() => events().length, pollOptions).toBe(count);
  return events().at(-1) as BotEvent;
};
const reply = (text: string) => {
  return { conversationId: visitor.conversationId, payload: { type: 'text', text } };
};
/** Changes the deployment of a bot, and returns it. */
async function setDeployment(fields: Partial<Deployment>, botId = bot.id): Promise<Deployment> {
  const { workspaceId, token = '' } = server.admin;
  const admin = requesterFor(server, token, workspaceId);
  const { status, body } = await admin('PUT', `/bots/${botId}/deployment`, fields);
  expect(status).toBe(200);
  return body.deployment;
}
const wantOutgoing = () => setDeployment({ outgoingEvents: true });

/** Stores an indexed file of the bot. */
async function addFile(content: string, tags: Record<string, string>) {
  const fields = { key: `${content}.txt`, size: content.length, index: true, tags };
  const { file } = await runtime('PUT', 'files', fields);
  const { ok } = await server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: content });
  expect(ok).toBe(true);
  const status = async () => (await runtime('GET', `files/${file.id}`)).file.status;
  await expect.poll(status, pollOptions).toBe('indexing_completed');
}

/** Creates a knowledge base with one file and returns its id. */
async function addKnowledgeBase(name: string, content: string): Promise<string> {
  const { knowledgeBase } = await runtime('POST', 'files/knowledge-bases', { name });
  await addFile(content, { kbId: knowledgeBase.id });
  return knowledgeBase.id;
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
    const state = '{"conversation":{"cart":{"items":1}},"user":{"__proto__":{"a":1}}}';
    expect(JSON.stringify(event.state)).toBe(state);
    const conversation = { topic: 'refund', owner: userId };
    expect(event.tags).toEqual({ conversation, message: {}, user: { plan: 'pro' } });
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

  test('an event of a message names the knowledge bases of the bot', async () => {
    await runtime('POST', 'files/knowledge-bases', { name: 'Help' });
    await visitor.sendText('Hello');
    const event = await lastEvent(2);
    expect(event.kb).toEqual({ included: [{ id: expect.stringMatching(/^kb_/), name: 'Help' }] });
  });

  test('of a message has passages of the knowledge bases, if the deployment asks for them', async () => {
    const help = await addKnowledgeBase('Help', 'A refund takes five days.');
    const shop = await addKnowledgeBase('Shop', 'A refund of a shop takes two days.');
    await addFile('Without a knowledge base: a refund.', {});
    await setDeployment({ knowledgeResults: 2 });
    await visitor.sendText('When is my refund paid?');
    const { kb } = await lastEvent(2);
    expect(kb?.included.map(({ name }) => name)).toEqual(['Shop', 'Help']);
    expect(kb?.results?.map(({ content, file }) => [content, file.tags]).sort()).toEqual([
      ['A refund of a shop takes two days.', { kbId: shop }],
      ['A refund takes five days.', { kbId: help }],
    ]);
    expect(kb?.results?.[0]).toMatchObject({ score: expect.any(Number), meta: { type: 'chunk' } });
    // The number is a limit, and 0 ends the search.
    await setDeployment({ knowledgeResults: 1 });
    await visitor.sendText('refund');
    expect((await lastEvent(3)).kb?.results).toHaveLength(1);
    await setDeployment({ knowledgeResults: 0 });
    await visitor.sendText('refund');
    expect((await lastEvent(4)).kb).not.toHaveProperty('results');
  });

  test('of a message without words, or with a long text, has the results of what can be searched', async () => {
    await addKnowledgeBase('Help', 'A refund takes five days.');
    await setDeployment({ knowledgeResults: 5 });
    await visitor.sendText('???');
    expect((await lastEvent(2)).kb?.results).toEqual([]);
    await visitor.sendText(`refund ${'\u{1f600}'.repeat(5_000)}`);
    expect((await lastEvent(3)).kb?.results).toHaveLength(1);
  });

  test('of another bot has nothing of these knowledge bases', async () => {
    await addKnowledgeBase('Help', 'A refund takes five days.');
    const other = await addWebhookBot(server, receiver.url, 'other');
    await setDeployment({ knowledgeResults: 5 }, other.id);
    const visitorOfOther = await startVisitor(() => server, 'other');
    await visitorOfOther.sendText('refund');
    const event = await lastEvent(3);
    expect([event.botId, event.kb]).toEqual([other.id, undefined]);
  });

  test('another field of the deployment keeps the number of passages', async () => {
    await setDeployment({ knowledgeResults: 50 });
    expect(await setDeployment({ outgoingEvents: true })).toMatchObject({ knowledgeResults: 50 });
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
    const calls: [unknown[], RegExp][] = [
      [['workflow', 'x', {}], /^TypeError: The scope must be one of conversation, user, bot\./],
      [['constructor', 'x', {}], /^TypeError: The scope must be one of/],
      [['user', '', {}], /^TypeError: The name must be a text\./],
      [['user', 'x', []], /^TypeError: The payload is not valid: Expected an object\./],
      [['user', 'x', {}, { expiry: -1 }], /^TypeError: The expiry must be/],
      [['user', 'x'.repeat(201), {}], /name: Expected at most 200 characters\./],
      [['user', 'x', { text: 'x'.repeat(131_072) }], /a state has at most 131072/],
    ];
    handle = async (event, api) => {
      if (event.type !== 'text') return;
      const set = api.setState as (...given: unknown[]) => Promise<void>;
      for (const [given] of calls)
        await set(...given).catch((error: Error) => errors.push(`${error.name}: ${error.message}`));
      await api.reply({ type: 'text', text: 'done' });
    };
    const other = await startVisitor(() => server, 'demo');
    await other.sendText('one');
    await expect.poll(() => other.texts(), pollOptions).toContain('done');
    expect(errors).toEqual(calls.map(([, message]) => expect.stringMatching(message)));
  });
});

describe('events about what the bot sends', () => {
  test('are delivered only to a bot that asks for them', async () => {
    await lastEvent(1);
    await runtime('POST', 'chat/messages', reply('not reported'));
    await wantOutgoing();
    const { message } = await runtime('POST', 'chat/messages', reply('reported'));
    const event = await lastEvent(2);
    const sent = { direction: 'outgoing', type: 'text', preview: 'reported' };
    expect(event).toMatchObject({ ...sent, messageId: message.id, userId: bot.userId });
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
    const storedDeliveries = () => server.db.read((tx) => tx.all('SELECT 1 FROM deliveries'));
    await expect.poll(storedDeliveries, pollOptions).toEqual([]);
    expect(await visitor.texts()).toHaveLength(21);
    // The next event of the visitor allows 20 more.
    await visitor.sendText('Hello');
    await lastEvent(22);
    receiver.answer(accept);
    await runtime('POST', 'chat/messages', reply('second'));
    await lastEvent(23);
  });

  test('events that the bot refuses notify nobody', async () => {
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
