// @vitest-environment jsdom
// Property tests of the tabs that share a stream: they open, close and crash at any time. Soon afterwards one of them holds
// the stream, and each of its signals reaches every tab once. Repeat a run with `SEED=… npx vitest run session/tabs`.
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { Signal } from '../../../../protocol/signal.ts';
import type { SessionInternals } from '../context.ts';
import { createAnswerStreams } from './answer-streams.ts';
import type { ConversationConnection } from './connection-interface.ts';
import { joinTabs } from './tabs.ts';

const seed = Number(process.env.SEED ?? 1);

/** Milliseconds that a message between tabs takes. */
let messageMs = 3;

/** A channel of one browser under the fake clock: messages arrive after a while, in the order in which they were posted. */
class Channel {
  static all = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | undefined;
  constructor() {
    Channel.all.add(this);
  }
  postMessage(data: unknown) {
    // The page is gone.
    if (!Channel.all.has(this)) return;
    for (const other of Channel.all) {
      if (other === this) continue;
      const copy = structuredClone(data);
      setTimeout(() => Channel.all.has(other) && other.onmessage?.({ data: copy }), messageMs);
    }
  }
  close() {
    Channel.all.delete(this);
  }
}

/** The number of the last signal that the server has sent. */
let sent = 0;

/** A tab in the conversation, with a stream that opens at once. */
function openTab(scope = new AbortController()) {
  const refusal = new AbortController();
  const received: number[] = [];
  const connection: Partial<ConversationConnection> & { isOpen: boolean; resyncs: number } = {
    signal: refusal.signal,
    isOpen: false,
    resyncs: 0,
    position: undefined,
    handleSignal: ({ data }) => void received.push((data as unknown as { n: number }).n),
    resync() {
      connection.resyncs++;
    },
    suspend() {
      connection.isOpen = false;
    },
    resume() {
      connection.isOpen = true;
      connection.position = String(sent);
    },
    wake() {},
    reached() {},
  };
  const internals = {
    widget: { storageKey: 'key' },
    store: { state: { connection: 'online' }, observe: () => () => {}, setConnection() {} },
    incoming: { streams: createAnswerStreams(), reconnect() {} },
  } as unknown as SessionInternals;
  const tabs = joinTabs(internals, 'conv_1', scope.signal);
  void tabs?.asked.then(() => scope.signal.aborted || tabs.attach(connection as ConversationConnection));
  const channel = [...Channel.all].at(-1);
  return {
    connection,
    received,
    scope,
    /** It says that it leaves. */
    close: () => scope.abort(),
    /** The server refuses the conversation; the scope goes on. */
    refuse() {
      connection.isOpen = false;
      refusal.abort();
    },
    /** It says nothing any more. */
    crash() {
      channel?.close();
      connection.isOpen = false;
      // Its timers still run, but other tabs do not receive its messages.
      connection.resume = () => {};
    },
  };
}
type Tab = ReturnType<typeof openTab>;

/** The server sends a signal to all open streams. */
function send(tabs: readonly Tab[]) {
  sent++;
  const signal = { type: 'event_created', data: { n: sent } } as unknown as Signal;
  for (const { connection } of tabs) {
    if (!connection.isOpen) continue;
    connection.position = String(sent);
    connection.onSignal?.(signal, String(sent));
    connection.handleSignal?.(signal);
  }
}

const step = fc.oneof(
  fc.record({ type: fc.constant('open' as const) }),
  fc.record({ type: fc.constant('close' as const), index: fc.nat(9) }),
  fc.record({ type: fc.constant('wait' as const), ms: fc.oneof(fc.nat(300), fc.nat(12_000)) }),
);
type Step = { type: 'open' } | { type: 'close' | 'crash'; index: number } | { type: 'wait'; ms: number };

async function run(steps: readonly Step[], settleMs: number): Promise<void> {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  Channel.all.clear();
  sent = 0;
  const tabs = [openTab()];
  const crashed: Tab[] = [];
  try {
    for (const step of steps) {
      if (step.type === 'open') tabs.push(openTab());
      else if (step.type === 'wait') await vi.advanceTimersByTimeAsync(step.ms);
      else if (tabs.length > 1) {
        const [gone] = tabs.splice(step.index % tabs.length, 1);
        if (step.type === 'close') gone?.close();
        else if (gone) {
          gone.crash();
          crashed.push(gone);
        }
      }
    }
    await vi.advanceTimersByTimeAsync(settleMs);
    expect(tabs.filter(({ connection }) => connection.isOpen)).toHaveLength(1);
    for (const { received } of tabs) received.length = 0;
    for (let n = 0; n < 3; n++) {
      send(tabs);
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(tabs.map(({ received }) => received)).toEqual(tabs.map(() => [1, 2, 3]));
  } finally {
    for (const tab of [...tabs, ...crashed]) tab.close();
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('two seconds after tabs have opened and closed, one of them holds the stream and its signals reach every tab once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), (steps) => run(steps, 2_000)),
    { seed, numRuns: 200 },
  );
});

test('twenty seconds after tabs have also crashed, one of them holds the stream and its signals reach every tab once', async () => {
  const crash = fc.record({ type: fc.constant('crash' as const), index: fc.nat(9) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(step, crash), { maxLength: 12 }), (steps) => run(steps, 20_000)),
    { seed, numRuns: 200 },
  );
});

test('a leader whose answer comes too late for a new tab remains the leader', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  messageMs = 150;
  try {
    for (let round = 0; round < 20; round++) {
      const first = openTab();
      await vi.advanceTimersByTimeAsync(500);
      const second = openTab();
      await vi.advanceTimersByTimeAsync(140);
      expect([first.connection.isOpen, second.connection.isOpen]).toEqual([true, true]);
      await vi.advanceTimersByTimeAsync(2_000);
      expect([first.connection.isOpen, second.connection.isOpen]).toEqual([true, false]);
      for (const tab of [first, second]) tab.close();
      await vi.advanceTimersByTimeAsync(500);
    }
  } finally {
    messageMs = 3;
  }
});

test('a connection that the server has refused does not lead the next one of the same page', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  const refused = openTab();
  await vi.advanceTimersByTimeAsync(500);
  refused.refuse();
  // With another key, in the same scope.
  const next = openTab(refused.scope);
  const other = openTab();
  await vi.advanceTimersByTimeAsync(30_000);
  expect([refused, next, other].filter(({ connection }) => connection.isOpen)).toHaveLength(1);
  expect(refused.connection.isOpen).toBe(false);
  for (const tab of [next, other]) tab.close();
  expect(Channel.all.size).toBe(0);
});

test('a tab that was frozen lists the messages, also of a server that does not number its signals', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  const leader = openTab();
  await vi.advanceTimersByTimeAsync(500);
  // The tabs of this test share a document: only the second one receives these events.
  const listeners = new Map<string, () => void>();
  const listen = vi
    .spyOn(document, 'addEventListener')
    .mockImplementation((type, listener) => void listeners.set(type, listener as () => void));
  const follower = openTab();
  listen.mockRestore();
  await vi.advanceTimersByTimeAsync(500);
  const areOpen = () => [leader, follower].map(({ connection }) => connection.isOpen);
  expect(areOpen()).toEqual([true, false]);
  for (const tab of [leader, follower]) tab.connection.position = undefined;
  const before = follower.connection.resyncs;
  listeners.get('freeze')?.();
  listeners.get('resume')?.();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(areOpen()).toEqual([true, false]);
  expect(follower.connection.resyncs).toBe(before + 1);
  for (const tab of [leader, follower]) tab.close();
});

test('in a browser that refuses the channel the tab leads alone, also after it was frozen', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', function refuse() {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  const tab = openTab();
  await vi.advanceTimersByTimeAsync(500);
  expect(tab.connection.isOpen).toBe(true);
  document.dispatchEvent(new Event('freeze'));
  expect(tab.connection.isOpen).toBe(false);
  document.dispatchEvent(new Event('resume'));
  await vi.advanceTimersByTimeAsync(500);
  expect(tab.connection.isOpen).toBe(true);
  tab.close();
});
