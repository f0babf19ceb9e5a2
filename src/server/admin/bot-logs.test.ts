// Tests of bot logs and dead letters: they contain kinds, code locations and ids, and never messages of visitors or of bot
// code; administrators can redeliver or delete dead letters.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BotLog, DeadLetter } from '../../protocol/admin.ts';
import { botLogLifetimeMs, createBotLogs } from '../bots/log.ts';
import {
  accept,
  addWebhookBot,
  type Receiver,
  refuse,
  startReceiver,
  startVisitor,
  type WebhookBot,
} from '../bots/webhooks/testing.ts';
import { pollOptions, startTestServer, type TestServer } from '../testing.ts';
import { createBot, createWorkspace } from './first-start.ts';

let server: TestServer;
let token: string | undefined;
let receiver: Receiver;
let bot: WebhookBot;
const webhooks = {
  WEBHOOK_PRIVATE: 'first' as const,
  // No request may exceed the limit: this would be another kind of failure.
  webhookTimes: { timeLimit: 60_000, plan: { blocking: [5], deferred: [5] } },
};
let failure = () => new TypeError('canary words');

beforeEach(async () => {
  receiver = await startReceiver(refuse(500));
  server = await startTestServer({
    ...webhooks,
    handler(event) {
      if (event.type === 'text') throw failure();
    },
  });
  token = server.admin.token;
  bot = await addWebhookBot(server, receiver.url);
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

const request = async (method: string, path: string) => {
  const response = await server.fetch(`/v1/admin/bots${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'x-workspace-id': server.composition.workspaceId },
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
};
const logs = async (id = bot.id, query = '') =>
  (await request('GET', `/${id}/logs${query}`)).body as unknown as {
    logs: BotLog[];
    meta: { nextToken?: string };
  };
const letters = async (id = bot.id) =>
  ((await request('GET', `/${id}/dead-letters`)).body as unknown as { deadLetters: DeadLetter[] })
    .deadLetters;

test('bot code that throws is logged with the kind and location of the error, without its message', async () => {
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  await server.sendMessage(key, conversationId, 'canary of the visitor');
  const [own] = (await request('GET', '')).body.bots as unknown as { id: string; name: string }[];
  const bots = (await request('GET', '')).body.bots as unknown as { id: string; name: string }[];
  const demo = bots.find(({ name }) => name === 'demo') ?? own;
  await expect.poll(async () => (await logs(demo?.id)).logs.length, pollOptions).toBe(1);
  const { logs: entries } = await logs(demo?.id);
  expect(entries).toEqual([
    {
      id: expect.stringMatching(/^log_/),
      timestamp: expect.stringMatching(/Z$/),
      level: 'error',
      type: 'bot_failed',
      message: 'The bot failed to handle an event.',
      eventId: expect.stringMatching(/^evt_/),
      conversationId,
      attempt: 1,
      error: { type: 'TypeError', at: expect.any(Array) },
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain('canary');
  failure = () => Object.assign(new Error('canary'), { name: 'canary', code: 'canary', cause: 'canary' });
  await server.sendMessage(key, conversationId, 'again');
  await expect.poll(async () => (await logs(demo?.id)).logs.length, pollOptions).toBe(2);
  expect(JSON.stringify(await logs(demo?.id))).not.toContain('canary');
});

test('a failing webhook logs each attempt with its status, and the event then becomes a dead letter', async () => {
  const visitor = await startVisitor(() => server, 'away');
  await expect.poll(letters, pollOptions).toEqual([
    {
      eventId: expect.stringMatching(/^evt_/),
      conversationId: visitor.conversationId,
      userId: visitor.userId,
      type: 'conversation_started',
      createdAt: expect.any(String),
      failedAt: expect.any(String),
      attempts: 3,
      reason: '500',
    },
  ]);
  const { logs: entries } = await logs();
  expect(entries.map(({ type, attempt, status, level }) => [type, attempt, status, level])).toEqual([
    ['webhook_given_up', 3, 500, 'error'],
    ['webhook_failed', 3, 500, 'warn'],
    ['webhook_failed', 2, 500, 'warn'],
    ['webhook_failed', 1, 500, 'warn'],
  ]);
  expect(entries[1]?.message).toBe('The webhook did not accept an event: status 500.');
});

test('a dead letter is redelivered or deleted on request', async () => {
  const visitor = await startVisitor(() => server, 'away');
  await visitor.sendText('one');
  await expect.poll(async () => (await letters()).length, pollOptions).toBe(2);
  const [newest, oldest] = await letters();
  const at = (eventId = '') => `/${bot.id}/dead-letters/${eventId}`;
  expect(await request('DELETE', at(oldest?.eventId))).toEqual({ status: 200, body: {} });
  // It is refused once more and becomes a dead letter again.
  const before = receiver.received.length;
  await request('POST', `${at(newest?.eventId)}/redeliver`);
  await expect
    .poll(async () => [receiver.received.length, (await letters()).length], pollOptions)
    .toEqual([before + 3, 1]);
  receiver.answer(accept);
  expect((await request('POST', `${at(newest?.eventId)}/redeliver`)).status).toBe(200);
  await expect.poll(() => receiver.received.length, pollOptions).toBe(before + 4);
  expect(receiver.received.at(-1)?.body.event).toMatchObject({ id: newest?.eventId, preview: 'one' });
  await expect.poll(letters, pollOptions).toEqual([]);
  for (const path of [at(newest?.eventId), at(oldest?.eventId), at('evt_none')]) {
    expect((await request('DELETE', path)).status).toBe(404);
    expect((await request('POST', `${path}/redeliver`)).status).toBe(404);
  }
  expect((await visitor.texts()).filter((text) => text?.startsWith('Sorry'))).toHaveLength(1);
});

test('a bot of another workspace and an event of another bot are not found', async () => {
  await startVisitor(() => server, 'away');
  await expect.poll(async () => (await letters()).length, pollOptions).toBe(1);
  const [letter] = await letters();
  const sibling = await addWebhookBot(server, receiver.url, 'sibling');
  const foreign = await server.db.write(async (tx) => {
    const { id } = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
    return createBot(tx, { workspaceId: id, webhookId: 'foreign', name: 'Foreign', now: 1 });
  });
  for (const id of [foreign.id, 'bot_none']) {
    expect((await request('GET', `/${id}/logs`)).status).toBe(404);
    expect((await request('GET', `/${id}/dead-letters`)).status).toBe(404);
  }
  for (const id of [foreign.id, sibling.id]) {
    expect((await request('DELETE', `/${id}/dead-letters/${letter?.eventId}`)).status).toBe(404);
    expect((await request('POST', `/${id}/dead-letters/${letter?.eventId}/redeliver`)).status).toBe(404);
  }
  expect(await letters()).toHaveLength(1);
  expect(await letters(sibling.id)).toEqual([]);
});

test('the log is paginated and keeps the newest thousand entries', async () => {
  const now = Date.now();
  const log = createBotLogs(() => now);
  const entry = { botId: bot.id, kind: 'webhook_failed', eventId: 'evt', conversationId: 'c' } as const;
  for (let block = 0; block < 12; block += 1) {
    await server.db.write(async (tx) => {
      for (let n = 1; n <= 100; n += 1) await log.add(tx, { ...entry, attempt: block * 100 + n });
    });
  }
  const found: number[] = [];
  let query = '?pageSize=400';
  for (let next: string | undefined = ''; next !== undefined; query = `?pageSize=400&nextToken=${next}`) {
    const page: Awaited<ReturnType<typeof logs>> = await logs(bot.id, query);
    found.push(...page.logs.map(({ attempt }) => attempt));
    next = page.meta.nextToken;
  }
  expect(found).toEqual(Array.from({ length: 1_000 }, (_, n) => 1_200 - n));
  expect((await request('GET', `/${bot.id}/logs?nextToken=x`)).status).toBe(400);
});

test('logs and dead letters are deleted after thirty days, and with their bot', async () => {
  await startVisitor(() => server, 'away');
  await expect.poll(async () => (await letters()).length, pollOptions).toBe(1);
  server = await server.restart({ ...webhooks, now: () => Date.now() + botLogLifetimeMs + 1_000 });
  await expect.poll(letters, pollOptions).toEqual([]);
  expect((await logs()).logs).toEqual([]);
  const sibling = await addWebhookBot(server, receiver.url, 'sibling');
  await startVisitor(() => server, 'sibling');
  await expect.poll(async () => (await letters(sibling.id)).length, pollOptions).toBe(1);
  expect((await request('DELETE', `/${sibling.id}`)).status).toBe(200);
  const rowsOf = (table: string) => () =>
    server.db.read((tx) => tx.all(`SELECT 1 FROM ${table} WHERE bot_id = ?`, sibling.id));
  await expect.poll(rowsOf('deliveries'), pollOptions).toEqual([]);
  await expect.poll(rowsOf('bot_logs'), pollOptions).toEqual([]);
});
