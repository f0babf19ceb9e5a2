// Tests of bot code: events are delivered in order and at least once, and a failing bot does not affect others.
import { describe, expect, test } from 'vitest';
import type { Bot, BotEvent, BotHandler } from '../../protocol/bot.ts';
import { type HeldLimits, heldLimit, holdLimits } from '../testing/held-timers.testing.ts';
import { startServer } from '../testing/servers.testing.ts';
import { pollOptions, type TestServer, type TestStream } from '../testing.ts';
import { inProcess } from './threads/load-bot.ts';

async function start(handler: BotHandler, botTimeLimit?: number) {
  const server = await startServer({ handler, ...(botTimeLimit ? { botTimeLimit } : {}) });
  const { key, id } = await server.user({ name: 'Ann' });
  const conversationId = await server.conversation(key);
  return { server, key, id, conversationId };
}

const untilText = (stream: TestStream, text: string) =>
  stream.until(({ data }) => data.includes('message_created') && data.includes(text));
const signalTypes = (stream: TestStream) => stream.frames.map(({ signal }) => signal?.type);
const messagesOf = async (server: TestServer, key: string, conversationId: string) => {
  const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
  return (body.messages as { payload: { text: string }; metadata?: object }[]).reverse();
};
const textsOf = async (...of: Parameters<typeof messagesOf>) =>
  (await messagesOf(...of)).map(({ payload }) => payload.text);
const waiting = (server: TestServer) => () =>
  server.db.read((tx) => tx.all('SELECT event_id FROM deliveries'));

test('runner: the event object has every field with its type', async () => {
  const events: BotEvent[] = [];
  const bots: Bot[] = [];
  const { server, key, id, conversationId } = await start((event, bot) => {
    events.push(event);
    bots.push(bot);
  });
  const response = await server.call('POST', '/messages', {
    key,
    body: { conversationId, payload: { type: 'text', text: 'hi', value: 'v' }, metadata: { a: 1 } },
  });
  const sent = await server.call('POST', '/events', { key, body: { conversationId, payload: { b: 2 } } });
  await expect.poll(() => events.length, pollOptions).toBe(3);
  expect(events.map(({ type }) => type)).toEqual(['conversation_started', 'text', 'custom']);
  const messageId = (response.body.message as { id: string }).id;
  expect(events[1]).toEqual({
    ...{ botId: expect.stringMatching(/^bot_/), conversationId, createdOn: expect.any(Date) },
    ...{ direction: 'incoming', id: expect.stringMatching(/^evt_/), integration: 'chat', messageId },
    ...{ payload: { type: 'text', text: 'hi', value: 'v' }, preview: 'hi', type: 'text', userId: id },
    state: { conversation: {}, user: {} },
    tags: { conversation: { owner: id }, message: {}, user: {} },
  });
  expect(events[2]).toMatchObject({ id: (sent.body.event as { id: string }).id, payload: { b: 2 } });
  expect(bots[1]).toMatchObject({
    message: { id: messageId, metadata: { a: 1 } },
    user: { id, name: 'Ann' },
    conversation: { id: conversationId },
  });
  expect(bots[0]?.message).toBeUndefined();
});

test('runner: conversation_started is sent once, by get-or-create only for a new conversation', async () => {
  const events: BotEvent[] = [];
  const { server, key } = await start((event) => void events.push(event));
  for (let n = 0; n < 3; n += 1) {
    await server.call('POST', '/conversations/get-or-create', { key, body: { id: 'mine' } });
  }
  await expect.poll(waiting(server), pollOptions).toEqual([]);
  expect(events.map(({ type }) => type)).toEqual(['conversation_started', 'conversation_started']);
});

test('runner: replies, events and typing are published, and the bot does not receive its own', async () => {
  const { server, key, conversationId } = await start(async (event, bot) => {
    if (event.type !== 'text') return;
    bot.typing(true);
    await bot.reply({ type: 'text', text: 'answer' }, { metadata: { m: 1 } });
    await bot.sendEvent({ for: 'page' });
  });
  const stream = await server.listen(key, conversationId);
  await server.sendMessage(key, conversationId, 'question');
  const event = await stream.untilType('event_created');
  expect(event.data).toMatchObject({ payload: { for: 'page' }, isBot: true });
  const types = ['message_created', 'typing_started', 'message_created', 'typing_stopped', 'event_created'];
  expect(signalTypes(stream)).toEqual(types);
  expect(stream.frames[2]?.signal?.data).toMatchObject({ isBot: true, metadata: { m: 1 } });
  expect(stream.frames.map(({ id }) => id)).toEqual(['1', undefined, '2', undefined, '3']);
  await expect.poll(waiting(server), pollOptions).toEqual([]);
  await stream.cancel();
});

describe('runner: a stream of the bot', () => {
  test('sends deltas, complete and the message; a late subscriber gets the text so far', async () => {
    const halfway = gate();
    const joined = gate();
    const { server, key, conversationId } = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      bot.typing(true);
      const answer = bot.stream();
      answer.write('One ');
      answer.write('two ');
      halfway.resolve();
      await joined.promise;
      answer.write('three');
      await answer.end();
    });
    const early = await server.listen(key, conversationId);
    await server.sendMessage(key, conversationId, 'go');
    await halfway.promise;
    const late = await server.listen(key, conversationId, 1);
    joined.resolve();
    const complete = await late.untilType('message_stream_complete');
    await late.until(({ signal }) => signal?.type === 'typing_stopped');
    const { streamId, message } = complete.data;
    const payload = { type: 'markdown', markdown: 'One two three' };
    expect(message).toMatchObject({ payload, metadata: { streamId } });
    expect(signalTypes(late)).toEqual([
      'typing_started',
      'message_stream_delta',
      'message_stream_delta',
      'message_stream_complete',
      'message_created',
      'typing_stopped',
    ]);
    const deltas = (stream: TestStream) =>
      stream.frames.flatMap(({ signal }) =>
        signal?.type === 'message_stream_delta' ? [`${signal.data.sequence} ${signal.data.delta}`] : [],
      );
    expect(deltas(late)).toEqual(['1 One two ', '2 three']);
    await early.until(({ signal }) => signal?.type === 'typing_stopped');
    expect(deltas(early)).toEqual(['0 One ', '1 two ', '2 three']);
    await Promise.all([early.cancel(), late.cancel()]);
  });

  test('is aborted at the end of the event when the bot did not end it', async () => {
    const { server, key, conversationId } = await start((event, bot) => {
      if (event.type === 'text') bot.stream().write('half a');
    });
    const stream = await server.listen(key, conversationId);
    await server.sendMessage(key, conversationId, 'go');
    await stream.untilType('message_stream_abort');
    await stream.cancel();
  });
});

describe('runner: a bot that fails', () => {
  test.each([
    [
      'throws',
      (bot: Bot) => {
        bot.typing(true);
        bot.stream().write('half');
        throw new Error('secret reason');
      },
    ],
    [
      'throws what nobody can print',
      () => {
        throw Object.defineProperty(new Error(), 'message', {
          get() {
            throw new Error('unreadable');
          },
        });
      },
    ],
    [
      'hangs',
      (bot: Bot) => {
        bot.typing(true);
        return new Promise<void>(() => {});
      },
    ],
  ])(
    '%s: the visitor is notified, the failure is logged, the next event is delivered',
    async (name, misbehave) => {
      let limits: HeldLimits | undefined;
      const handler: BotHandler = async (event, bot) => {
        const limit = limits?.latest();
        // The time is over when the handler has begun, and never for the next event.
        if (limit && event.preview === 'bad') setImmediate(() => limit.elapse());
        if (event.preview === 'bad') await misbehave(bot);
        if (event.preview === 'good') await bot.reply({ type: 'text', text: 'fine' });
      };
      if (name === 'hangs') limits = holdLimits();
      const { server, key, conversationId } = await start(handler, limits && heldLimit);
      const stream = await server.listen(key, conversationId);
      await server.sendMessage(key, conversationId, 'bad');
      await server.sendMessage(key, conversationId, 'good');
      await untilText(stream, 'fine');
      const messages = await messagesOf(server, key, conversationId);
      const failureMessages = messages.filter(({ metadata }) => metadata);
      expect(failureMessages).toMatchObject([
        {
          payload: { type: 'text', text: 'Sorry, no answer came. Please try again.' },
          metadata: { error: 'bot_failed' },
        },
      ]);
      const open = signalTypes(stream).filter((type) => type === 'typing_started').length;
      expect(signalTypes(stream).filter((type) => type === 'typing_stopped').length).toBe(open);
      expect(server.log).toContainEqual(
        expect.objectContaining({ msg: 'bot failed', eventId: expect.stringMatching(/^evt_/) }),
      );
      expect(JSON.stringify(messages)).not.toContain('secret reason');
      await stream.cancel();
    },
  );

  test('a rejection that the bot handles is not a failure', async () => {
    const { server, key, conversationId } = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      await bot.reply({ type: 'text', text: '' }).catch(() => bot.reply({ type: 'text', text: 'rescued' }));
    });
    const stream = await server.listen(key, conversationId);
    await server.sendMessage(key, conversationId, 'go');
    await untilText(stream, 'rescued');
    await expect.poll(waiting(server), pollOptions).toEqual([]);
    expect(await messagesOf(server, key, conversationId)).toHaveLength(2);
    await stream.cancel();
  });

  test('cannot send anything after its time limit', async () => {
    let late: Promise<unknown> | undefined;
    const { server, key, conversationId } = await start((event, bot) => {
      if (event.preview !== 'bad') return;
      bot.signal.addEventListener('abort', () => {
        late = bot.reply({ type: 'text', text: 'too late' });
        bot.typing(true);
      });
      return new Promise(() => {});
    }, 50);
    const stream = await server.listen(key, conversationId);
    await server.sendMessage(key, conversationId, 'bad');
    await untilText(stream, 'Sorry');
    await expect(late).rejects.toThrow('is over');
    expect(signalTypes(stream)).not.toContain('typing_started');
    await stream.cancel();
  });
});

test('runner: events of one conversation are delivered in order, those of others in parallel', async () => {
  const opened = gate();
  const order: string[] = [];
  const { server, key, conversationId } = await start(async (event) => {
    if (event.preview === 'slow') await opened.promise;
    if (event.preview) order.push(event.preview);
  });
  const other = await server.conversation(key);
  for (const text of ['slow', 'second', 'third']) await server.sendMessage(key, conversationId, text);
  await server.sendMessage(key, other, 'elsewhere');
  await expect.poll(() => order, pollOptions).toEqual(['elsewhere']);
  opened.resolve();
  await expect.poll(() => order, pollOptions).toEqual(['elsewhere', 'slow', 'second', 'third']);
});

test('runner: deleting a conversation cancels its bot, and a deleted message is not delivered', async () => {
  const reasons: unknown[] = [];
  const seen: string[] = [];
  const { server, key, conversationId } = await start(async (event, bot) => {
    seen.push(event.preview);
    if (event.preview !== 'wait') return;
    await new Promise((resolve) => bot.signal.addEventListener('abort', resolve));
    reasons.push(bot.signal.reason);
  });
  await server.sendMessage(key, conversationId, 'wait');
  const deletedId = await server.sendMessage(key, conversationId, 'regretted');
  await server.call('DELETE', `/messages/${deletedId}`, { key });
  await expect.poll(() => seen, pollOptions).toEqual(['', 'wait']);
  await server.call('DELETE', `/conversations/${conversationId}`, { key });
  await expect.poll(() => reasons.length, pollOptions).toBe(1);
  await expect.poll(waiting(server), pollOptions).toEqual([]);
  expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

describe('runner after a restart', () => {
  test('an unfinished event is delivered again with the same id, and its replies are not stored twice', async () => {
    const ids: string[] = [];
    const { server, key, conversationId } = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      ids.push(event.id);
      await bot.reply({ type: 'text', text: 'first' });
      await bot.sendEvent({ n: 1 });
      if (ids.length === 1) await new Promise(() => {});
      await bot.reply({ type: 'text', text: 'second' });
    });
    const stream = await server.listen(key, conversationId);
    await server.sendMessage(key, conversationId, 'go');
    await stream.untilType('event_created');
    const again = await server.restart();
    await expect.poll(waiting(again), pollOptions).toEqual([]);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await textsOf(again, key, conversationId)).toEqual(['go', 'first', 'second']);
    expect(await again.db.read((tx) => tx.all('SELECT id FROM events'))).toHaveLength(1);
  });

  test('an event during which the server was killed five times is not delivered again', async () => {
    const seen: string[] = [];
    const { server, key, conversationId } = await start(() => new Promise(() => {}));
    await server.sendMessage(key, conversationId, 'deadly');
    // Without an owner: the stop below does not give back an attempt, as it does for an event that has not begun.
    await server.db.write((tx) => tx.run('UPDATE deliveries SET attempts = 5, owner = NULL'));
    const again = await server.restart({ handler: (event) => void seen.push(event.type) });
    await expect.poll(waiting(again), pollOptions).toEqual([]);
    expect(seen).toEqual([]);
    const notice = { metadata: { error: 'bot_failed' } };
    expect(await messagesOf(again, key, conversationId)).toMatchObject([{}, notice, {}]);
  });
});

/** A promise and the function that resolves it. */
function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}

test('runner: a server stops while the code of a bot is being loaded, and its event is handled after the next start', async () => {
  const preparing: number[] = [];
  const bot = {
    ...inProcess(() => {}),
    prepare() {
      preparing.push(preparing.length);
      return new Promise<void>(() => {});
    },
  };
  const server = await startServer({ bot });
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  await expect.poll(() => preparing.length, pollOptions).toBe(1);
  const next = await server.restart({
    bot: inProcess(async (event, { reply }) => void (await reply({ type: 'text', text: event.type }))),
  });
  await expect.poll(() => textsOf(next, key, conversationId), pollOptions).toEqual(['conversation_started']);
});
