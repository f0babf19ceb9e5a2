// Tests of streams that a visitor stops: all written text is kept, and nothing is stored twice.
import { describe, expect, test } from 'vitest';
import type { Bot, BotHandler, BotStream } from '../../../protocol/bot.ts';
import type { Message } from '../../../protocol/message.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { allDelivered } from '../../testing/settled-rows.testing.ts';
import { pollOptions, type TestStream } from '../../testing.ts';

async function start(handler: (bot: Bot) => Promise<unknown>) {
  const whole: BotHandler = async (event, bot) => {
    if (event.type === 'text') await handler(bot);
  };
  const server = await startServer({ handler: whole });
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  const stream = await server.listen(key, conversationId);
  const stop = (streamId: string, userKey = key, on = server) =>
    on.call('POST', `/conversations/${conversationId}/stop`, { key: userKey, body: { streamId } });
  const stored = async (on = server) => {
    const { body } = await on.call('GET', `/conversations/${conversationId}/messages`, { key });
    return (body.messages as Message[]).reverse().slice(1);
  };
  await server.sendMessage(key, conversationId, 'go');
  return { server, key, conversationId, stream, stop, stored };
}

const signalTypes = (stream: TestStream) => stream.frames.flatMap(({ signal }) => signal?.type ?? []);
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
/** A promise and the function that resolves it. */
function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}
const delta = async (stream: TestStream) => (await stream.untilType('message_stream_delta')).data.streamId;

test('stopped stream: the written text becomes a message, end returns it, and the handler continues', async () => {
  let ended: Message | undefined;
  const { stream, stop, stored, server } = await start(async (bot) => {
    const answer = bot.stream();
    answer.write('One two');
    await aborted(answer.signal);
    answer.write(' three');
    ended = await answer.end({ type: 'text', text: 'never' });
    await bot.reply({ type: 'text', text: 'As you like.' });
  });
  const streamId = await delta(stream);
  expect((await stop(streamId)).body).toEqual({});
  await stream.until(({ data }) => data.includes('As you like.'));
  const [answer, reply] = await stored();
  expect(answer).toMatchObject({
    payload: { type: 'markdown', markdown: 'One two' },
    metadata: { streamId, stopped: true },
  });
  expect(reply).toMatchObject({ payload: { text: 'As you like.' } });
  expect(ended?.id).toBe(answer?.id);
  expect(signalTypes(stream)).toEqual([
    'message_created',
    'message_stream_delta',
    'message_stream_complete',
    'message_created',
    'message_created',
  ]);
  expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  await stream.cancel();
});

test.each([
  ['goes on to end', (answer: BotStream) => answer.end()],
  ['throws the reason', (answer: BotStream) => Promise.reject(answer.signal.reason)],
  ['throws an error of it', (a: BotStream) => Promise.reject(new Error('x', { cause: a.signal.reason }))],
  ['just returns', async () => {}],
])(
  'stopped stream without text: is aborted without a message and without a failure when the handler %s',
  async (_, rest) => {
    let opened: BotStream | undefined;
    const { server, stream, stop, stored } = await start(async (bot) => {
      opened = bot.stream();
      await aborted(opened.signal);
      await rest(opened);
    });
    await expect.poll(() => opened !== undefined, pollOptions).toBe(true);
    expect((await stop(opened?.id ?? '')).status).toBe(200);
    await stream.untilType('message_stream_abort');
    await allDelivered(server.db);
    expect(await stored()).toEqual([]);
    expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    await stream.cancel();
  },
);

test('stopped stream: another error of the bot after the stop is a failure', async () => {
  const { stream, stop } = await start(async (bot) => {
    const answer = bot.stream();
    answer.write('a');
    await aborted(answer.signal);
    throw new Error('broken');
  });
  await stop(await delta(stream));
  await stream.until(({ data }) => data.includes('Sorry'));
  await stream.cancel();
});

test('stopped stream: a stop during the end stores one message; stopping an unknown stream does nothing', async () => {
  for (let round = 0; round < 10; round += 1) {
    const gone = gate();
    const { server, stream, stop, stored } = await start(async (bot) => {
      const answer = bot.stream();
      answer.write('done');
      await gone.promise;
      await answer.end();
    });
    const streamId = await delta(stream);
    // Two at once store one message.
    const stopping = Promise.all([stop(streamId), stop(streamId)]);
    for (let step = 0; step < round; step += 1) await Promise.resolve();
    gone.resolve();
    expect((await stopping).map(({ status }) => status)).toEqual([200, 200]);
    await expect.poll(async () => (await stored()).length, pollOptions).toBe(1);
    await allDelivered(server.db);
    expect(await stored()).toMatchObject([{ payload: { markdown: 'done' }, metadata: { streamId } }]);
    expect((await stop(streamId)).status).toBe(200);
    expect(await stored()).toHaveLength(1);
    expect(signalTypes(stream).filter((type) => type === 'message_stream_complete')).toHaveLength(1);
    await stream.cancel();
  }
});

test('stopped stream: a user who is not a participant cannot stop it', async () => {
  let answer: BotStream | undefined;
  const { server, stream, stop } = await start(async (bot) => {
    answer = bot.stream();
    answer.write('x');
    await aborted(answer.signal);
  });
  const streamId = await delta(stream);
  const outsider = await server.user();
  expect((await stop(streamId, outsider.key)).status).toBe(403);
  const own = await server.conversation(outsider.key);
  await server.call('POST', `/conversations/${own}/stop`, { key: outsider.key, body: { streamId } });
  expect(answer?.signal.aborted).toBe(false);
  expect((await stop('')).status).toBe(400);
  await stop(streamId);
  expect(answer?.signal.aborted).toBe(true);
  await stream.cancel();
});

test('stream: its signal is aborted at the end of the event and when the conversation is deleted', async () => {
  const signals: AbortSignal[] = [];
  const { server, key, conversationId } = await start(async (bot) => {
    signals.push(bot.stream().signal);
    if (signals.length > 1) await aborted(bot.signal);
  });
  await expect.poll(() => signals[0]?.aborted, pollOptions).toBe(true);
  await server.sendMessage(key, conversationId, 'again');
  await expect.poll(() => signals.length, pollOptions).toBe(2);
  expect(signals[1]?.aborted).toBe(false);
  await server.call('DELETE', `/conversations/${conversationId}`, { key });
  await expect.poll(() => signals[1]?.aborted, pollOptions).toBe(true);
});

describe('stream of an event that is delivered again after a restart', () => {
  /** A handler whose first delivery hangs after `act`; the second one finishes. */
  function twice(act: (bot: Bot, answer: BotStream) => Promise<unknown>) {
    const streams: BotStream[] = [];
    const handler = async (bot: Bot) => {
      const answer = bot.stream();
      streams.push(answer);
      answer.write('One two');
      if (streams.length === 1) {
        await act(bot, answer);
        await new Promise(() => {});
      }
      if (!answer.signal.aborted) answer.write(' three');
      await answer.end();
      await bot.reply({ type: 'text', text: 'after' });
    };
    return { streams, handler };
  }
  const texts = (messages: Message[]) =>
    messages.map(({ payload }) =>
      payload.type === 'markdown' ? payload.markdown : 'text' in payload && payload.text,
    );

  test('a stopped stream stays stopped, and later replies are stored once', async () => {
    const { streams, handler } = twice(async (bot, answer) => {
      await aborted(answer.signal);
      await answer.end();
      await bot.reply({ type: 'text', text: 'after' });
    });
    const { server, stream, stop, stored } = await start(handler);
    const streamId = await delta(stream);
    await stop(streamId);
    await stream.until(({ data }) => data.includes('after'));
    const again = await server.restart();
    await allDelivered(again.db);
    expect(texts(await stored(again))).toEqual(['One two', 'after']);
    expect(streams[1]).toMatchObject({ id: streamId });
    expect(streams[1]?.signal.aborted).toBe(true);
  });

  test('stopping a stream that had ended stores no second message', async () => {
    const halfway = gate();
    const { streams, handler } = twice(async (_, answer) => void (await answer.end()));
    const { server, key, conversationId, stream, stop, stored } = await start(async (bot) => {
      if (!streams[0]) return handler(bot);
      const answer = bot.stream();
      streams.push(answer);
      answer.write('One');
      halfway.resolve();
      await aborted(answer.signal);
      expect(await answer.end()).toMatchObject({ payload: { markdown: 'One two' } });
    });
    await stream.until(({ data }) => data.includes('message_created') && data.includes('One two'));
    const again = await server.restart();
    await halfway.promise;
    const replay = await again.listen(key, conversationId);
    expect((await stop(streams[1]?.id ?? '', key, again)).status).toBe(200);
    await replay.untilType('message_stream_complete');
    await allDelivered(again.db);
    expect(texts(await stored(again))).toEqual(['One two']);
    await replay.cancel();
  });
});
