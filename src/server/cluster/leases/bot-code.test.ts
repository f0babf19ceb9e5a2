// Tests of the warning that processes run different code of bots.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../startup/log.ts';
import type { LiveProcess } from '../../storage/cluster/processes.ts';
import { createBotCodeCheck } from './bot-code.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;
const alive = (id: string, botCode: string | null): LiveProcess => ({
  id,
  version: '1.0.0',
  botCode,
  age: 0,
});

/** The checks of two processes, and what each has logged. */
function open() {
  const logs: Record<string, string[]> = { a: [], b: [] };
  const checks = Object.entries(logs).map(([id, log]) =>
    createBotCodeCheck(id, createLogger('info', { write: (line: string) => log.push(line) })),
  );
  const see = (...live: LiveProcess[]) => {
    for (const check of checks) check.check(live);
  };
  return { logs, checks, see };
}

test('processes with different code of bots are reported once, by one of them, after a rolling restart had time', () => {
  const { logs, checks, see } = open();
  for (let n = 0; n < 5 * 12; n += 1) {
    see(alive('a', 'new'), alive('b', 'old'));
    vi.advanceTimersByTime(minute / 12);
  }
  expect(logs).toEqual({ a: [], b: [] });
  expect(checks.map(({ versions }) => versions)).toEqual([2, 2]);
  for (let n = 0; n < 20; n += 1) {
    see(alive('a', 'new'), alive('b', 'old'));
    vi.advanceTimersByTime(minute);
  }
  expect(logs.b).toEqual([]);
  expect(logs.a).toHaveLength(1);
  expect(JSON.parse(logs.a?.[0] ?? '')).toMatchObject({
    msg: 'the processes run different code of bots: update those with the older one',
    processes: [
      { id: 'a', botCode: 'new' },
      { id: 'b', botCode: 'old' },
    ],
  });
});

test('a rolling restart, equal code and processes that do not tell are not reported', () => {
  const { logs, checks, see } = open();
  for (let n = 0; n < 20; n += 1) {
    see(alive('a', 'old'), alive('b', 'old'), alive('c', null));
    vi.advanceTimersByTime(minute);
    see(alive('a', n % 2 ? 'new' : 'old'), alive('b', 'old'));
    vi.advanceTimersByTime(minute);
  }
  see();
  expect(logs).toEqual({ a: [], b: [] });
  expect(checks[0]?.versions).toBe(1);
});

test('a difference that begins again is reported again', () => {
  const { logs, see } = open();
  for (const codes of [
    ['new', 'old'],
    ['new', 'new'],
    ['newer', 'new'],
  ] as const) {
    for (let n = 0; n < 10; n += 1) {
      see(alive('a', codes[0]), alive('b', codes[1]));
      vi.advanceTimersByTime(minute);
    }
  }
  expect(logs.a).toHaveLength(2);
});
