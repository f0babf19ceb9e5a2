// Tests of the loop of background work without a database.
import { afterEach, expect, test, vi } from 'vitest';
import { createBackgroundLoop } from './background-loop.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A loop whose work is an array. A piece that is an error fails once, before it is done. */
function startLoop() {
  const waiting: (string | Error)[] = [];
  const done: string[] = [];
  const failures: unknown[] = [];
  const loop = createBackgroundLoop({
    firstPause: 1_000,
    async work(signal, onProgress) {
      for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
        await Promise.resolve();
        if (next instanceof Error) throw next;
        done.push(next);
        onProgress();
      }
    },
    onFailure: (error) => failures.push(error),
  });
  return { loop, waiting, done, failures };
}

test('work that is added after the last look is done, if the loop was woken', async () => {
  const looks: string[] = [];
  const loop = createBackgroundLoop({
    async work() {
      looks.push('look');
      // The loop ends only after this call.
      if (looks.length === 1) loop.wake();
    },
    onFailure() {},
  });
  loop.wake();
  await loop.idle();
  expect(looks).toEqual(['look', 'look']);
});

test('after a failure the loop waits twice as long each time, also if it is woken, and from the first pause after a success', async () => {
  vi.useFakeTimers();
  const { loop, waiting, done, failures } = startLoop();
  waiting.push(new Error('first'), new Error('second'), 'a', new Error('third'), 'b');
  loop.wake();
  await loop.idle();
  loop.wake();
  await vi.advanceTimersByTimeAsync(999);
  expect(failures).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(failures).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect([done, failures.length]).toEqual([['a'], 3]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(done).toEqual(['a', 'b']);
});

test('a closed loop has ended its work, reports no failure of it, and is not woken again', async () => {
  const failures: unknown[] = [];
  let looks = 0;
  const loop = createBackgroundLoop({
    work: (signal) => {
      looks += 1;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    onFailure: (error) => failures.push(error),
  });
  loop.wake();
  await loop.close();
  loop.wake();
  await loop.idle();
  expect([looks, failures]).toEqual([1, []]);
});

test('a loop that waits after a failure can be closed', async () => {
  vi.useFakeTimers();
  const { loop, waiting, done } = startLoop();
  waiting.push(new Error('first'), 'a');
  loop.wake();
  await loop.idle();
  await loop.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(done).toEqual([]);
});
