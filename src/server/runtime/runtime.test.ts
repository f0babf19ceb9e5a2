// Tests of the Runtime API: an external bot can do everything that bot code can, only in its own conversations.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import {
  accept,
  addWebhookBot,
  type Receiver,
  startReceiver,
  startVisitor,
  type WebhookBot,
} from '../bots/webhooks/testing.ts';
import { pollOptions, readStream, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let receiver: Receiver;
let bot: WebhookBot;
let other: WebhookBot;
let visitor: Awaited<ReturnType<typeof startVisitor>>;

beforeEach(async () => {
  receiver = await startReceiver(accept);
  server = await startTestServer({ webhooks: { privateNetworks: 'first' }, anonymousUserIds: true });
  bot = await addWebhookBot(server, receiver.url);
  other = await addWebhookBot(server, receiver.url, 'other');
  visitor = await startVisitor(() => server, 'away');
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
type Body = any;

async function request(
  route: string,
  body?: unknown,
  { by = bot, headers = {} }: { by?: WebhookBot; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: Body }> {
  const [method = '', path = ''] = route.split(' ');
  const response = await server.fetch(`/v1/chat${path}`, {
    method,
    headers: {
      authorization: `Bearer ${by.token}`,
      'x-bot-id': by.id,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const text = (value: string) => ({ type: 'text', text: value });
const sendText = (value: string, headers = {}) =>
  request('POST /messages', { conversationId: visitor.conversationId, payload: text(value) }, { headers });
const listen = async () => readStream(await visitor.listen());

test('a message of a bot reaches the visitor at once; the bot uses the ids of the event', async () => {
  const stream = await listen();
  const { status, body } = await request('POST /messages', {
    conversationId: visitor.conversationId,
    payload: text('Hello'),
    metadata: { n: 1 },
  });
  expect([status, body.message]).toEqual([
    201,
    expect.objectContaining({
      conversationId: visitor.conversationId,
      userId: bot.userId,
      metadata: { n: 1 },
    }),
  ]);
  const received = await stream.untilType('message_created');
  expect(received.data).toMatchObject({ id: body.message.id, isBot: true, payload: text('Hello') });
  expect((await request(`GET /messages/${body.message.id}`)).body).toEqual(body);
  await stream.cancel();
});

test('a message with an Idempotency-Key is sent once', async () => {
  const key = { 'idempotency-key': 'evt_1:0' };
  const [first, again] = [await sendText('once', key), await sendText('once', key)];
  expect(again.body).toEqual(first.body);
  expect(await visitor.texts()).toEqual(['once']);
  expect((await sendText('another', key)).status).toBe(422);
  // The same key of another bot is independent.
  const elsewhere = await startVisitor(() => server, 'other');
  const theirs = { conversationId: elsewhere.conversationId, payload: text('once') };
  expect((await request('POST /messages', theirs, { by: other, headers: key })).status).toBe(201);
  expect(await elsewhere.texts()).toEqual(['once']);
});

test('messages are listed in pages; the bot can delete its own, not those of the visitor', async () => {
  for (const value of ['one', 'two', 'three']) await sendText(value);
  const messageId = await visitor.sendText('four');
  const first = await request(`GET /messages?conversationId=${visitor.conversationId}&pageSize=3`);
  const texts = (answer: { body: Body }) => answer.body.messages.map(({ payload }: Body) => payload.text);
  expect(texts(first)).toEqual(['four', 'three', 'two']);
  const token = first.body.meta.nextToken;
  const rest = await request(
    `GET /messages?conversationId=${visitor.conversationId}&pageSize=3&nextToken=${token}`,
  );
  expect([texts(rest), rest.body.meta]).toEqual([['one'], {}]);
  expect((await request(`GET /messages?conversationId=${visitor.conversationId}&nextToken=x`)).status).toBe(
    400,
  );
  expect((await request('GET /messages')).status).toBe(400);
  expect((await request(`DELETE /messages/${messageId}`)).status).toBe(403);
  const own = rest.body.messages[0].id;
  expect(await request(`DELETE /messages/${own}`)).toEqual({ status: 200, body: {} });
  expect((await request(`DELETE /messages/${own}`)).status).toBe(404);
  expect(await visitor.texts()).toEqual(['two', 'three', 'four']);
});

test('conversations and users can be read and listed', async () => {
  const second = await startVisitor(() => server, 'away');
  await startVisitor(() => server, 'other');
  const { body } = await request(`GET /conversations/${visitor.conversationId}`);
  expect(body.conversation).toEqual({
    channel: 'channel',
    integration: 'chat',
    messageCount: 0,
    id: visitor.conversationId,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    tags: { owner: visitor.userId },
  });
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  expect(ids((await request('GET /conversations')).body.conversations)).toEqual([
    second.conversationId,
    visitor.conversationId,
  ]);
  const ofOne = await request(`GET /conversations?userId=${visitor.userId}`);
  expect(ids(ofOne.body.conversations)).toEqual([visitor.conversationId]);
  const page = await request('GET /conversations?pageSize=1');
  const next = await request(`GET /conversations?pageSize=1&nextToken=${page.body.meta.nextToken}`);
  expect([ids(next.body.conversations), next.body.meta]).toEqual([[visitor.conversationId], {}]);

  const user = await request(`GET /users/${visitor.userId}`);
  expect(user.body.user).toMatchObject({ id: visitor.userId, tags: {} });
  const users = async (query: string) => {
    const answer = await request(`GET /users?${query}`);
    return answer.status === 200 ? ids(answer.body.users) : answer.status;
  };
  expect(await users('')).toEqual([second.userId, visitor.userId]);
  expect(await users('sortDirection=asc&sortField=updatedAt')).toEqual([visitor.userId, second.userId]);
  expect(await users(`conversationId=${second.conversationId}`)).toEqual([second.userId]);
  expect(await users('tags.fid=none')).toEqual([]);
  expect(await users('tags.color=red')).toEqual([]);
  expect(await users('beforeDate=2020-01-01T00:00:00Z')).toEqual([]);
  expect(await users('afterDate=2020-01-01T00:00:00Z&rangeField=updatedAt')).toHaveLength(2);
  for (const wrong of ['afterDate=soon', 'sortField=name', 'sortDirection=up', 'nextToken=x', 'pageSize=0']) {
    expect([wrong, await users(wrong)]).toEqual([wrong, 400]);
  }
  const ofUsers = await request('GET /users?pageSize=1');
  const { nextToken } = ofUsers.body.meta;
  expect(await users(`pageSize=1&nextToken=${nextToken}`)).toEqual([visitor.userId]);
  // A nextToken of another order is refused.
  expect(await users(`sortDirection=asc&nextToken=${nextToken}`)).toBe(400);
});

test('users are found by their foreign id', async () => {
  await server.fetch('/chat/away/users', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'ann', profile: 'p' }),
  });
  const { body } = await request('GET /users?tags={"fid":"ann"}');
  expect(body.users).toMatchObject([
    { id: expect.stringMatching(/^user_/), tags: { fid: 'ann', profile: 'p' } },
  ]);
  expect((await request('GET /users?tags[profile]=p')).body.users).toHaveLength(1);
});

test('typing, visibility, configuration and custom events reach the page', async () => {
  const stream = await listen();
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
  const made = await request('POST /events', { conversationId: visitor.conversationId, payload: { a: 1 } });
  expect((await stream.untilType('event_created')).data).toMatchObject({ payload: { a: 1 }, isBot: true });
  expect((await request(`GET /events/${made.body.event.id}`)).body).toEqual(made.body);
  for (const [path, wrong] of [
    [`${base}/typing`, { typing: 1 }],
    [`${base}/visibility`, { visibility: 'gone' }],
    [`${base}/configuration`, { configuration: { color: 7 } }],
    [`${base}/configuration`, { configuration: 'all' }],
    ['/events', { conversationId: visitor.conversationId, payload: 'all' }],
    ['/messages', { conversationId: visitor.conversationId, payload: text('') }],
  ] as const) {
    expect([path, (await request(`POST ${path}`, wrong)).status]).toEqual([path, 400]);
  }
  const large = { conversationId: visitor.conversationId, payload: { a: 'x'.repeat(limits.payloadBytes) } };
  expect((await request('POST /events', large)).status).toBe(413);
  await stream.cancel();
});

test('actions of the bot are not delivered to it as events', async () => {
  await sendText('Hello');
  await request('POST /events', { conversationId: visitor.conversationId, payload: {} });
  await visitor.sendText('Hi');
  await expect
    .poll(() => receiver.received.map(({ body }) => body.event.type), pollOptions)
    .toEqual(['conversation_started', 'text']);
});

describe('a streamed answer', () => {
  const open = async () =>
    (await request('POST /streams', { conversationId: visitor.conversationId })).body.stream.id as string;
  const write = (id: string, delta: string, position?: number) =>
    request(`POST /streams/${id}/deltas`, { delta, ...(position === undefined ? {} : { position }) });

  test('is visible while it grows, ends with a message, and can be ended twice', async () => {
    const stream = await listen();
    const id = await open();
    expect((await write(id, 'One ')).body).toEqual({ position: 4, stopped: false });
    await write(id, 'two', 4);
    expect((await stream.untilType('message_stream_delta')).data).toMatchObject({
      streamId: id,
      delta: 'One ',
    });
    const { status, body } = await request(`POST /streams/${id}/end`, { metadata: { m: 1 } });
    expect([status, body.message.payload]).toEqual([200, { type: 'markdown', markdown: 'One two' }]);
    expect(body.message.metadata).toEqual({ m: 1, streamId: id });
    expect((await request(`POST /streams/${id}/end`, {})).body).toEqual(body);
    await stream.untilType('message_stream_complete');
    await stream.untilType('message_created');
    expect(await visitor.texts()).toEqual(['One two']);
    // Also after a restart, when the stream is not in memory.
    server = await server.restart();
    expect((await request(`POST /streams/${id}/end`, {})).body).toEqual(body);
    expect((await request(`POST /streams/${id}/end`, {}, { by: other })).status).toBe(404);
    expect((await write(id, 'three')).status).toBe(404);
  });

  test('stores a repeated chunk once and reports a missing one', async () => {
    const id = await open();
    await write(id, 'abc', 0);
    expect((await write(id, 'abc', 0)).body.position).toBe(3);
    expect((await write(id, 'bcde', 1)).body.position).toBe(5);
    expect((await write(id, 'z', 6)).status).toBe(400);
    expect((await request(`POST /streams/${id}/end`, {})).body.message.payload.markdown).toBe('abcde');
  });

  test('keeps half a character until its other half arrives, also in its parts', async () => {
    const stream = await listen();
    const id = await open();
    const startedAt = '2026-01-01T00:00:00.000Z';
    const part = { id: 'r', type: 'reasoning', state: 'streaming', startedAt };
    await request(`POST /streams/${id}/deltas`, { part });
    const pieces = ['\ud83d', '\ude00', '\ud83d', '!\ud83d'];
    let position = 0;
    for (const piece of pieces) {
      await write(id, piece, position);
      const change = { part: { id: 'r', textDelta: piece }, textPosition: position };
      expect((await request(`POST /streams/${id}/deltas`, change)).status).toBe(200);
      position += piece.length;
    }
    const { body } = await request(`POST /streams/${id}/end`, {});
    const whole = '😀\ufffd!';
    expect(body.message).toMatchObject({ payload: { markdown: whole }, parts: [{ text: whole }] });
    await stream.untilType('message_created');
    expect(stream.frames.filter(({ data }) => /\\ud[89a-f]/.test(data))).toEqual([]);
    await stream.cancel();
  });

  test('can be aborted, cannot end empty, and can end with another payload', async () => {
    const stream = await listen();
    const id = await open();
    await write(id, 'half');
    expect((await request(`POST /streams/${id}/abort`)).status).toBe(200);
    await stream.untilType('message_stream_abort');
    expect((await request(`POST /streams/${id}/end`, {})).status).toBe(404);
    const silent = await open();
    expect((await request(`POST /streams/${silent}/end`, {})).status).toBe(400);
    const ended = await request(`POST /streams/${silent}/end`, { payload: text('done') });
    expect(ended.body.message.payload).toEqual(text('done'));
    expect(await visitor.texts()).toEqual(['done']);
    await stream.cancel();
  });

  test('of a block alone is a message whose text is what stands for it, also when the visitor stops it', async () => {
    const part = { id: 'b', type: 'block', name: 'order', data: { id: 'A-1' }, fallback: 'Order A-1' };
    const ended = await open();
    await request(`POST /streams/${ended}/deltas`, { part });
    const { body } = await request(`POST /streams/${ended}/end`, {});
    expect(body.message).toMatchObject({ payload: text('Order A-1'), parts: [{ ...part, at: 0 }] });
    const stopped = await open();
    await request(`POST /streams/${stopped}/deltas`, { part: { ...part, fallback: '' } });
    await server.fetch(`/chat/away/conversations/${visitor.conversationId}/stop`, {
      method: 'POST',
      headers: { 'x-user-key': visitor.key, 'content-type': 'application/json' },
      body: JSON.stringify({ streamId: stopped }),
    });
    expect(await visitor.texts()).toEqual(['Order A-1', 'order']);
    // The text follows the block, unless it says something else.
    const change = { fallback: 'Order A-1: sent' };
    const changed = await request(`PUT /messages/${body.message.id}/parts/b`, { part: change });
    expect(changed.body.message).toMatchObject({ payload: text('Order A-1: sent'), parts: [change] });
    expect(await visitor.texts()).toEqual(['Order A-1: sent', 'order']);
  });

  test('keeps its text when the visitor stops it, and the bot is notified', async () => {
    const id = await open();
    await write(id, 'so far');
    await server.fetch(`/chat/away/conversations/${visitor.conversationId}/stop`, {
      method: 'POST',
      headers: { 'x-user-key': visitor.key, 'content-type': 'application/json' },
      body: JSON.stringify({ streamId: id }),
    });
    expect((await write(id, ' and more')).body).toEqual({ position: 6, stopped: true });
    const { body } = await request(`POST /streams/${id}/end`, { payload: text('all of it') });
    expect(body.message).toMatchObject({ payload: { markdown: 'so far' }, metadata: { stopped: true } });
    expect(await visitor.texts()).toEqual(['so far']);
    const emptyStream = await open();
    await server.fetch(`/chat/away/conversations/${visitor.conversationId}/stop`, {
      method: 'POST',
      headers: { 'x-user-key': visitor.key, 'content-type': 'application/json' },
      body: JSON.stringify({ streamId: emptyStream }),
    });
    expect((await request(`POST /streams/${emptyStream}/end`, {})).status).toBe(410);
  });

  test('has a maximum length, and a bot has a maximum number of them', async () => {
    const id = await open();
    const half = 'x'.repeat(limits.streamCharacters / 2);
    await write(id, half);
    await write(id, half);
    expect((await write(id, 'x')).status).toBe(413);
    for (let n = 1; n < limits.openStreams; n += 1) await open();
    const refused = await request('POST /streams', { conversationId: visitor.conversationId });
    expect([refused.status, refused.body.type]).toEqual([403, 'QuotaExceeded']);
  });

  test('stores nothing when its conversation is deleted before it ends', async () => {
    const id = await open();
    await write(id, 'half');
    await visitor.drop(`/conversations/${visitor.conversationId}`);
    expect((await request(`POST /streams/${id}/end`, {})).status).toBe(404);
  });
});

test('resources of another bot are answered with the same 404 as unknown ones', async () => {
  const messageId = await visitor.sendText('secret');
  const own = (await sendText('mine')).body.message.id;
  const event = (await request('POST /events', { conversationId: visitor.conversationId, payload: {} })).body
    .event.id;
  const stream = (await request('POST /streams', { conversationId: visitor.conversationId })).body.stream.id;
  const conversationId = visitor.conversationId;
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
    const answer = await request(route, body, { by: other });
    expect([route, answer.status]).toEqual([route, 404]);
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  }
  expect(
    (await request(`GET /conversations?userId=${visitor.userId}`, undefined, { by: other })).body,
  ).toEqual({
    conversations: [],
    meta: {},
  });
  expect((await request('GET /users', undefined, { by: other })).body.users).toEqual([]);
  expect(await visitor.texts()).toEqual(['secret', 'mine']);
});
