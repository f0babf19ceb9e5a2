// @vitest-environment jsdom
// Tests the events that wake a connection in a page: the network is back, the page becomes visible.
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

test('a hidden page does not wake it', () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(open).toHaveBeenCalledTimes(1);
});

test('a page in the back/forward cache does not reconnect until it is shown again', async () => {
  dispatchEvent(new Event('pagehide'));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(open).toHaveBeenCalledTimes(1);
  dispatchEvent(restored(true));
  expect(open).toHaveBeenCalledTimes(2);
});

test('a page that enters the back/forward cache closes its connection, which Chromium would keep', async () => {
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

test('after closing, nothing wakes it', () => {
  connection.close();
  dispatchEvent(new Event('online'));
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(restored(true));
  expect(open).toHaveBeenCalledTimes(1);
});
