// Tests of the worker with a schedule, with times that the test sets.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createScheduledWorker } from './scheduled-worker.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Options {
  nextTime?: () => Promise<number | undefined>;
  run?: () => Promise<boolean>;
  leastWaitMs?: number;
}

/** A worker that notes when it runs. */
function startWorker({ nextTime = async () => undefined, run = async () => true, leastWaitMs }: Options) {
  const runs: number[] = [];
  const errors: unknown[] = [];
  const worker = createScheduledWorker({
    run: () => {
      runs.push(Date.now());
      return run();
    },
    nextTime,
    ...(leastWaitMs === undefined ? {} : { leastWaitMs }),
    failure: 'it failed',
    logger: { error: (error: unknown) => errors.push(error) } as never,
    now: Date.now,
  });
  worker.start();
  return { worker, runs, errors };
}

test('it runs at the start, when the next thing is due, and every 30 seconds', async () => {
  const times = [2_000, 90_000];
  const { worker, runs } = startWorker({ nextTime: async () => times.find((time) => time > Date.now()) });
  await vi.advanceTimersByTimeAsync(62_000);
  expect(runs).toEqual([0, 2_000, 32_000, 62_000]);
  await worker.close();
});

test('what stays due is looked at again after the least wait', async () => {
  const { worker, runs } = startWorker({ nextTime: async () => 0, leastWaitMs: 1_000 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runs).toEqual([0, 1_000, 2_000]);
  await worker.close();
});

test('a worker that is woken after the next time was read runs again at once', async () => {
  let isAdded = false;
  const { worker, runs } = startWorker({
    async nextTime() {
      if (!isAdded) worker.wake();
      isAdded = true;
      return undefined;
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toEqual([0, 0]);
  await worker.close();
});

test('after a failure it runs again in 5 seconds', async () => {
  const results = [async () => false, () => Promise.reject(new Error('broken')), async () => true];
  const { worker, runs, errors } = startWorker({ run: () => results.shift()?.() ?? Promise.resolve(true) });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(runs).toEqual([0, 5_000, 10_000]);
  expect(errors).toHaveLength(1);
  await worker.close();
});

test('a closed worker does not run again', async () => {
  const { worker, runs } = startWorker({});
  await worker.close();
  worker.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toEqual([0]);
});
