// @vitest-environment jsdom
// Tests retries: pauses, number of attempts, and that an abort ends them without leaving timers.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, NetworkError } from '../../../client/core/errors.ts';
import { pause, retryWithBackoff } from './retry.ts';

let controller: AbortController;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  controller = new AbortController();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const down = () => Promise.reject(new NetworkError('down'));
const outcome = (promise: Promise<unknown>) => {
  const seen: unknown[] = [];
  promise.then(
    (value) => seen.push(['done', value]),
    (error: unknown) => seen.push(['failed', error]),
  );
  return seen;
};

describe('pause', () => {
  test('resolves after its time', async () => {
    const seen = outcome(pause(1_000, controller.signal));
    await vi.advanceTimersByTimeAsync(999);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual([['done', undefined]]);
  });

  test('ends when the browser goes online', async () => {
    const seen = outcome(pause(60_000, controller.signal));
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([['done', undefined]]);
  });

  test('rejects with the reason, at once', async () => {
    const reason = new Error('left');
    const seen = outcome(pause(60_000, controller.signal));
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([['failed', reason]]);
    expect(() => pause(1, controller.signal)).toThrow(reason);
  });

  test('leaves no listener', async () => {
    const spies = [vi.spyOn(window, 'addEventListener'), vi.spyOn(controller.signal, 'addEventListener')];
    const done = pause(10, controller.signal);
    await vi.advanceTimersByTimeAsync(10);
    await done;
    for (const spy of spies) {
      expect(spy).toHaveBeenCalledTimes(1);
      const options = spy.mock.lastCall?.[2];
      expect(typeof options === 'object' && options.signal?.aborted).toBe(true);
    }
  });
});

describe('retryWithBackoff', () => {
  test('returns the result of the task, without waiting', async () => {
    expect(await retryWithBackoff(async () => 5, controller)).toBe(5);
  });

  test('waits 1.8, 2, 4 and 5 seconds, and after a minute longer', async () => {
    const times: number[] = [];
    const connect = Date.now();
    outcome(
      retryWithBackoff(() => {
        times.push((Date.now() - connect) / 1_000);
        return down();
      }, controller),
    );
    await vi.advanceTimersByTimeAsync(100_000);
    expect(times).toEqual([
      0, 1.8, 3.8, 7.8, 12.8, 17.8, 22.8, 27.8, 32.8, 37.8, 42.8, 47.8, 52.8, 62.8, 82.8,
    ]);
    controller.abort();
    await vi.advanceTimersByTimeAsync(0);
  });

  test('uses its attempts, and then fails with the last error', async () => {
    const task = vi.fn(down);
    const onFailure = vi.fn();
    const seen = outcome(retryWithBackoff(task, { signal: controller.signal, attempts: 3, onFailure }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(task).toHaveBeenCalledTimes(3);
    expect(onFailure).toHaveBeenCalledTimes(2);
    expect(seen).toEqual([['failed', expect.any(NetworkError)]]);
  });

  test.each([400, 401, 403, 404, 413])('%d is permanent', async (code) => {
    const task = vi.fn(() => Promise.reject(new ApiError(code, undefined)));
    await expect(retryWithBackoff(task, controller)).rejects.toMatchObject({ code });
    expect(task).toHaveBeenCalledTimes(1);
  });

  test('Retry-After is respected', async () => {
    const task = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new ApiError(429, undefined, 9_000));
    task.mockResolvedValueOnce('ok');
    const seen = outcome(retryWithBackoff(task, controller));
    await vi.advanceTimersByTimeAsync(8_999);
    expect(task).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual([['done', 'ok']]);
  });

  test('an abort during a pause ends it with the reason', async () => {
    const task = vi.fn(down);
    const seen = outcome(retryWithBackoff(task, controller));
    await vi.advanceTimersByTimeAsync(500);
    controller.abort('left');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual([['failed', 'left']]);
    expect(task).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['no answer', new NetworkError('cut')],
    ['a refusal', new ApiError(403, undefined)],
  ])(
    'a task that fails (%s) because of the abort fails with the reason, and is not tried again',
    async (_, error) => {
      const task = vi.fn(() => {
        controller.abort('left');
        return Promise.reject(error);
      });
      await expect(retryWithBackoff(task, controller)).rejects.toBe('left');
      expect(task).toHaveBeenCalledTimes(1);
    },
  );
});
