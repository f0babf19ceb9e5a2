// Tests of requests to a webhook in the format of the hosted product, as its SDK reads them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Deployment } from '../../../protocol/admin/admin.ts';
import { pollOptions, startTestServer, type TestServer } from '../../testing.ts';
import {
  accept,
  addWebhookBot,
  answerJson,
  type Receiver,
  refuse,
  startReceiver,
  startVisitor,
  type WebhookBot,
} from './testing.ts';

let server: TestServer;
let receiver: Receiver;
let bot: WebhookBot;
beforeEach(async () => {
  receiver = await startReceiver(accept);
  server = await startTestServer({ webhooks: { privateNetworks: 'first' } });
  bot = await addWebhookBot(server, receiver.url);
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

async function admin(path: string, body: unknown) {
  const { workspaceId, token } = server.admin;
  const response = await server.fetch(`/v1/admin/bots/${bot.id}${path}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { deployment: Deployment } };
}
const startVisit = () => startVisitor(() => server, bot.webhookId);
type Visitor = Awaited<ReturnType<typeof startVisit>>;

async function send(visitor: Visitor, path: string, payload: object) {
  const { status } = await server.fetch(`/chat/${bot.webhookId}${path}`, {
    method: 'POST',
    headers: { 'x-user-key': visitor.key, 'content-type': 'application/json' },
    body: JSON.stringify({ conversationId: visitor.conversationId, payload }),
  });
  expect(status).toBe(201);
}

/** Waits for the request of this number and returns it. */
async function request(count: number) {
  await expect.poll(() => receiver.received.length, pollOptions).toBe(count);
  const found = receiver.received[count - 1];
  return { headers: found?.headers ?? {}, body: JSON.parse(found?.text ?? '{}') as unknown };
}

test('a message is an event message_created with its conversation and its user', async () => {
  await admin('', { configuration: { data: { greeting: 'Hé' } } });
  expect((await admin('/deployment', { webhookFormat: 'hosted' })).body.deployment.webhookFormat).toBe(
    'hosted',
  );
  const visitor = await startVisit();
  const { conversationId, userId } = visitor;
  const started = await request(1);
  expect(started.headers).toMatchObject({ 'x-bp-type': 'webchat:conversationStarted' });
  expect(started.body).toMatchObject({
    event: { type: 'webchat:conversationStarted', payload: { conversationId, userId } },
  });
  const messageId = await visitor.sendText('Hello');
  const { headers, body } = await request(2);
  expect(headers).toMatchObject({
    'x-bot-id': bot.id,
    'x-bot-user-id': bot.userId,
    'x-bp-operation': 'event_received',
    'x-bp-type': 'message_created',
    'webhook-signature': expect.stringMatching(/^v1,/),
  });
  const configuration = Buffer.from(String(headers['x-bp-configuration']), 'base64').toString();
  expect(JSON.parse(configuration)).toEqual({ greeting: 'Hé' });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(body).toEqual({
    event: {
      id: headers['webhook-id'],
      createdAt: time,
      type: 'message_created',
      conversationId,
      userId,
      messageId,
      status: 'pending',
      failureReason: null,
      payload: {
        conversation: {
          id: conversationId,
          createdAt: time,
          updatedAt: time,
          channel: 'channel',
          integration: 'chat',
          tags: { owner: userId },
        },
        user: { id: userId, createdAt: time, updatedAt: time, tags: {} },
        message: {
          id: messageId,
          createdAt: time,
          updatedAt: time,
          conversationId,
          userId,
          type: 'text',
          direction: 'incoming',
          payload: { type: 'text', text: 'Hello' },
          tags: {},
        },
      },
    },
  });
});

test('a custom event of the page cannot overwrite the ids beside it', async () => {
  await admin('/deployment', { webhookFormat: 'hosted' });
  const visitor = await startVisit();
  const { conversationId, userId } = visitor;
  await request(1);
  await send(visitor, '/events', { conversationId: 'forged', userId: 'forged', type: 'message_created' });
  const { headers, body } = await request(2);
  expect(headers).toMatchObject({ 'x-bp-type': 'chat:custom' });
  const payload = { conversationId: 'forged', userId: 'forged', type: 'message_created' };
  expect(body).toMatchObject({
    event: { type: 'chat:custom', payload: { conversationId, userId, payload } },
  });
});

test('messages in the response are sent, and an error is tried again with the same id', async () => {
  await admin('/deployment', { webhookFormat: 'hosted' });
  const visitor = await startVisit();
  await request(1);
  let attempts = 0;
  receiver.answer((response, received) => {
    attempts += 1;
    const messages = [{ payload: { type: 'text', text: 'Here' } }];
    return (attempts === 1 ? refuse(400) : answerJson({ messages }))(response, received);
  });
  await visitor.sendText('Hello');
  await expect.poll(() => visitor.texts(), pollOptions).toContain('Here');
  const [, first, second] = receiver.received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

test('the format is kept until it is changed, and another one is refused', async () => {
  expect((await admin('/deployment', { webhookFormat: 'other' })).status).toBe(400);
  await admin('/deployment', { webhookFormat: 'hosted' });
  const kept = await admin('/deployment', { outgoingEvents: true, webhookUrl: receiver.url });
  expect(kept.body.deployment).toMatchObject({ webhookFormat: 'hosted', outgoingEvents: true });
  const standard = await admin('/deployment', { webhookFormat: 'standard' });
  expect(standard.body.deployment).not.toHaveProperty('webhookFormat');
  await startVisit();
  const { headers, body } = await request(1);
  expect(headers).not.toHaveProperty('x-bp-type');
  expect(body).toMatchObject({ event: { type: 'conversation_started' }, user: {}, conversation: {} });
});
