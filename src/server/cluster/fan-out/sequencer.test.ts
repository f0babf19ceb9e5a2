// Tests of the order of frames that arrive in any way: lost, doubled, reversed, while the log is read.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Frame, skipFrame } from '../../realtime/sse-frames.ts';
import { subscribe } from '../../startup/events.ts';
import { createSequencer } from './sequencer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A sequencer on a log that ends with `log.seq`. */
function open(seq = 0) {
  const log = { seq, reads: [] as number[], fails: 0, isLost: false };
  const delivered: number[] = [];
  const lost: string[] = [];
  const errors: unknown[] = [];
  const sequencer = createSequencer({
    deliver: (frame) => delivered.push(frame.seq ?? 0),
    async read(after) {
      log.reads.push(after);
      if (log.fails > 0) {
        log.fails -= 1;
        throw new Error('away');
      }
      if (log.isLost) return undefined;
      const frames: Frame[] = [];
      for (let n = after + 1; n <= log.seq; n += 1) frames.push(skipFrame(n));
      return frames;
    },
    onLost: () => lost.push('lost'),
    onError: (error) => errors.push(error),
  });
  const accept = (...numbers: number[]) => {
    for (const n of numbers) sequencer.accept(n, skipFrame(n));
  };
  return { log, delivered, lost, errors, sequencer, accept };
}

test('frames in order are given at once, and the log is not read', async () => {
  const { log, delivered, sequencer, accept } = open(3);
  expect(sequencer.start(3)).toBe(true);
  accept(4, 5, 6);
  expect(delivered).toEqual([4, 5, 6]);
  await vi.runAllTimersAsync();
  expect(log.reads).toEqual([]);
});

test('doubled and late frames are dropped, and reversed ones wait for each other', async () => {
  const { log, delivered, sequencer, accept } = open(3);
  sequencer.start(3);
  accept(6, 5, 3, 1, 4, 4, 6, 5, 7);
  expect(delivered).toEqual([4, 5, 6, 7]);
  await vi.runAllTimersAsync();
  expect(log.reads).toEqual([]);
});

test('lost frames are read once, with all that follow', async () => {
  const { log, delivered, sequencer, accept } = open();
  sequencer.start(0);
  accept(1, 4, 9);
  log.seq = 9;
  await vi.runAllTimersAsync();
  expect(delivered).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(log.reads).toEqual([1]);
});

test('frames that arrive while the log is read are given once and in order', async () => {
  const { log, delivered, sequencer, accept } = open();
  sequencer.start(0);
  accept(2);
  log.seq = 4;
  await vi.advanceTimersByTimeAsync(19);
  vi.advanceTimersByTime(1);
  accept(1, 3, 4, 6);
  expect(delivered).toEqual([1, 2, 3, 4]);
  log.seq = 6;
  await vi.runAllTimersAsync();
  expect(delivered).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a frame that is only in the log is read at once when it is the next one', async () => {
  const { log, delivered, sequencer, accept } = open();
  sequencer.start(0);
  accept(3);
  sequencer.accept(1);
  log.seq = 3;
  await vi.advanceTimersByTimeAsync(0);
  expect(delivered).toEqual([1, 2, 3]);
  expect(log.reads).toEqual([0]);
});

test('before the start nothing is given, and what a subscriber has read is dropped', async () => {
  const { log, delivered, sequencer, accept } = open();
  accept(2, 5, 3);
  log.seq = 6;
  expect(sequencer.start(3)).toBe(true);
  // One that has read before cannot be given 2 and 3 any more.
  expect(sequencer.start(1)).toBe(false);
  expect(sequencer.start(3)).toBe(true);
  await vi.runAllTimersAsync();
  expect(delivered).toEqual([4, 5, 6]);
});

test('the last frame, if it was lost, is read when the log is known to be longer', async () => {
  const { log, delivered, sequencer } = open();
  sequencer.start(0);
  log.seq = 2;
  sequencer.expect(0);
  await vi.runAllTimersAsync();
  expect(log.reads).toEqual([]);
  sequencer.expect(2);
  await vi.runAllTimersAsync();
  expect(delivered).toEqual([1, 2]);
});

test('a number that nobody has written is forgotten', async () => {
  const { log, delivered, sequencer, accept } = open();
  sequencer.start(0);
  accept(1_000_000);
  log.seq = 2;
  await vi.runAllTimersAsync();
  expect(log.reads).toEqual([0]);
  accept(3);
  expect(delivered).toEqual([1, 2, 3]);
});

test('a log that cannot be read is read again, and one error is reported', async () => {
  const { log, delivered, errors, sequencer, accept } = open();
  sequencer.start(0);
  accept(2);
  Object.assign(log, { seq: 2, fails: 3 });
  await vi.runAllTimersAsync();
  expect(delivered).toEqual([1, 2]);
  expect(errors).toHaveLength(1);
});

test('what cannot be given any more ends the streams once, and nothing is given after it', async () => {
  const { log, delivered, lost, sequencer, accept } = open();
  sequencer.start(0);
  log.isLost = true;
  accept(2);
  await vi.runAllTimersAsync();
  accept(1, 3);
  await vi.runAllTimersAsync();
  expect(lost).toEqual(['lost']);
  expect(delivered).toEqual([]);
});

test('more frames than are kept are read from the log', async () => {
  const { log, delivered, sequencer, accept } = open();
  sequencer.start(0);
  log.seq = 1_000;
  accept(...Array.from({ length: 999 }, (_, n) => n + 2));
  await vi.runAllTimersAsync();
  expect(delivered).toEqual(Array.from({ length: 1_000 }, (_, n) => n + 1));
});

test('a closed sequencer reads nothing', async () => {
  const { log, delivered, sequencer, accept } = open();
  sequencer.start(0);
  accept(2);
  sequencer.close();
  log.seq = 3;
  accept(1, 3);
  await vi.runAllTimersAsync();
  expect(delivered).toEqual([]);
  expect(log.reads).toEqual([]);
});

/** The sources of gaps that are counted during a test. */
function countGaps() {
  const gaps: string[] = [];
  const end = subscribe('gap', ({ source }) => gaps.push(source));
  return { gaps, end };
}

test('a lost frame counts as a gap once, by what noticed it, when it has not arrived by the next regular check', async () => {
  const { gaps, end } = countGaps();
  const { log, delivered, sequencer, accept } = open();
  sequencer.start(0);
  accept(2);
  log.seq = 2;
  await vi.runAllTimersAsync();
  log.seq = 4;
  sequencer.expect(4);
  await vi.runAllTimersAsync();
  expect([delivered, gaps]).toEqual([[1, 2, 3, 4], []]);
  for (let n = 0; n < 5; n += 1) sequencer.expect(4);
  expect(gaps).toEqual(['relay', 'tail', 'tail']);
  end();
});

test('a frame that is late, and one that is too large for the relay, is not a gap', async () => {
  const { gaps, end } = countGaps();
  const { log, delivered, sequencer, accept } = open();
  sequencer.start(0);
  accept(2);
  log.seq = 3;
  sequencer.expect(3);
  await vi.runAllTimersAsync();
  accept(3, 1);
  log.seq = 5;
  sequencer.accept(5);
  sequencer.accept(4);
  await vi.runAllTimersAsync();
  expect(delivered).toEqual([1, 2, 3, 4, 5]);
  for (let n = 0; n < 5; n += 1) sequencer.expect(5);
  expect(gaps).toEqual([]);
  end();
});
