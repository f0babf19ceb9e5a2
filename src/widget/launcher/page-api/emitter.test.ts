// Tests the events of the page: which handlers are called, how often, in which order, and that errors are isolated.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEmitter, type Emitter } from './emitter.ts';

let emitter: Emitter;
let calls: unknown[];
const note = (name: string) => (data: unknown) => void calls.push([name, data]);
const microtask = () => Promise.resolve();
beforeEach(() => {
  emitter = createEmitter();
  calls = [];
});
afterEach(() => void vi.restoreAllMocks());

test('handlers are called in order, those of * afterwards with the type', () => {
  emitter.on('*', note('all'));
  emitter.on('conversation', note('a'));
  emitter.on('conversation', note('b'));
  emitter.on('customEvent', note('other'));
  emitter.emit('conversation', 'c1');
  expect(calls).toEqual([
    ['a', 'c1'],
    ['b', 'c1'],
    ['all', { type: 'conversation', payload: 'c1' }],
  ]);
});

test('a handler that throws is reported and does not stop others', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const fault = new Error('theirs');
  emitter.on('conversation', () => {
    throw fault;
  });
  emitter.on('conversation', note('next'));
  emitter.on('*', note('all'));
  emitter.emit('conversation', 'c');
  expect(calls.length).toBe(2);
  expect(error).toHaveBeenCalledExactlyOnceWith(fault);
});

describe('unsubscribing', () => {
  test('one of two handlers leaves the other one', () => {
    const off = emitter.on('conversation', note('a'));
    emitter.on('conversation', note('b'));
    off();
    off();
    emitter.emit('conversation', 'c');
    expect(calls).toEqual([['b', 'c']]);
  });

  test('the same function twice is two subscriptions, which end separately', () => {
    const same = note('a');
    const off = emitter.on('conversation', same);
    emitter.on('conversation', same);
    emitter.emit('conversation', '1');
    off();
    off();
    emitter.emit('conversation', '2');
    expect(calls).toEqual([
      ['a', '1'],
      ['a', '1'],
      ['a', '2'],
    ]);
  });

  test('a handler that unsubscribes itself does not skip the next one', () => {
    const off = emitter.on('conversation', () => off());
    emitter.on('conversation', note('b'));
    emitter.on('conversation', note('c'));
    emitter.emit('conversation', '1');
    emitter.emit('conversation', '2');
    expect(calls.map((call) => (call as [string, unknown])[0])).toEqual(['b', 'c', 'b', 'c']);
  });

  test('a handler that is added during an event waits for the next event', () => {
    const once = emitter.on('conversation', () => {
      once();
      emitter.on('conversation', note('late'));
    });
    emitter.emit('conversation', '1');
    expect(calls).toEqual([]);
    emitter.emit('conversation', '2');
    expect(calls).toEqual([['late', '2']]);
  });
});

describe('lifecycle events', () => {
  test.each(['webchat:initialized', 'webchat:ready'] as const)(
    '%s: a late handler is called once, and not synchronously',
    async (type) => {
      emitter.emit(type, undefined);
      emitter.on(type, note('late'));
      emitter.on('*', note('all'));
      expect(calls).toEqual([]);
      await microtask();
      expect(calls).toEqual([
        ['late', undefined],
        ['all', { type, payload: undefined }],
      ]);
      await microtask();
      expect(calls.length).toBe(2);
    },
  );

  test('a late handler of * receives the past lifecycle events in order', async () => {
    emitter.emit('webchat:initialized', undefined);
    emitter.emit('webchat:opened', undefined);
    emitter.emit('webchat:ready', undefined);
    emitter.on('*', ({ type }: { type: string }) => void calls.push(type));
    await microtask();
    expect(calls).toEqual(['webchat:initialized', 'webchat:ready']);
  });

  test.each(['webchat:opened', '*'])(
    'a late handler of %s receives the lifecycle events before one that follows synchronously',
    async (type) => {
      const order: string[] = [];
      emitter.emit('webchat:initialized', undefined);
      emitter.on('*', (event: { type: string }) => void order.push(event.type));
      emitter.on(type, () => {});
      emitter.emit('webchat:opened', undefined);
      await microtask();
      expect(order).toEqual(['webchat:initialized', 'webchat:opened']);
    },
  );

  test('late handlers of other types receive the lifecycle events before one that follows synchronously', () => {
    emitter.emit('webchat:initialized', undefined);
    emitter.on('webchat:opened', note('opened'));
    emitter.on('webchat:initialized', note('initialized'));
    emitter.on('*', ({ type }: { type: string }) => void calls.push(type));
    emitter.emit('webchat:opened', undefined);
    expect(calls).toEqual([
      ['initialized', undefined],
      'webchat:initialized',
      ['opened', undefined],
      'webchat:opened',
    ]);
  });

  test('an early handler is called once', async () => {
    emitter.on('webchat:ready', note('early'));
    emitter.emit('webchat:ready', undefined);
    await microtask();
    expect(calls).toEqual([['early', undefined]]);
  });

  test('a handler that unsubscribed before the microtask is not called', async () => {
    emitter.emit('webchat:ready', undefined);
    emitter.on('webchat:ready', note('gone'))();
    await microtask();
    expect(calls).toEqual([]);
  });

  test('a late handler that throws is reported and does not stop others', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    emitter.emit('webchat:ready', undefined);
    emitter.on('webchat:ready', () => {
      throw new Error('theirs');
    });
    emitter.on('webchat:ready', note('next'));
    await microtask();
    expect([calls.length, error.mock.calls.length]).toEqual([1, 1]);
  });

  test('other events are not repeated', async () => {
    emitter.emit('conversation', 'c');
    emitter.emit('webchat:opened', undefined);
    for (const type of ['conversation', 'webchat:opened', '*']) emitter.on(type, note(type));
    await microtask();
    expect(calls).toEqual([]);
  });

  test('reset clears the emitted events, and keeps handlers', async () => {
    emitter.on('webchat:ready', note('kept'));
    emitter.emit('webchat:ready', undefined);
    emitter.reset();
    emitter.on('webchat:ready', note('new'));
    await microtask();
    expect(calls.length).toBe(1);
    emitter.emit('webchat:ready', undefined);
    expect(calls.length).toBe(3);
  });
});

test('a * handler that subscribes during a lifecycle event receives it once', async () => {
  emitter.on('webchat:ready', () => {
    emitter.on('*', note('all'));
  });
  emitter.emit('webchat:ready', undefined);
  await microtask();
  expect(calls).toEqual([['all', { type: 'webchat:ready', payload: undefined }]]);
});

test('a handler that another handler has just unsubscribed is not called', () => {
  emitter.on('conversation', () => off());
  const off = emitter.on('conversation', note('ended'));
  emitter.emit('conversation', 'c');
  expect(calls).toEqual([]);
});
