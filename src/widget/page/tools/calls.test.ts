// @vitest-environment jsdom
// Tests when a tool of the page begins: not after its visitor has logged out, not after its call is over, and not while another
// tab has the call.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../../polling.testing.ts';
import type { InterruptPart } from '../../../protocol/parts.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { createCalls } from './calls.ts';
import type { Offers } from './offer.ts';
import type { KnownTool } from './read-tool.ts';
import { openTab, type Tab } from './tab.ts';

const part = { type: 'interrupt', reason: 'client_tool', id: 'i1', toolName: 'a', input: {}, state: 'open' };
let controller: AbortController;
let scope: AbortController;
let execute: ReturnType<typeof vi.fn>;
let requests: [name: string, input: Record<string, unknown>][];
let locks: Map<string, Promise<unknown>>;
beforeEach(() => {
  controller = new AbortController();
  scope = new AbortController();
  execute = vi.fn(() => 1);
  requests = [];
  locks = new Map();
  sessionStorage.clear();
  vi.stubGlobal('navigator', {
    locks: {
      async request(name: string, { signal }: { signal: AbortSignal }, use: () => Promise<unknown>) {
        while (locks.has(name)) {
          const aborted = new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          );
          await Promise.race([locks.get(name)?.catch(() => {}), aborted]);
        }
        const used = use();
        locks.set(name, used);
        return used.finally(() => locks.delete(name));
      },
    },
  });
});
afterEach(() => {
  controller.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The calls of a page with the tool `a`, or with nothing. `onFind` runs while the tools are read. */
function createFixture(tab: Tab, onFind: (nth: number) => unknown = () => {}, isEmpty = false) {
  const rows = [{ id: 'm1', status: 'sent', parts: [{ ...part } as unknown as InterruptPart] }];
  let nth = 0;
  const sent = { name: 'a', description: 'A.', annotations: { readOnlyHint: true } };
  const offers: Offers = {
    async tools() {
      nth += 1;
      await onFind(nth);
      return new Map([['a', { sent, execute } as unknown as KnownTool]]);
    },
    isEmpty: () => isEmpty,
    collect: async () => undefined,
  };
  const operation =
    (name: string) => async (input: Record<string, unknown>, options: { signal: AbortSignal }) => {
      options.signal.throwIfAborted();
      requests.push([name, input]);
    };
  const report = vi.fn();
  const internals = {
    widget: { signal: controller.signal },
    store: { state: { rows }, observe: () => () => {} },
    client: {
      with: () => ({ claimInterrupt: operation('claim'), respondToInterrupt: operation('respond') }),
    },
    getSignal: () => scope.signal,
    report,
  } as unknown as SessionInternals;
  const calls = createCalls(internals, offers, tab);
  return { calls, rows, report, state: () => calls.stateOf({ id: 'i1' } as InterruptPart) };
}

const tabOf = () => openTab('chat', () => true);
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a tool that only reads runs once, and its result is sent', async () => {
  const { calls } = createFixture(tabOf());
  calls.scan();
  calls.scan();
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(execute).toHaveBeenCalledOnce();
  expect(requests.map(([name]) => name)).toEqual(['claim', 'respond']);
  expect(requests[1]?.[1]).toMatchObject({ status: 'resolved', payload: { result: 1 } });
});

test('a tool does not begin when the visitor logs out while it is searched', async () => {
  const tab = tabOf();
  const { calls, report } = createFixture(tab, (nth) => {
    if (nth === 2) scope.abort();
  });
  calls.scan();
  await waitFor(() => expect(requests).toHaveLength(1));
  await settle();
  expect(execute).not.toHaveBeenCalled();
  expect(requests.map(([name]) => name)).toEqual(['claim']);
  expect(report).not.toHaveBeenCalled();
});

test('a tool does not begin when its call is over while it is searched', async () => {
  const { calls, rows } = createFixture(tabOf(), (nth) => {
    if (nth !== 2) return;
    rows[0]?.parts.splice(0, 1, { ...part, state: 'superseded' } as unknown as InterruptPart);
    calls.scan();
  });
  calls.scan();
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(execute).not.toHaveBeenCalled();
});

test('a duplicate of the tab does nothing about a call whose tool runs in the first one, and settles it after that tab', async () => {
  let finish = (_: unknown) => {};
  execute = vi.fn(() => new Promise((resolve) => (finish = resolve)));
  const first = createFixture(tabOf());
  first.calls.scan();
  await waitFor(() => expect(execute).toHaveBeenCalledOnce());
  vi.useFakeTimers();
  // It has a copy of what the first one has stored.
  const copy = createFixture(tabOf());
  copy.calls.scan();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requests.map(([name]) => name)).toEqual(['claim']);
  expect(copy.state()).toBe('stepWaiting');
  vi.useRealTimers();
  finish(1);
  await waitFor(() => expect(requests).toHaveLength(4));
  expect(requests[1]?.[1]).toMatchObject({ status: 'resolved', payload: { result: 1 } });
  // The first one could have been closed without a result. A server that has one refuses these.
  expect(requests[3]?.[1]).toMatchObject({ status: 'cancelled' });
});

test('a duplicate that is closed while it waits does nothing', async () => {
  execute = vi.fn(() => new Promise(() => {}));
  createFixture(tabOf()).calls.scan();
  await waitFor(() => expect(execute).toHaveBeenCalledOnce());
  const copy = createFixture(tabOf());
  copy.calls.scan();
  await settle();
  scope.abort();
  await waitFor(() => expect(locks.size).toBe(0));
  await settle();
  expect(requests.map(([name]) => name)).toEqual(['claim']);
});

test('on a page that offers nothing, only what an earlier page has begun is settled', async () => {
  const tab = tabOf();
  const { calls, state } = createFixture(tab, undefined, true);
  calls.scan();
  await settle();
  expect([requests, state()]).toEqual([[], 'stepWaiting']);
  tab.note('i1', { claim: 'c1', answer: { result: 2 } });
  calls.scan();
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(execute).not.toHaveBeenCalled();
});

test('a page that is left gives the lock back, also if the browser keeps the page', async () => {
  execute = vi.fn(() => new Promise(() => {}));
  const { calls } = createFixture(tabOf());
  calls.scan();
  await waitFor(() => expect(execute).toHaveBeenCalledOnce());
  expect(locks.size).toBe(1);
  dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(locks.size).toBe(0));
  createFixture(tabOf()).calls.scan();
  await waitFor(() => expect(requests).toHaveLength(3));
  expect(requests[2]).toEqual(['respond', { ...requests[0]?.[1], status: 'cancelled' }]);
});

test.each([
  ['a page that is left gives its lock back late', 'held'],
  ['there are no locks', 'none'],
])('the next page of the tab settles the call, if %s', async (_, kind) => {
  const tab = tabOf();
  tab.note('i1', { claim: 'c1', answer: { result: 2 } });
  if (kind === 'none') vi.stubGlobal('navigator', {});
  else {
    const held = navigator.locks.request('platform-webchat tool c1', { ifAvailable: true }, () => settle());
    held.catch(() => {});
  }
  const { calls } = createFixture(tabOf());
  calls.scan();
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(execute).not.toHaveBeenCalled();
  expect(requests).toEqual([
    ['claim', { id: 'i1', claim: 'c1' }],
    ['respond', { id: 'i1', claim: 'c1', status: 'resolved', payload: { result: 2 } }],
  ]);
});
