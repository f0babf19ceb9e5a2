// @vitest-environment jsdom
// Tests what wakes a connection in a page: the network that comes back, the page that is looked at again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NetworkError } from '../core/errors.ts';
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

test('a page that is left tries no more, until it is back', async () => {
  dispatchEvent(new Event('pagehide'));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(open).toHaveBeenCalledTimes(1);
  dispatchEvent(restored(true));
  expect(open).toHaveBeenCalledTimes(2);
});

test('a page that is left hangs up: Chromium would keep its connection', async () => {
  connection.close();
  const cancel = vi.fn();
  const headers = { 'content-type': 'text/event-stream' };
  const answer = async () => new Response(new ReadableStream({ cancel }), { headers });
  connection = connect({ open: answer, onData() {} });
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.state).toBe('open');
  expect(cancel).not.toHaveBeenCalled();
  dispatchEvent(new Event('pagehide'));
  expect(cancel).toHaveBeenCalledTimes(1);
});

test('once closed, nothing wakes it', () => {
  connection.close();
  dispatchEvent(new Event('online'));
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(restored(true));
  expect(open).toHaveBeenCalledTimes(1);
});
