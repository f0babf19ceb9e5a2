// Tests how runs of agents share the main thread.
import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatchScheduler } from './batch-scheduler.ts';

/** Handles this number of batches of one run, and notes each. */
async function handle(
  scheduler: ReturnType<typeof createBatchScheduler>,
  botId: string,
  batches: number,
  noted: string[],
) {
  for (let n = 0; n < batches; n += 1) {
    await scheduler.next(botId);
    noted.push(botId);
  }
}

test('batches of runs: a bot with many runs gets no more turns than another one', async () => {
  const scheduler = createBatchScheduler();
  const noted: string[] = [];
  await Promise.all([
    ...Array.from({ length: 50 }, () => handle(scheduler, 'busy', 10, noted)),
    handle(scheduler, 'quiet', 10, noted),
  ]);
  expect(noted).toHaveLength(510);
  expect(noted.slice(0, 20).filter((bot) => bot === 'quiet')).toHaveLength(10);
});

test('batches of runs: other work of the server is done after each batch', async () => {
  const scheduler = createBatchScheduler();
  const noted: string[] = [];
  let isOver = false;
  const runs = Promise.all(['a', 'b', 'c'].map((bot) => handle(scheduler, bot, 20, noted))).then(() => {
    isOver = true;
  });
  const lengths: number[] = [];
  while (!isOver) {
    await nextIteration();
    lengths.push(noted.length);
  }
  await runs;
  const steps = lengths.map((length, n) => length - (lengths[n - 1] ?? 0));
  expect(Math.max(...steps)).toBe(1);
});
