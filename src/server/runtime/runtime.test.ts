// Tests of the Runtime API: an external bot can do everything that bot code can, only in its own conversations.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import {
  accept,
  addWebhookBot,
  type Receiver,
  requestAs,
  startReceiver,
  startVisitor,
  type Visitor,
  type WebhookBot,
} from '../bots/webhooks/testing.ts';
import { readStream, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let receiver: Receiver;
let bot: WebhookBot;
let other: WebhookBot;
let visitor: Visitor;

beforeEach(async () => {
  receiver = await startReceiver(accept);
  server = await startTestServer({ WEBHOOK_PRIVATE: 'first', ANONYMOUS_USER_IDS: 'allow' });
  bot = await addWebhookBot(server, receiver.url);
  other = await addWebhookBot(server, receiver.url, 'other');
  visitor = await startVisitor(() => server, 'away');
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

const request = (route: string, body?: unknown, { by = bot, headers = {} } = {}) =>
  requestAs(server, by, route.replace(' ', ' /v1/chat'), body, headers);
const text = (value: string) => ({ type: 'text', text: value });
const sendText = (value: string, headers = {}) =>
  request(
    'POST /messages',
    { conversationId: visitor.conversationId, payload: text(value), metadata: { n: 1 } },
    { headers },
  );
test('a message with an Idempotency-Key is sent once', async () => {
  const key = { 'idempotency-key': 'evt_1:0' };
  const [first, again] = [await sendText('once', key), await sendText('once', key)];
  expect(first.body.message).toMatchObject({ payload: text('once'), metadata: { n: 1 } });
  expect(again.body).toEqual(first.body);
  expect(await visitor.texts()).toEqual(['once']);
  expect((await sendText('another', key)).status).toBe(422);
  // The same key of another bot is independent.
  const elsewhere = await startVisitor(() => server, 'other');
  const theirs = { conversationId: elsewhere.conversationId, payload: text('once') };
  expect((await request('POST /messages', theirs, { by: other, headers: key })).status).toBe(201);
  expect(await elsewhere.texts()).toEqual(['once']);
});

test('conversations and users can be read, and users are sorted', async () => {
  const { conversationId, userId } = visitor;
  const { body } = await request(`GET /conversations/${conversationId}`);
  expect(body.conversation).toEqual({
    ...{ id: conversationId, channel: 'channel', integration: 'chat', messageCount: 0 },
    ...{ createdAt: expect.any(String), updatedAt: expect.any(String), tags: { owner: userId } },
  });
  const second = await startVisitor(() => server, 'away');
  const users = async (query: string) => {
    const response = await request(`GET /users?${query}`);
    return response.status === 200
      ? response.body.users.map(({ id }: { id: string }) => id)
      : response.status;
  };
  expect(await users('')).toEqual([second.userId, userId]);
  expect(await users('sortDirection=asc&sortField=updatedAt')).toEqual([userId, second.userId]);
  const { nextToken } = (await request('GET /users?pageSize=1')).body.meta;
  expect(await users(`pageSize=1&nextToken=${nextToken}`)).toEqual([userId]);
  // A nextToken of another order is refused.
  expect(await users(`sortDirection=asc&nextToken=${nextToken}`)).toBe(400);
});

test('users are found by their foreign id', async () => {
  await startVisitor(() => server, 'away', { id: 'ann', profile: 'p' });
  const { body } = await request('GET /users?tags={"fid":"ann"}');
  expect(body.users).toMatchObject([
    { id: expect.stringMatching(/^user_/), tags: { fid: 'ann', profile: 'p' } },
  ]);
  expect((await request('GET /users?tags[profile]=p')).body.users).toHaveLength(1);
});

test('typing, visibility, configuration and custom events reach the page', async () => {
  const stream = readStream(await visitor.listen());
  const base = `/conversations/${visitor.conversationId}`;
  expect(await request(`POST ${base}/typing`, { typing: true })).toEqual({ status: 200, body: {} });
  await stream.untilType('typing_started');
  await sendText('There');
  await stream.untilType('typing_stopped');
  await request(`POST ${base}/visibility`, { visibility: 'show' });
  expect((await stream.untilType('webchat_visibility')).data.visibility).toBe('show');
  const configuration = { color: '#0a7a5a', adminKey: 'secret' };
  await request(`POST ${base}/configuration`, { configuration });
  expect((await stream.untilType('webchat_config')).data.config).toEqual({ color: '#0a7a5a' });
  const large = { conversationId: visitor.conversationId, payload: { a: 'x'.repeat(limits.payloadBytes) } };
  expect((await request('POST /events', large)).status).toBe(413);
  await stream.cancel();
});

describe('a streamed answer', () => {
  const open = async () =>
    (await request('POST /streams', { conversationId: visitor.conversationId })).body.stream.id as string;

  test('that has ended is the same message after a restart, which no other bot can see', async () => {
    const id = await open();
    await request(`POST /streams/${id}/deltas`, { delta: 'One' });
    const { body } = await request(`POST /streams/${id}/end`, { metadata: { m: 1 } });
    server = await server.restart();
    expect((await request(`POST /streams/${id}/end`, {})).body).toEqual(body);
    expect((await request(`POST /streams/${id}/end`, {}, { by: other })).status).toBe(404);
    expect((await request(`POST /streams/${id}/deltas`, { delta: 'two' })).status).toBe(404);
  });

  test('of a block alone has the text or the name of the block, and follows it', async () => {
    const part = { id: 'b', type: 'block', name: 'order', data: { id: 'A-1' }, fallback: 'Order A-1' };
    const [ended, stopped] = [await open(), await open()];
    await request(`POST /streams/${ended}/deltas`, { part });
    await request(`POST /streams/${stopped}/deltas`, { part: { ...part, fallback: '' } });
    const { message } = (await request(`POST /streams/${ended}/end`, {})).body;
    await visitor.request(`POST /conversations/${visitor.conversationId}/stop`, { streamId: stopped });
    expect(await visitor.texts()).toEqual(['Order A-1', 'order']);
    // Unless the text says something else.
    const change = { fallback: 'Order A-1: sent' };
    const changed = await request(`PUT /messages/${message.id}/parts/b`, { part: change });
    expect(changed.body.message).toMatchObject({ payload: text('Order A-1: sent'), parts: [change] });
    expect(await visitor.texts()).toEqual(['Order A-1: sent', 'order']);
  });
});

test('resources of another bot are answered with the same 404 as unknown ones', async () => {
  const messageId = await visitor.sendText('secret');
  const own = (await sendText('mine')).body.message.id;
  const { conversationId } = visitor;
  const event = (await request('POST /events', { conversationId, payload: {} })).body.event.id;
  const stream = (await request('POST /streams', { conversationId })).body.stream.id;
  const asks: [string, unknown?][] = [
    [`GET /conversations/${conversationId}`],
    [`GET /users/${visitor.userId}`],
    [`GET /users/${bot.userId}`],
    [`GET /users?conversationId=${conversationId}`],
    [`GET /messages?conversationId=${conversationId}`],
    [`GET /messages/${messageId}`],
    [`DELETE /messages/${own}`],
    [`GET /events/${event}`],
    ['POST /messages', { conversationId, payload: text('x') }],
    ['POST /events', { conversationId, payload: {} }],
    ['POST /streams', { conversationId }],
    [`POST /streams/${stream}/deltas`, { delta: 'x' }],
    [`POST /streams/${stream}/end`, {}],
    [`POST /streams/${stream}/abort`],
    [`POST /conversations/${conversationId}/typing`, { typing: true }],
    [`POST /conversations/${conversationId}/visibility`, { visibility: 'show' }],
    [`POST /conversations/${conversationId}/configuration`, { configuration: {} }],
  ];
  for (const [route, body] of asks) {
    const response = await request(route, body, { by: other });
    expect([route, response.status]).toEqual([route, 404]);
    expect(JSON.stringify(response.body)).not.toContain('secret');
  }
  const list = await request(`GET /conversations?userId=${visitor.userId}`, undefined, { by: other });
  expect(list.body).toEqual({ conversations: [], meta: {} });
  expect((await request('GET /users', undefined, { by: other })).body.users).toEqual([]);
  expect(await visitor.texts()).toEqual(['secret', 'mine']);
});
