// Tests of feedback: one per message, published once, replayed, and delivered to the bot unchanged.
import { expect, test } from 'vitest';
import type { BotEvent } from '../../protocol/bot.ts';
import { closing } from '../testing/servers.testing.ts';
import { pollOptions, startTestServer } from '../testing.ts';

/** A visitor, a conversation, the message of the bot in it, and the feedback events that the bot received. */
async function start() {
  const events: BotEvent[] = [];
  const server = await startTestServer({
    async handler(event, bot) {
      if (event.type === 'conversation_started') await bot.reply({ type: 'text', text: 'Hello' });
      if (event.type === 'feedback') events.push(event);
    },
  });
  closing(server);
  const { key, id } = await server.user();
  const conversationId = await server.conversation(key);
  const stream = await server.listen(key, conversationId, 0);
  const { data } = await stream.untilType('message_created');
  const path = `/messages/${data.id}/feedback`;
  const set = (value: unknown, userKey = key) => server.call('PUT', path, { key: userKey, body: value });
  const clear = () => server.call('DELETE', path, { key });
  return { server, key, id, conversationId, stream, messageId: data.id, path, set, clear, events };
}

test('feedback: is stored, listed, published and sent to the bot; unchanged feedback is not published again', async () => {
  const { server, key, conversationId, stream, messageId, set, clear, events, id } = await start();
  const first = await set({ value: 'negative', comment: 'Wrong.', extra: 1 });
  const feedback = { value: 'negative', comment: 'Wrong.' };
  expect([first.status, first.body.message]).toMatchObject([200, { id: messageId, feedback }]);
  const published = await stream.untilType('message_updated');
  expect(published.data).toEqual({ ...(first.body.message as object), isBot: true });
  expect((await set(feedback)).body).toEqual(first.body);
  const got = await server.call('GET', `/messages/${messageId}`, { key });
  expect(got.body).toEqual(first.body);
  const list = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
  expect(list.body.messages).toEqual([first.body.message]);

  // Replaces the earlier feedback including its comment.
  expect((await set({ value: 'positive' })).body.message).toMatchObject({ feedback: { value: 'positive' } });
  const cleared = await clear();
  expect(cleared.status).toBe(200);
  expect(cleared.body.message).not.toHaveProperty('feedback');
  expect((await clear()).body).toEqual(cleared.body);

  await expect.poll(() => events.length, pollOptions).toBe(3);
  expect(events.map(({ payload }) => payload)).toEqual([
    { messageId, ...feedback },
    { messageId, value: 'positive' },
    { messageId, value: 'none' },
  ]);
  expect(events[0]).toMatchObject({ type: 'feedback', preview: 'negative\nWrong.', userId: id });
  await expect
    .poll(() => stream.frames.map(({ signal }) => signal?.type), pollOptions)
    .toEqual(['message_created', 'message_updated', 'message_updated', 'message_updated']);

  // A client that resumes with Last-Event-ID gets it, with the current message.
  const late = await server.listen(key, conversationId, 1);
  expect(late.response.headers.get('last-event-id')).toBe('1');
  await late.until(() => late.frames.length === 3);
  expect(late.frames.map(({ id }) => id)).toEqual(['2', '3', '4']);
  await Promise.all([stream.cancel(), late.cancel()]);
});

test('feedback: is accepted only on an existing message of the bot and only from a participant', async () => {
  const { server, key, conversationId, set, messageId } = await start();
  const own = await server.sendMessage(key, conversationId, 'mine');
  const refused = await server.call('PUT', `/messages/${own}/feedback`, { key, body: { value: 'positive' } });
  expect(refused.body).toMatchObject({ code: 403, message: expect.stringContaining('bot') });
  expect((await server.call('DELETE', `/messages/${own}/feedback`, { key })).status).toBe(403);
  const guest = await server.user();
  expect((await set({ value: 'positive' }, guest.key)).status).toBe(403);
  const people = `/conversations/${conversationId}/participants`;
  await server.join(key, conversationId, guest);
  expect((await set({ value: 'positive' }, guest.key)).status).toBe(200);
  await server.call('DELETE', `${people}/${guest.id}`, { key });
  expect((await set({ value: 'negative' }, guest.key)).status).toBe(403);
  await server.call('DELETE', `/conversations/${conversationId}`, { key });
  expect((await set({ value: 'negative' })).status).toBe(404);
  expect((await server.call('GET', `/messages/${messageId}`, { key })).status).toBe(404);
});

test('feedback: an event that is queued during a restart is delivered unchanged', async () => {
  const received: unknown[] = [];
  const { server, set } = await start();
  await server.composition.close();
  await set({ value: 'negative' });
  await set({ value: 'positive' });
  await server.restart({ handler: (event) => void received.push(event.payload.value) });
  await expect.poll(() => received, pollOptions).toEqual(['negative', 'positive']);
});
