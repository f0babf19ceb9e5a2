// Tests that the deltas of a stream result in its text, in any order and with repetitions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyPartChange, type Part, type PartChange } from '../../../../protocol/parts.ts';
import { createAnswerStreams } from './answer-streams.ts';

const delta = (sequence: number, text: string, streamId = 's') => ({
  streamId,
  sequence,
  delta: text,
  conversationId: 'c',
  userId: 'bot',
  createdAt: '2025-01-01T00:00:00.000Z',
});

test('in order, each delta results in the text so far', () => {
  const streams = createAnswerStreams();
  expect([...'abc'].map((letter, i) => streams.add(delta(i, letter)))).toEqual(['a', 'ab', 'abc']);
});

test('a delta that is too early is kept, and a repeated one is ignored', () => {
  const streams = createAnswerStreams();
  expect(streams.add(delta(0, 'a'))).toBe('a');
  expect(streams.add(delta(2, 'c'))).toBeUndefined();
  expect(streams.add(delta(0, 'a'))).toBeUndefined();
  expect(streams.add(delta(1, 'b'))).toBe('abc');
  expect(streams.add(delta(2, 'c'))).toBeUndefined();
});

test('any order with repetitions after the first delta results in the text', () => {
  const run = fc.array(fc.string(), { minLength: 1, maxLength: 10 }).chain((texts) => {
    const deltas = texts.map((text, i) => delta(i, text));
    return fc.record({
      texts: fc.constant(texts),
      rest: fc
        .tuple(
          fc.shuffledSubarray(deltas, { minLength: deltas.length }),
          fc.array(fc.constantFrom(...deltas)),
        )
        .chain(([all, more]) =>
          fc.shuffledSubarray([...all, ...more], { minLength: all.length + more.length }),
        ),
      first: fc.constant(deltas.slice(0, 1)),
    });
  });
  fc.assert(
    fc.property(run, ({ texts, first, rest }) => {
      const streams = createAnswerStreams();
      const seen = [...first, ...rest].map((data) => streams.add(data)).filter((text) => text !== undefined);
      expect(seen.at(-1)).toBe(texts.join(''));
      // The text never becomes shorter.
      for (const [i, text] of seen.entries()) expect(text.startsWith(seen[i - 1] ?? '')).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a stream that is joined in the middle begins with the first received delta', () => {
  const streams = createAnswerStreams();
  expect(streams.add(delta(7, 'all so far'))).toBe('all so far');
  expect(streams.add(delta(3, 'old'))).toBeUndefined();
  expect(streams.add(delta(8, ', and on'))).toBe('all so far, and on');
});

test('streams do not mix', () => {
  const streams = createAnswerStreams();
  streams.add(delta(0, 'a', 's'));
  streams.add(delta(0, 'x', 't'));
  expect([streams.add(delta(1, 'b', 's')), streams.add(delta(1, 'y', 't'))]).toEqual(['ab', 'xy']);
});

test('after a reconnect the first delta contains the whole text', () => {
  const streams = createAnswerStreams();
  streams.add(delta(0, 'a'));
  streams.restart();
  expect(streams.add(delta(4, 'abcde'))).toBe('abcde');
  streams.end('s');
  expect(streams.add(delta(0, 'new'))).toBe('new');
});

test('the whole text of another tab replaces an own part that is behind, level or ahead, and the next delta follows', () => {
  for (const own of [['a'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd', 'e']]) {
    const streams = createAnswerStreams();
    for (const [i, text] of own.entries()) streams.add(delta(i, text));
    expect(streams.add({ ...delta(2, 'abc'), isWhole: true })).toBe('abc');
    expect(streams.add(delta(3, 'd'))).toBe('abcd');
  }
});

test('the whole text of each stream in progress continues it in another tab, wherever that tab joins', () => {
  const deltas = [...'abcde'].map((letter, i) => delta(i, letter));
  for (let joined = 1; joined <= deltas.length; joined++) {
    const [leader, follower] = [createAnswerStreams(), createAnswerStreams()];
    leader.add(delta(0, 'ended', 't'));
    leader.end('t');
    for (const data of deltas.slice(0, joined)) leader.add(data);
    const [signal, ...more] = leader.whole() as { data: ReturnType<typeof delta> }[];
    expect(more).toEqual([]);
    const seen = [signal?.data as ReturnType<typeof delta>, ...deltas.slice(joined)].map((data) =>
      follower.add(data),
    );
    expect(seen.at(-1)).toBe('abcde');
  }
});

test('after a reconnect no stream is in progress', () => {
  const streams = createAnswerStreams();
  streams.add(delta(0, 'a'));
  streams.restart();
  expect(streams.whole()).toEqual([]);
});

const tool = (id: string, state: string) => ({ id, type: 'tool', at: 0, toolName: 'search', state });
const change = (sequence: number, part: PartChange) => ({ ...delta(sequence, ''), part });

test('changes of parts are in order with the text, and a part of a stream without text is not a gap', () => {
  const streams = createAnswerStreams();
  expect(streams.parts('s')).toBeUndefined();
  expect(streams.add(change(0, tool('a', 'input-available')))).toBe('');
  expect(streams.add(change(2, { id: 'a', state: 'output-available' }))).toBeUndefined();
  expect(streams.add(delta(1, 'Text'))).toBe('Text');
  expect(streams.parts('s')).toEqual([tool('a', 'input-available'), { id: 'a', state: 'output-available' }]);
  streams.end('s');
  expect(streams.parts('s')).toBeUndefined();
});

test('a frame with all parts replaces text and parts, also after a gap, and what is early follows it', () => {
  const streams = createAnswerStreams();
  streams.add(delta(0, 'Old'));
  streams.add(change(1, tool('a', 'input-available')));
  // 2 and 3 are lost, 5 is early.
  streams.add(delta(5, ' and more'));
  const all = [tool('b', 'output-available')] as unknown as Part[];
  expect(streams.add({ ...delta(4, 'New'), parts: all })).toBe('New and more');
  expect(streams.parts('s')).toEqual(all);
  expect(streams.add(delta(2, 'late'))).toBeUndefined();
});

test('parts that are not a list do not end the stream', () => {
  for (const parts of [5, 'parts', {}, [null, 5]] as unknown as Part[][]) {
    expect(createAnswerStreams().add({ ...delta(0, 'Text'), parts })).toBe('Text');
  }
});

test('any order with repetitions, in any tab, ends with the same text and parts', () => {
  const piece = fc.oneof(
    fc.string().map((text) => ({ delta: text })),
    fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('input-available', 'output-available'))
      .map(([id, state]) => ({ delta: '', part: tool(id, state) })),
    fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.string())
      .map(([id, text]) => ({ delta: '', part: { id, type: 'reasoning', at: 0, textDelta: text } })),
    fc.string().map((text) => ({ delta: text, parts: [tool('d', 'done')] as unknown as Part[] })),
  );
  const run = fc.array(piece, { minLength: 1, maxLength: 12 }).chain((pieces) => {
    const frames = pieces.map((piece, i) => ({ ...delta(i, ''), ...piece }));
    const [first, ...rest] = frames;
    return fc.record({
      frames: fc.constant(frames),
      order: fc
        .array(fc.constantFrom(...frames))
        .chain((more) => fc.shuffledSubarray([...rest, ...more], { minLength: rest.length + more.length }))
        .map((others) => [first as (typeof frames)[number], ...others]),
      joinAt: fc.nat({ max: pieces.length }),
    });
  });
  const ended = (streams: ReturnType<typeof createAnswerStreams>) => {
    const [signal] = streams.whole() as { data: { delta: string } }[];
    let parts: readonly Part[] = [];
    for (const part of streams.parts('s') ?? []) parts = applyPartChange(parts, part);
    return { text: signal?.data.delta, parts };
  };
  fc.assert(
    fc.property(run, ({ frames, order, joinAt }) => {
      const [ordered, shuffled, joining] = [
        createAnswerStreams(),
        createAnswerStreams(),
        createAnswerStreams(),
      ];
      // Another tab joins somewhere, and gets the frames after that as they come.
      order.forEach((frame, i) => {
        if (i === joinAt) for (const { data } of shuffled.whole()) joining.add(data as typeof frame);
        shuffled.add(frame);
        if (i >= joinAt) joining.add(frame);
      });
      for (const frame of frames) ordered.add(frame);
      expect(ended(shuffled)).toEqual(ended(ordered));
      if (joinAt < order.length && joinAt > 0) {
        // Events from before it joined come with the next state that the first tab sends.
        for (const { data } of shuffled.whole()) joining.add(data as (typeof frames)[number]);
        expect(ended(joining)).toEqual(ended(ordered));
      }
    }),
    { numRuns: 300 },
  );
});
