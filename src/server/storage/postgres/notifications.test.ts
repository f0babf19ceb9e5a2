// Tests the connection for notifications: what it keeps while it is open for days.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passAll, startTcpProxy, type TcpProxy } from '../../../../e2e/support/faults/tcp-proxy.ts';
import { pollOptions } from '../../testing.ts';
import { usePostgres } from './databases.testing.ts';
import { openNotifications } from './notifications.ts';

const postgres = usePostgres();
let proxy: TcpProxy;
const warnings: Error[] = [];
const note = (warning: Error) => void warnings.push(warning);
beforeEach(async () => {
  proxy = await startTcpProxy(await postgres.url());
  process.on('warning', note);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  process.off('warning', note);
  await proxy.close();
});

test('tests of the connection leave nothing behind', async () => {
  let tests = 0;
  proxy.filter = (sent) => {
    if (sent.includes('pg_notify')) tests += 1;
    return passAll(sent);
  };
  let isHeard = (): void => {};
  const notifications = await openNotifications(proxy.url, {
    onText: () => isHeard(),
    onReconnected() {},
    setting: 'DATABASE_URL',
  });
  // Node warns of the eleventh listener of an event.
  for (let n = 2; n <= 15; n += 1) {
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => tests, pollOptions).toBe(n);
    const heard = new Promise<void>((resolve) => {
      isHeard = resolve;
    });
    // Notifications arrive in order, so the test before has arrived.
    await Promise.all([heard, notifications.send(['a text'])]);
    tests -= 1;
  }
  expect(warnings.map(String)).toEqual([]);
  await notifications.close();
});
