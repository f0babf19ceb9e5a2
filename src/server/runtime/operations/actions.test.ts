// Tests of actions by name: each has the effect of its operation of the Runtime API, only in the bot's own conversations.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../protocol/limits.ts';
import {
  accept,
  addWebhookBot,
  type Receiver,
  requestAs,
  startReceiver,
  startVisitor,
  type Visitor,
  type WebhookBot,
} from '../../bots/webhooks/testing.ts';
import { settledRows } from '../../testing/settled-rows.testing.ts';
import { allRows, readStream, startTestServer, type TestServer } from '../../testing.ts';

let server: TestServer;
let receiver: Receiver;
let bot: WebhookBot;
let other: WebhookBot;
let visitor: Visitor;

beforeAll(async () => {
  receiver = await startReceiver(accept);
  server = await startTestServer({ WEBHOOK_PRIVATE: 'first' });
  bot = await addWebhookBot(server, receiver.url);
  other = await addWebhookBot(server, receiver.url, 'other');
  visitor = await startVisitor(() => server, 'away');
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const request = (body: unknown, { by = bot, headers = {} } = {}) =>
  requestAs(server, by, 'POST /v1/chat/actions', body, headers);
const call = (name: string, input: object, options = {}) =>
  request({ type: `webchat:${name}`, input }, options);
const done = (output: object) => ({ status: 200, body: { output, meta: { cached: false } } });

test('visibility, configuration and custom events are sent to the page', async () => {
  const stream = await readStream(await visitor.listen());
  const conversationId = visitor.conversationId;
  for (const visibility of ['show', 'hide', 'toggle']) {
    expect(await call(`${visibility}Webchat`, { conversationId })).toEqual(done({}));
    await stream.until(
      ({ signal }) => signal?.type === 'webchat_visibility' && signal.data.visibility === visibility,
    );
  }
  const config = JSON.stringify({ color: '#0a7a5a', adminKey: 'secret' });
  expect(await call('configWebchat', { conversationId, config })).toEqual(done({}));
  expect((await stream.untilType('webchat_config')).data.config).toEqual({ color: '#0a7a5a' });
  const event = JSON.stringify({ open: 'cart', items: [1, null] });
  expect(await call('customEvent', { conversationId, event })).toEqual(done({}));
  expect((await stream.untilType('event_created')).data).toMatchObject({
    payload: { open: 'cart', items: [1, null] },
    isBot: true,
    userId: bot.userId,
  });
  await stream.cancel();
});

describe('getUserData', () => {
  test.each<[object, object]>([
    [{}, {}],
    [
      { name: 'Ann', profile: '{"plan":"pro","age":7,"tags":["a"],"none":null,"name":"A."}' },
      { name: 'A.', plan: 'pro', age: '7', tags: '["a"]', none: 'null' },
    ],
    [{ name: 'Ann', profile: 'no JSON' }, { name: 'Ann' }],
    [{ profile: 'null' }, {}],
    [{ profile: '{"constructor":"x"}' }, { constructor: 'x' }],
  ])('returns the fields of a user with %j', async (fields, userData) => {
    const { userId } = await startVisitor(() => server, 'away', fields);
    expect(await call('getUserData', { userId })).toEqual(done({ userData }));
  });

  test('does not repeat a stored response after the user was deleted', async () => {
    const zoe = await startVisitor(() => server, 'away', { name: 'Zoe' });
    const { userId } = zoe;
    const headers = { 'idempotency-key': 'data' };
    expect(await call('getUserData', { userId }, { headers })).toEqual(done({ userData: { name: 'Zoe' } }));
    await zoe.request('DELETE /users/me');
    const again = await call('getUserData', { userId }, { headers });
    expect([again.status, JSON.stringify(again.body).includes('Zoe')]).toEqual([410, false]);
    expect((await call('getUserData', { userId })).status).toBe(404);
  });
});

test('getOrCreateUser creates one user for an id, also concurrently, and updates the given fields', async () => {
  const user = { id: 'agent-7', conversationId: visitor.conversationId };
  const input = { user, name: 'Agent', email: 'agent@example.com' };
  const all = await Promise.all(Array.from({ length: 5 }, () => call('getOrCreateUser', input)));
  const [{ userId }] = all.map(({ body }) => body.output) as [{ userId: string }];
  expect(userId).toMatch(/^user_/);
  for (const one of all) expect(one).toEqual(done({ userId }));
  await call('getOrCreateUser', { user, pictureUrl: '/agent.png' });
  expect((await call('getUserData', { userId })).body.output.userData).toEqual({
    name: 'Agent',
    pictureUrl: '/agent.png',
  });
  expect(JSON.stringify(await allRows(server.db))).not.toContain('agent@example.com');
  // Visitors cannot choose the id of the agent, and the same id of another bot is another user.
  expect((await visitor.request('POST /users', { id: 'agent-7' })).status).toBe(403);
  const elsewhere = await startVisitor(() => server, 'other');
  const theirs = { user: { id: 'agent-7', conversationId: elsewhere.conversationId } };
  expect((await call('getOrCreateUser', theirs, { by: other })).body.output.userId).not.toBe(userId);
  // The server id of a user of one bot is not accepted as an id by another bot.
  const spelt = { user: { id: visitor.userId, conversationId: elsewhere.conversationId } };
  expect((await call('getOrCreateUser', spelt, { by: other })).status).toBe(409);
});

test('invalid input is refused with a message and changes nothing', async () => {
  const conversationId = visitor.conversationId;
  const before = await settledRows(server.db);
  const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const large = JSON.stringify({ a: 'x'.repeat(limits.payloadBytes) });
  const wrong: [string, object, number][] = [
    ['getUserData', { userId: 7 }, 400],
    ['getUserData', { userId: 'user_none' }, 404],
    ['getOrCreateUser', { user: { id: 'a b', conversationId } }, 400],
    ['getOrCreateUser', { user: { id: 'a', conversationId: 'conv_none' } }, 404],
    ['getOrCreateUser', { user: { id: 'a', conversationId }, name: 'x'.repeat(limits.userName + 1) }, 400],
    ['showWebchat', {}, 400],
    ['showWebchat', { conversationId: 'conv_none' }, 404],
    ...['', '[]', 'null', '"{}"', '{"a":1', deep].flatMap((text): [string, object, number][] => [
      ['customEvent', { conversationId, event: text }, 400],
      ['configWebchat', { conversationId, config: text }, 400],
    ]),
    ['customEvent', { conversationId, event: large }, 413],
    ['customEvent', { conversationId, event: ' '.repeat(3 * limits.payloadBytes) }, 413],
    ['configWebchat', { conversationId, config: '{"color":7}' }, 400],
  ];
  for (const [name, input, status] of wrong) {
    const sent = `${name} ${JSON.stringify(input).slice(0, 60)}`;
    expect([sent, (await call(name, input)).status]).toEqual([sent, status]);
  }
  for (const type of ['webchat:other', 'chat:getUserData', 'constructor', '__proto__', '']) {
    const { status, body } = await request({ type, input: {} });
    expect([type, status, body.type]).toEqual([type, 400, 'InvalidPayload']);
    expect(body.message).toMatch(/webchat:getUserData.*webchat:customEvent/);
  }
  expect(await settledRows(server.db)).toEqual(before);
});

test('resources of another bot are answered with the same 404 as unknown ones', async () => {
  const conversationId = visitor.conversationId;
  const before = await settledRows(server.db);
  const inputs: [string, object][] = [
    ['getUserData', { userId: visitor.userId }],
    ['getUserData', { userId: bot.userId }],
    ['getOrCreateUser', { user: { id: 'spy', conversationId } }],
    ['showWebchat', { conversationId }],
    ['hideWebchat', { conversationId }],
    ['toggleWebchat', { conversationId }],
    ['configWebchat', { conversationId, config: '{}' }],
    ['customEvent', { conversationId, event: '{}' }],
  ];
  for (const [name, input] of inputs) {
    expect([name, (await call(name, input, { by: other })).status]).toEqual([name, 404]);
  }
  expect(await settledRows(server.db)).toEqual(before);
});
