// @vitest-environment jsdom
// Tests what wakes a connection in a page: the network that comes back, the page that is looked at again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NetworkError } from './errors.ts';
import { type Connection, connect } from './stream.ts';

const open = vi.fn(async () => Promise.reject(new NetworkError('down')));
let connection: Connection;
beforeEach(async () => {
  vi.useFakeTimers();
  open.mockClear();
  connection = connect({ open, onData() {} });
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const restored = (persisted: boolean) => Object.assign(new Event('pageshow'), { persisted });

test.each([
  ['online', () => dispatchEvent(new Event('online')), 2],
  ['visible', () => document.dispatchEvent(new Event('visibilitychange')), 2],
  ['back from the cache', () => dispatchEvent(restored(true)), 2],
  ['shown the first time', () => dispatchEvent(restored(false)), 1],
] as const)('%s', (_, happen, attempts) => {
  happen();
  expect(open).toHaveBeenCalledTimes(attempts);
});

test('a page that is hidden does not wake it', () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(open).toHaveBeenCalledTimes(1);
});

test('once closed, nothing wakes it', () => {
  connection.close();
  dispatchEvent(new Event('online'));
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(restored(true));
  expect(open).toHaveBeenCalledTimes(1);
});
