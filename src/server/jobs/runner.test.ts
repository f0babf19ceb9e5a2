// Tests of the job runner without a server: jobs that are added at any time run once, and stopping never waits for
// itself.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import { ApiError } from '../api/errors.ts';
import { type Database, DatabaseUnavailable, StorageFull } from '../storage/database.ts';
import { gate } from '../testing/gate.testing.ts';
import { createJobRunner, type Job } from './runner.ts';

interface Options {
  concurrency?: number;
  /** Called when a job starts; the job ends when it resolves. */
  onRun?: (id: string, signal: AbortSignal) => unknown;
  /** Called when a job is suspended. */
  onSuspend?: (id: string) => unknown;
  /** Replaces the database's `read`. */
  read?: Database['read'];
}

/** A runner whose queue is an array. */
function startRunner({ concurrency = 1, onRun = () => {}, onSuspend = () => {}, read }: Options = {}) {
  const waiting: Job[] = [];
  const started: string[] = [];
  const failed: string[] = [];
  const errors: unknown[] = [];
  const db = {
    read: read ?? ((work: (tx: never) => Promise<unknown>) => work(undefined as never)),
    write: (work: (tx: never) => Promise<unknown>) => work(undefined as never),
  } as unknown as Database;
  const remove = (id: string) => {
    const at = waiting.findIndex((job) => job.id === id);
    if (at >= 0) waiting.splice(at, 1);
  };
  const runner = createJobRunner<Job>(
    {
      name: 'a job',
      concurrency,
      next: async (_, after, excluded) => {
        const free = waiting.filter(({ id }) => !excluded.includes(id));
        return free.find(({ botId }) => botId > after) ?? free[0];
      },
      async run({ id }, signal) {
        started.push(id);
        await onRun(id, signal);
        remove(id);
      },
      async fail(_, { id }) {
        failed.push(id);
        remove(id);
      },
      async suspend(_, { id }) {
        await onSuspend(id);
      },
    },
    { db, logger: { error: (error: unknown) => errors.push(error) } as never },
  );
  const add = (id: string, botId = 'bot') => {
    waiting.push({ id, botId });
    runner.wake();
  };
  return { runner, add, waiting, started, failed, errors };
}

test('a job that is added while the maximum number of jobs runs is run after them, and the runner becomes idle', async () => {
  const { opened, open } = gate();
  const { runner, add, started } = startRunner({ onRun: () => opened });
  add('first');
  await expect.poll(() => started).toEqual(['first']);
  add('second');
  runner.wake();
  open();
  await expect.poll(() => started).toEqual(['first', 'second']);
  await runner.idle();
  add('third');
  await runner.idle();
  expect(started).toEqual(['first', 'second', 'third']);
});

test('a database that refuses reads at once does not block the runner: it is idle, and tries again when woken', async () => {
  let isClosed = true;
  const { runner, add, started, errors } = startRunner({
    read(work) {
      if (isClosed) throw new Error('The database is closed.');
      return work(undefined as never);
    },
  });
  add('first');
  await runner.idle();
  expect(errors).toHaveLength(1);
  isClosed = false;
  runner.wake();
  await runner.idle();
  expect(started).toEqual(['first']);
});

test('closing interrupts the running jobs, starts no other, and can be done twice', async () => {
  const { runner, add, started, waiting } = startRunner({
    onRun: (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  add('first');
  add('second');
  await expect.poll(() => started).toEqual(['first']);
  await Promise.all([runner.close(), runner.close()]);
  runner.wake();
  await runner.idle();
  expect(started).toEqual(['first']);
  expect(waiting.map(({ id }) => id)).toEqual(['first', 'second']);
});

test('jobs of any bots, added at any moments, are each run once, at most `concurrency` at a time', async () => {
  const steps = fc.array(fc.record({ bot: fc.constantFrom('a', 'b', 'c'), pause: fc.nat(3) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (added, concurrency) => {
      let now = 0;
      let most = 0;
      const { runner, add, started } = startRunner({
        concurrency,
        async onRun(id) {
          most = Math.max(most, ++now);
          for (let turn = id.length; turn > 0; turn--) await Promise.resolve();
          now--;
        },
      });
      for (const [index, { bot, pause }] of added.entries()) {
        add(`${'x'.repeat(pause)}${index}`, bot);
        for (let turn = pause; turn > 0; turn--) await Promise.resolve();
      }
      await runner.idle();
      expect([...started].sort()).toEqual(
        added.map(({ pause }, index) => `${'x'.repeat(pause)}${index}`).sort(),
      );
      expect(most).toBeLessThanOrEqual(concurrency);
    }),
  );
});

test.each([
  ['the disk is full', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
  ['the database is full', new StorageFull()],
  ['the database does not answer', new DatabaseUnavailable('The database does not answer.')],
])('a job is suspended when %s, and waits also if that cannot be stored', async (_, error) => {
  const suspended: string[] = [];
  const { runner, add, started, failed, errors } = startRunner({
    onRun() {
      if (started.length < 3) throw error;
    },
    onSuspend(id) {
      suspended.push(id);
      if (suspended.length === 2) throw error;
    },
  });
  vi.useFakeTimers();
  add('a');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([started, suspended]).toEqual([
    ['a', 'a', 'a'],
    ['a', 'a'],
  ]);
  expect([failed, errors]).toEqual([[], []]);
  await runner.close();
});

test.each([
  ['the store of files', new ApiError('ServiceUnavailable', 'The store of files does not answer.')],
  ['the database', new DatabaseUnavailable('The database does not answer.')],
])('a job for which %s does not answer does not fail, and runs again without a call', async (_, error) => {
  let failures = 2;
  const { runner, add, started, failed, errors } = startRunner({
    onRun() {
      failures -= 1;
      if (failures >= 0) throw error;
    },
  });
  vi.useFakeTimers();
  add('a');
  await waitFor(() => expect(started).toEqual(['a']));
  add('b');
  await waitFor(() => expect(started).toEqual(['a', 'a', 'b']));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([started, failed, errors]).toEqual([['a', 'a', 'b', 'a'], [], []]);
  await runner.close();
});
