// Tests of requests to a webhook in the format of the hosted product, as its SDK reads them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requesterFor } from '../../admin/testing.ts';
import { pollOptions, startTestServer, type TestServer } from '../../testing.ts';
import {
  accept,
  addWebhookBot,
  type Receiver,
  startReceiver,
  startVisitor,
  type WebhookBot,
} from './testing.ts';

let server: TestServer;
let receiver: Receiver;
let bot: WebhookBot;
beforeEach(async () => {
  receiver = await startReceiver(accept);
  server = await startTestServer({ WEBHOOK_PRIVATE: 'first' });
  bot = await addWebhookBot(server, receiver.url);
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

const admin = (path: string, body: unknown) =>
  requesterFor(server, server.admin.token ?? '', server.admin.workspaceId)(
    'PUT',
    `/bots/${bot.id}${path}`,
    body,
  );
const startVisit = () => startVisitor(() => server, bot.webhookId);

/** Waits for the request of this number and returns it. */
async function request(count: number) {
  await expect.poll(() => receiver.received.length, pollOptions).toBe(count);
  const found = receiver.received[count - 1];
  return { headers: found?.headers ?? {}, body: JSON.parse(found?.text ?? '{}') as unknown };
}

test('a message is an event message_created with its conversation and its user', async () => {
  await admin('', { configuration: { data: { greeting: 'Hé' } } });
  const { deployment } = (await admin('/deployment', { webhookFormat: 'hosted' })).body;
  expect(deployment.webhookFormat).toBe('hosted');
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
      ...{ id: headers['webhook-id'], createdAt: time, type: 'message_created' },
      ...{ conversationId, userId, messageId, status: 'pending', failureReason: null },
      payload: {
        conversation: {
          ...{ id: conversationId, createdAt: time, updatedAt: time, tags: { owner: userId } },
          ...{ channel: 'channel', integration: 'chat' },
        },
        user: { id: userId, createdAt: time, updatedAt: time, tags: {} },
        message: {
          ...{ id: messageId, createdAt: time, updatedAt: time, conversationId, userId, tags: {} },
          ...{ type: 'text', direction: 'incoming', payload: { type: 'text', text: 'Hello' } },
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
  const payload = { conversationId: 'forged', userId: 'forged', type: 'message_created' };
  expect((await visitor.request('POST /events', { conversationId, payload })).status).toBe(201);
  const { headers, body } = await request(2);
  expect(headers).toMatchObject({ 'x-bp-type': 'chat:custom' });
  expect(body).toMatchObject({
    event: { type: 'chat:custom', payload: { conversationId, userId, payload } },
  });
});

test('the format is kept until it is changed', async () => {
  await admin('/deployment', { webhookFormat: 'hosted' });
  const unchanged = await admin('/deployment', { outgoingEvents: true, webhookUrl: receiver.url });
  expect(unchanged.body.deployment).toMatchObject({ webhookFormat: 'hosted', outgoingEvents: true });
  const standard = await admin('/deployment', { webhookFormat: 'standard' });
  expect(standard.body.deployment).not.toHaveProperty('webhookFormat');
  await startVisit();
  const { headers, body } = await request(1);
  expect(headers).not.toHaveProperty('x-bp-type');
  expect(body).toMatchObject({ event: { type: 'conversation_started' }, user: {}, conversation: {} });
});
