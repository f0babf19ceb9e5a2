// Tests of actions that run at every process.
import { expect, test } from 'vitest';
import { createSoleProcess } from '../../jobs/processes.ts';
import { createLogger } from '../../startup/log.ts';
import type { Database } from '../../storage/database.ts';
import { createBroadcasts } from './broadcasts.ts';
import { createMemoryRelayHub } from './memory-relay.testing.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function processes(count: number) {
  const hub = createMemoryRelayHub();
  const log: string[] = [];
  const logger = createLogger('info', { write: (line: string) => log.push(line) });
  const seen: string[] = [];
  const all = Array.from({ length: count }, (_, n) => {
    const broadcasts = createBroadcasts(hub.connect(), logger);
    return {
      broadcasts,
      close: broadcasts.everywhere('close', (id: string, times: number) => seen.push(`${n} ${id} ${times}`)),
    };
  });
  return { hub, log, seen, all };
}

test('a broadcast runs here at once, and at every other process once', async () => {
  const { all, seen } = processes(3);
  all[1]?.close('user_1', 2);
  expect(seen).toEqual(['1 user_1 2']);
  await settled();
  expect(seen).toEqual(['1 user_1 2', '0 user_1 2', '2 user_1 2']);
});

test('a broadcast that is lost runs here only', async () => {
  const { hub, all, seen } = processes(2);
  hub.fate = () => 'lost';
  all[0]?.close('user_1', 1);
  await settled();
  expect(seen).toEqual(['0 user_1 1']);
});

test('an action that another process does not know has no effect there', async () => {
  const { all, log, seen } = processes(2);
  const renamed = all[0]?.broadcasts.everywhere('newer', (id: string) => seen.push(`newer ${id}`));
  renamed?.('a');
  await settled();
  expect(seen).toEqual(['newer a']);
  expect(log).toEqual([]);
});

test('an action that throws, and a message that cannot be parsed, are logged and stop nothing', async () => {
  const { hub, all, log, seen } = processes(2);
  const relay = hub.connect();
  all[1]?.broadcasts.everywhere('failing', () => {
    throw new Error('no');
  });
  relay.publish('broadcasts', '{');
  relay.publish('broadcasts', '{"name":"failing","args":[]}');
  relay.publish('broadcasts', '{"name":"close","args":["x",1]}');
  await settled();
  expect(seen).toEqual(['0 x 1', '1 x 1']);
  // The text that cannot be parsed at both, the action that throws at one.
  expect(log).toHaveLength(3);
});

test('the log says that messages may have been lost, until the listening ends', () => {
  const { hub, all, log } = processes(2);
  hub.gap();
  expect(log).toHaveLength(2);
  expect(log[0]).toContain('messages between processes were interrupted');
  all[0]?.broadcasts.close();
  hub.gap();
  expect(log).toHaveLength(3);
});

test('a name is used once', () => {
  const { all } = processes(1);
  expect(() => all[0]?.broadcasts.everywhere('close', () => {})).toThrow('The broadcast close exists.');
});

test('a server that is one process runs its actions itself', () => {
  const seen: string[] = [];
  const { broadcasts } = createSoleProcess({} as Database, createLogger('silent', { write() {} }));
  broadcasts.everywhere('one', (id: string) => seen.push(id))('a');
  expect(seen).toEqual(['a']);
});
