// Tests of typing indicators and answers that are being written, as subscribers at other processes see them.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { assembleStreams } from '../../../protocol/assemble-stream.testing.ts';
import type { Bot, BotHandler, BotStream } from '../../../protocol/bot.ts';
import type { Message } from '../../../protocol/message.ts';
import { applyPartChange, type Part, type PartChange } from '../../../protocol/parts.ts';
import type { Signal } from '../../../protocol/signal.ts';
import { createPubSub } from '../../realtime/pub-sub.ts';
import { signalFrame } from '../../realtime/sse-frames.ts';
import {
  pollOptions,
  startTestCluster,
  type TestCluster,
  type TestServer,
  type TestStream,
} from '../../testing.ts';
import { createConversationTopics } from '../relay/conversation-topics.ts';
import { createMemoryRelayHub, type Fate, type MemoryRelayHub } from '../relay/memory-relay.testing.ts';
import { createSharedPresence } from './shared-presence.ts';

const participant = {
  conversation: { id: 'conv_1', publicId: 'room' },
  user: { id: 'user_1', publicId: 'ann' },
};

/** Lets a seed decide what happens to each message. Returns the function that gives its numbers, from 0 to 1. */
function unreliable(hub: MemoryRelayHub, seed: number, fates: readonly Fate[]): () => number {
  let state = seed * 7_919;
  const chance = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  hub.fate = () => fates[Math.floor(chance() * fates.length)] ?? 'arrives';
  return chance;
}

/** The presence of processes without servers, and what a subscriber at each sees. */
function processes(count: number) {
  const hub = createMemoryRelayHub();
  const errors: unknown[] = [];
  const messages = new Map<string, Message>();
  const all = Array.from({ length: count }, () => {
    const pubSub = createPubSub();
    const topics = createConversationTopics(hub.connect(), (error) => errors.push(error));
    const readMessage = async (id: string) => messages.get(id);
    const presence = createSharedPresence(pubSub, {
      topics,
      readMessage,
      onError: (error) => errors.push(error),
    });
    const seen: Signal[] = [];
    const parse = (bytes: Uint8Array): Signal =>
      JSON.parse(/^data: (.+)$/m.exec(new TextDecoder().decode(bytes))?.[1] ?? '');
    /** Subscribes as openStream does; the result ends it. */
    const listen = () => {
      const end = pubSub.subscribe({
        botId: 'bot_1',
        conversationId: 'conv_1',
        ownerId: 'user_2',
        userId: 'user_2',
        keyHash: '',
        send: ({ bytes }) => seen.push(parse(bytes)),
        isValid: () => true,
        accepts: () => true,
        close() {},
      });
      const interest = topics.hold('conv_1');
      topics.send('conv_1', 'q', '');
      for (const { bytes } of presence.snapshot('conv_1', 'user_2')) seen.push(parse(bytes));
      return () => {
        end();
        interest.end();
      };
    };
    const types = () => seen.map(({ type }) => type.replace('message_stream_', '').replace('typing_', ''));
    const text = () =>
      seen.flatMap((signal) => (signal.type === 'message_stream_delta' ? [signal.data.delta] : [])).join('');
    return { presence, topics, listen, seen, types, text };
  });
  type Process = (typeof all)[number];
  return { hub, all: all as [Process, Process, ...Process[]], errors, messages };
}

describe('presence of several processes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const settle = () => vi.advanceTimersByTimeAsync(0);

  test('a signal that is not in the log reaches the listeners of all processes once, and needs none', async () => {
    const { all, errors } = processes(3);
    const [one, two, three] = all;
    for (const { listen } of [one, two]) listen();
    const until = '2026-01-01T00:00:00.000Z';
    const read: Signal = {
      type: 'conversation_read',
      data: { conversationId: 'room', reader: 'person', seq: 4, until },
    };
    two.presence.publish('conv_1', read);
    three?.presence.publish('conv_2', read);
    await settle();
    expect([one.seen, two.seen, three?.seen]).toEqual([[read], [read], []]);
    expect(errors).toEqual([]);
  });

  test('an indicator is shown and ended at another process, whichever of them is told', async () => {
    const { all } = processes(3);
    const [one, two, three] = all;
    two.listen();
    one.presence.setTyping(participant, true, 10_000, true);
    await settle();
    // The message of the visitor is sent to a third process, which has no subscriber.
    three?.presence.setTyping(participant, false, 10_000);
    await settle();
    expect(two.types()).toEqual(['started', 'stopped']);
    expect(two.seen[0]?.data).toEqual({ conversationId: 'room', userId: 'ann', timeout: 10_000 });
    one.listen();
    expect(one.types()).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(two.types()).toEqual(['started', 'stopped']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a stream that opens at another process gets the indicator, and others get it once', async () => {
    const { all } = processes(3);
    const [one, two, three] = all;
    three?.listen();
    one.presence.setTyping(participant, true, 10_000);
    await settle();
    two.listen();
    await settle();
    expect(two.types()).toEqual(['started']);
    expect(three?.types()).toEqual(['started']);
    one.presence.setTyping(participant, false, 10_000);
    await settle();
    expect(two.types()).toEqual(['started', 'stopped']);
    expect(three?.types()).toEqual(['started', 'stopped']);
  });

  test.each([
    ['of a visitor', true],
    ['of a bot', false],
  ])('an indicator %s ends by itself at another process when its end is lost', async (_, expires) => {
    const { hub, all } = processes(2);
    const [one, two] = all;
    two.listen();
    one.presence.setTyping(participant, true, 10_000, expires);
    await settle();
    hub.fate = () => 'lost';
    one.presence.setTyping(participant, false, 10_000);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(two.types()).toEqual(['started']);
    await vi.advanceTimersByTimeAsync(1);
    expect(two.types()).toEqual(['started', 'stopped']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('without subscribers a process forgets the indicators of others, of whose end it would not hear', async () => {
    const { all } = processes(2);
    const [one, two] = all;
    const end = two.listen();
    one.presence.setTyping(participant, true, 10_000, true);
    await settle();
    end();
    one.presence.setTyping(participant, false, 10_000, true);
    await settle();
    two.listen();
    expect(two.types()).toEqual(['started']);
  });

  test('pieces reach other processes in order, and one that joins gets the text so far', async () => {
    const { all } = processes(3);
    const [one, two, three] = all;
    two.listen();
    const stream = one.presence.startStream(participant, async () => {});
    stream.write('One ');
    await vi.advanceTimersByTimeAsync(25);
    stream.write('two ');
    three?.listen();
    await settle();
    stream.write(`three ${'😀'.repeat(2_000)}`);
    await vi.advanceTimersByTimeAsync(25);
    for (const process of [two, three]) {
      expect(process?.text()).toBe(`One two three ${'😀'.repeat(2_000)}`);
      const sequences = process?.seen.map(
        (signal) => signal.type === 'message_stream_delta' && signal.data.sequence,
      );
      expect(sequences).toEqual(sequences?.map((_, n) => n));
    }
    expect(three?.seen[0]?.data).toMatchObject({
      streamId: stream.id,
      conversationId: 'room',
      userId: 'ann',
    });
    stream.abort();
    await settle();
    expect(two.types().at(-1)).toBe('abort');
    expect(three?.types().at(-1)).toBe('abort');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('the message in the log ends a stream before it is delivered, also if the order to end it was lost', async () => {
    const { hub, all } = processes(2);
    const [one, two] = all;
    two.listen();
    const stream = one.presence.startStream(participant, async () => {});
    stream.write('Text');
    await vi.advanceTimersByTimeAsync(25);
    hub.fate = () => 'lost';
    const message = { id: 'msg_1', metadata: { streamId: stream.id } } as unknown as Message;
    stream.complete(message);
    two.presence.beforeDelivery('conv_1', { seq: 1, bytes: new Uint8Array() });
    const frame = signalFrame({ type: 'message_created', data: { ...message, isBot: true } }, 1);
    two.presence.beforeDelivery('conv_1', frame);
    two.presence.beforeDelivery('conv_1', frame);
    expect(two.types()).toEqual(['delta', 'complete']);
    expect(two.seen[1]?.data).toEqual({ streamId: stream.id, message });
    // A late piece does not begin it again.
    hub.fate = () => 'arrives';
    one.topics.send('conv_1', 'd', JSON.stringify([stream.id, 'room', 'ann', '', 0, 'Text']));
    await settle();
    expect(two.types()).toEqual(['delta', 'complete']);
  });

  test('a stream whose message was stored by an earlier delivery ends with that message', async () => {
    const { all, messages } = processes(2);
    const [one, two] = all;
    two.listen();
    const message = { id: 'msg_1', metadata: { streamId: 'another' } } as unknown as Message;
    messages.set('msg_1', message);
    const stream = one.presence.startStream(participant, async () => {});
    stream.write('Again');
    stream.complete(message);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(two.types()).toEqual(['delta', 'complete']);
    expect(two.seen[1]?.data).toEqual({ streamId: stream.id, message });
  });

  test('a stream of a process that was killed is aborted', async () => {
    const { hub, all } = processes(2);
    const [one, two] = all;
    two.listen();
    one.presence.startStream(participant, async () => {}).write('Text');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(two.types()).toEqual(['delta']);
    hub.fate = () => 'lost';
    await vi.advanceTimersByTimeAsync(90_000);
    expect(two.types()).toEqual(['delta', 'abort']);
  });

  test('a stop at another process stops the stream where it is written, and waits for its end', async () => {
    const { all } = processes(3);
    const [one, two, three] = all;
    two.listen();
    const stopped: string[] = [];
    const stream = one.presence.startStream(participant, async () => {
      stopped.push('asked');
      stream.abort();
    });
    stream.write('Text');
    await vi.advanceTimersByTimeAsync(25);
    // One that has a subscriber, and one that has none.
    for (const process of [three, two]) {
      const stopping = process?.presence.stopStream('conv_1', stream.id);
      await settle();
      await stopping;
    }
    expect(stopped).toEqual(['asked']);
    expect(two.types()).toEqual(['delta', 'abort']);
    // Of an unknown stream, somebody is asked for a while.
    const unknown = two.presence.stopStream('conv_1', 'unknown');
    await vi.advanceTimersByTimeAsync(3_000);
    await unknown;
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'whatever the relay does, each process shows each piece once and in order (seed %i)',
    async (seed) => {
      const { hub, all, errors } = processes(3);
      const chance = unreliable(hub, seed, ['arrives', 'arrives', 'lost', 'doubled', 'held']);
      const [one, two, three] = all;
      two.listen();
      const stream = one.presence.startStream(participant, async () => {});
      let text = '';
      for (let n = 0; n < 60; n += 1) {
        const piece = `${n} ${'x'.repeat(Math.floor(chance() * 50))} `;
        text += piece;
        stream.write(piece);
        await vi.advanceTimersByTimeAsync(Math.floor(chance() * 60));
        if (n === 20) three?.listen();
        if (chance() < 0.2) hub.release({ isReversed: chance() < 0.5 });
        for (const process of [two, three]) expect(text.startsWith(process?.text() ?? '')).toBe(true);
      }
      hub.release({ isReversed: true });
      hub.fate = () => 'arrives';
      // The next announcement of its length shows what is missing.
      await vi.advanceTimersByTimeAsync(11_000);
      for (const process of all.slice(1)) expect(process.text()).toBe(text);
      stream.abort();
      await settle();
      for (const process of all.slice(1))
        expect(process.types().filter((type) => type !== 'delta')).toEqual(['abort']);
      expect(errors).toEqual([]);
    },
  );

  test.each([1, 2, 3, 4, 5, 6])(
    'whatever the relay does, each process ends with the same text and parts (seed %i)',
    async (seed) => {
      const { hub, all, errors } = processes(3);
      const chance = unreliable(hub, seed, ['arrives', 'arrives', 'arrives', 'lost', 'doubled', 'held']);
      const [one, two, three] = all;
      one.listen();
      two.listen();
      const stream = one.presence.startStream(participant, async () => {});
      let text = '';
      let parts: Part[] = [];
      for (let n = 0; n < 80; n += 1) {
        const change: PartChange =
          n === 0 || chance() < 0.3
            ? { id: `p${n}`, at: text.length, type: 'tool', toolName: `t${n}`, state: 'input-available' }
            : {
                id: `p${Math.floor(chance() * n)}`,
                ...(chance() < 0.5
                  ? { title: 'x'.repeat(Math.floor(chance() * 5_000)) }
                  : { textDelta: `${n}` }),
              };
        if ('type' in change || parts.some(({ id }) => id === change.id)) {
          stream.changePart(change);
          parts = applyPartChange(parts, change);
        }
        const piece = `${n} `;
        if (chance() < 0.5) {
          text += piece;
          stream.write(piece);
        }
        await vi.advanceTimersByTimeAsync(Math.floor(chance() * 80));
        if (n === 30) three?.listen();
        if (chance() < 0.2) hub.release({ isReversed: chance() < 0.5 });
      }
      hub.release({ isReversed: true });
      hub.fate = () => 'arrives';
      await vi.advanceTimersByTimeAsync(11_000);
      for (const { seen } of all) {
        const assembled = assembleStreams(seen).get(stream.id);
        expect(assembled?.text).toBe(text);
        expect(assembled?.parts).toEqual(parts);
        const first = assembled?.sequences[0] ?? 0;
        expect(assembled?.sequences).toEqual(assembled?.sequences.map((_, n) => first + n));
      }
      stream.abort();
      await settle();
      expect(errors).toEqual([]);
      await vi.advanceTimersByTimeAsync(120_000);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test('many changes of a part are gathered, and new parts and new states are told at once', async () => {
    const { all } = processes(2);
    const [one, two] = all;
    two.listen();
    const stream = one.presence.startStream(participant, async () => {});
    const startedAt = '2026-01-01T00:00:00.000Z';
    stream.changePart({ id: 'r', at: 0, type: 'reasoning', state: 'streaming', startedAt, text: 'a' });
    for (let n = 0; n < 50; n += 1) stream.changePart({ id: 'r', textDelta: 'b' });
    await settle();
    expect(two.seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(two.seen).toHaveLength(2);
    expect(two.seen[1]?.data).toMatchObject({ part: { id: 'r', textDelta: 'b'.repeat(50) }, delta: '' });
    stream.changePart({ id: 'r', textDelta: 'c' });
    stream.changePart({ id: 'r', state: 'done' });
    await settle();
    expect(two.seen[2]?.data).toMatchObject({ part: { id: 'r', textDelta: 'c', state: 'done' } });
    // One who joins meanwhile has what the others have.
    stream.changePart({ id: 'r', textDelta: 'd' });
    one.listen();
    await vi.advanceTimersByTimeAsync(100);
    for (const { seen } of all)
      expect(assembleStreams(seen).get(stream.id)?.parts).toMatchObject([{ text: `a${'b'.repeat(50)}cd` }]);
    stream.changePart({ id: 'r', textDelta: 'lost' });
    stream.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(two.types().at(-1)).toBe('abort');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('answers of bot code, at another process than that which runs it', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.close());

  async function start(handler: (bot: Bot) => Promise<unknown>) {
    const whole: BotHandler = async (event, bot) => {
      if (event.type === 'text') await handler(bot);
    };
    cluster = await startTestCluster(3, { handler: whole });
    const [one, two, three] = cluster.servers as [TestServer, TestServer, TestServer];
    const { key } = await one.user();
    const id = await one.conversation(key);
    const stream = await two.listen(key, id);
    return { one, two, three, key, id, stream };
  }
  const types = (stream: TestStream) =>
    stream.frames
      .flatMap(({ signal }) => signal?.type ?? [])
      .filter((type, n, all) => type !== 'message_stream_delta' || type !== all[n - 1]);
  const textOf = (stream: TestStream) =>
    stream.frames
      .flatMap(({ signal }) => (signal?.type === 'message_stream_delta' ? [signal.data.delta] : []))
      .join('');

  test('are shown while they are written, also to one who joins, and end as one message', async () => {
    let answer: BotStream | undefined;
    let end = () => {};
    const { one, three, key, id, stream } = await start(async (bot) => {
      bot.typing(true);
      answer = bot.stream();
      answer.write('Hello ');
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      await answer.end();
    });
    await one.sendMessage(key, id, 'go');
    await expect.poll(() => textOf(stream), pollOptions).toBe('Hello ');
    const late = await three.listen(key, id);
    await expect.poll(() => textOf(late), pollOptions).toBe('Hello ');
    answer?.write('there');
    end();
    for (const one of [stream, late]) {
      await one.until(({ signal }) => signal?.type === 'message_created' && signal.data.isBot);
    }
    await stream.until(({ signal }) => signal?.type === 'typing_stopped');
    expect(types(stream)).toEqual([
      'message_created',
      'typing_started',
      'message_stream_delta',
      'message_stream_complete',
      'message_created',
      'typing_stopped',
    ]);
    expect(textOf(late)).toBe('Hello there');
    const complete = await late.untilType('message_stream_complete');
    const { body } = await one.call('GET', `/conversations/${id}/messages`, { key });
    expect((body.messages as Message[])[0]).toEqual(complete.data.message);
    await stream.cancel();
    await late.cancel();
  });

  test('are stopped by a visitor at any process, with the text so far', async () => {
    let signal: AbortSignal | undefined;
    const { one, three, key, id, stream } = await start(async (bot) => {
      const answer = bot.stream();
      signal = answer.signal;
      answer.write('One two');
      await new Promise<void>((resolve) => answer.signal.addEventListener('abort', () => resolve()));
      answer.write(' three');
      await answer.end();
    });
    await one.sendMessage(key, id, 'go');
    const { data } = await stream.untilType('message_stream_delta');
    const body = { streamId: data.streamId };
    expect((await three.call('POST', `/conversations/${id}/stop`, { key, body })).status).toBe(200);
    expect(signal?.aborted).toBe(true);
    const complete = await stream.untilType('message_stream_complete');
    expect(complete.data.message).toMatchObject({
      payload: { type: 'markdown', markdown: 'One two' },
      metadata: { streamId: data.streamId, stopped: true },
    });
    await stream.until(({ signal }) => signal?.type === 'message_created' && signal.data.isBot);
    await stream.cancel();
  });
});
