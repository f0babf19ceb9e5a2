// Tests that a bot gets the languages and the time zone that a client sends with a request, with the event of that request
// and with no other.
import { afterEach, expect, test } from 'vitest';
import type { BotEvent } from '../../protocol/bot.ts';
import { startServer } from '../testing/servers.testing.ts';
import { allDelivered } from '../testing/settled-rows.testing.ts';
import { allRows, pollOptions, type TestOptions, type TestServer } from '../testing.ts';
import { accept, addWebhookBot, startReceiver } from './webhooks/testing.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const header = (fields: Record<string, string>) => ({ 'x-visitor-locale': `${new URLSearchParams(fields)}` });
const brazil = { page: 'pt-BR', chat: 'pt-BR', timeZone: 'America/Sao_Paulo' };
const germany = { page: 'de', chat: 'de', timeZone: 'Europe/Berlin' };

/** A server whose bot records its events, and rates and answers nothing unless a message asks for it. */
async function start(options: TestOptions = {}) {
  const events: BotEvent[] = [];
  const server = await startServer({
    handler: async (event, bot) => {
      events.push(event);
      if (event.preview === 'answer') await bot.reply({ type: 'text', text: 'An answer' });
    },
    ...options,
  });
  const seen = async (count: number) => {
    await expect.poll(() => events.length, pollOptions).toBe(count);
    return events.map(({ type, locale }) => [type, locale]);
  };
  return { server, events, seen };
}

/** A visitor with a conversation. */
async function visit(server: TestServer) {
  const { key } = await server.user();
  return { key, conversationId: await server.conversation(key) };
}

test('every request that causes an event gives the bot its locale', async () => {
  const { server, seen } = await start();
  const headers = header(brazil);
  const { body } = await server.call('POST', '/users', { body: { firstConversation: true }, headers });
  const key = String(body.key);
  const { id: conversationId } = body.conversation as { id: string };
  await server.sendMessage(key, conversationId, 'answer', headers);
  await server.call('POST', '/events', { key, headers, body: { conversationId, payload: { a: 1 } } });
  await seen(3);
  const { messages } = (await server.call('GET', `/conversations/${conversationId}/messages`, { key })).body;
  const answer = (messages as { id: string; payload: { text?: string } }[]).find(
    ({ payload }) => payload.text === 'An answer',
  );
  const feedback = `/messages/${answer?.id}/feedback`;
  await server.call('PUT', feedback, { key, headers, body: { value: 'positive' } });
  await server.call('DELETE', feedback, { key, headers: header(germany) });
  // Events of different conversations are handled concurrently.
  await seen(5);
  await server.call('POST', '/conversations', { key, headers, body: {} });
  await server.call('POST', '/conversations/get-or-create', { key, headers, body: { id: 'mine' } });
  expect(await seen(7)).toEqual([
    ['conversation_started', brazil],
    ['text', brazil],
    ['custom', brazil],
    ['feedback', brazil],
    ['feedback', germany],
    ['conversation_started', brazil],
    ['conversation_started', brazil],
  ]);
});

test('the merge of an anonymous user gives the bot the locale of the login', async () => {
  const { server, seen } = await start();
  const anonymous = await server.user();
  await server.conversation(anonymous.key);
  const customer = await server.user({ id: 'customer-7' });
  const body = { userKey: anonymous.key };
  const { status } = await server.call('POST', '/users/me/merge', {
    key: customer.key,
    body,
    headers: header(germany),
  });
  expect(status).toBe(200);
  expect(await seen(2)).toEqual([
    ['conversation_started', undefined],
    ['user_merged', germany],
  ]);
});

test('each of two requests in quick succession keeps its own locale, also if the bot is slow and the server restarts', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const seen: [string, unknown][] = [];
  const { server } = await start({
    handler: async (event) => {
      await held;
      seen.push([event.preview, event.locale]);
    },
  });
  const { key, conversationId } = await visit(server);
  await server.sendMessage(key, conversationId, 'oi', header(brazil));
  await server.sendMessage(key, conversationId, 'hallo', header(germany));
  await server.sendMessage(key, conversationId, 'no header');
  await server.restart();
  release();
  const count = () => seen.filter(([text]) => text === 'no header').length;
  await expect.poll(count, pollOptions).toBe(1);
  expect(seen.filter(([text]) => text)).toEqual([
    ['oi', brazil],
    ['hallo', germany],
    ['no header', undefined],
  ]);
});

test.each([
  ['empty', ''],
  ['not encoded', '{"page":"de"}'],
  ['invalid in every field', 'page=<script>&chat=%00&timeZone=../../etc/passwd'],
  ['too long', `page=de&more=${'x'.repeat(2_000)}`],
])('a header that is %s is ignored, and the message is stored', async (_, value) => {
  const { server, events, seen } = await start();
  const { key, conversationId } = await visit(server);
  await server.sendMessage(key, conversationId, 'hello', { 'x-visitor-locale': value });
  await seen(2);
  expect(events[1]).not.toHaveProperty('locale');
});

test('a repeated message with another locale is the same message, and the bot gets the first locale', async () => {
  const { server, seen } = await start();
  const { key, conversationId } = await visit(server);
  const again = { 'idempotency-key': 'the same message' };
  const first = await server.sendMessage(key, conversationId, 'hi', { ...again, ...header(brazil) });
  expect(await server.sendMessage(key, conversationId, 'hi', { ...again, ...header(germany) })).toBe(first);
  expect(await server.sendMessage(key, conversationId, 'hi', again)).toBe(first);
  expect(await seen(2)).toEqual([
    ['conversation_started', undefined],
    ['text', brazil],
  ]);
});

test('nothing of the locale is kept after the bot has handled the event', async () => {
  const { server, seen } = await start();
  const { key, conversationId } = await visit(server);
  await server.sendMessage(key, conversationId, 'hi', header(brazil));
  await seen(2);
  await allDelivered(server.db);
  for (const [name, rows] of Object.entries(await allRows(server.db)))
    expect(JSON.stringify(rows), name).not.toContain('Sao_Paulo');
  expect(JSON.stringify(server.log)).not.toContain('Sao_Paulo');
});

test('with VISITOR_LOCALE off the widget is not asked for the locale, and a client that sends it is ignored', async () => {
  const { server, events, seen } = await start({ VISITOR_LOCALE: 'off' });
  expect((await server.call('GET', '/webchat')).body.features).not.toContain('locale');
  const { key, conversationId } = await visit(server);
  await server.sendMessage(key, conversationId, 'hi', header(brazil));
  await seen(2);
  for (const event of events) expect(event).not.toHaveProperty('locale');
});

test('a webhook gets the locale with the event', async () => {
  const receiver = await startReceiver(accept);
  closing.push(receiver.close);
  const { server } = await start({ WEBHOOK_PRIVATE: 'first' });
  await addWebhookBot(server, receiver.url, 'remote');
  const created = await server.fetch('/chat/remote/users', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...header(brazil) },
    body: JSON.stringify({ firstConversation: true }),
  });
  expect(created.status).toBe(201);
  const locales = () => receiver.received.map(({ body }) => body.event.locale);
  await expect.poll(locales, pollOptions).toEqual([brazil]);
});
