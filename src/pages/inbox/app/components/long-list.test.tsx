// @vitest-environment jsdom
// Tests the keys in a list of which only a part is in the document.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../../../polling.testing.ts';
import { useRoot } from '../drawing.testing.ts';
import type { Inbox } from '../inbox.ts';
import { listenToKeys } from '../keys.ts';
import type { Route } from '../state/route.ts';
import { createStore } from '../state/store.ts';
import { at, rowOf } from '../state/testing.ts';
import { ConversationList } from './ConversationList.tsx';

const me = { memberId: 'ada', permissions: ['inbox.read', 'inbox.write'] };
const view = { list: 'all', filter: {} } as const;
/** The height of a row, of 16 pixels for 1 rem. */
const rowHeight = 76;

const root = useRoot();
let end = () => {};
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  // jsdom has none.
  vi.stubGlobal('CSS', { escape: (text: string) => text });
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

const link = (index: number) => document.querySelector<HTMLElement>(`.row[data-id="c${index}"]`);
const focused = () => (document.activeElement as HTMLElement).dataset.id;

/** A list of 400 conversations is scrolled to the last ones while the row of `c200`, which is open, has the focus. */
async function start() {
  const store = createStore(me);
  const rows = Array.from({ length: 400 }, (_, index) => rowOf(`c${index}`, { sortAt: at(-index) }));
  store.receivePage(view, rows, undefined);
  const route = signal<Route>({ list: 'all', conversationId: 'c200', isVisitorShown: false });
  const inbox = {
    ...{ me, store, sync: { loadMore: vi.fn(), openList: vi.fn() } },
    router: { isShown: signal(true), route, go: (to: Route) => (route.value = to) },
    actions: { close: async () => true },
    announcer: { announce: vi.fn() },
    preferences: { current: signal({ singleKeys: true }) },
    team: { nameOf: () => undefined, teams: signal([]) },
    shownList: {},
  } as unknown as Inbox;
  await act(() => render(<ConversationList inbox={inbox} view={view} />, root()));
  await act(() => link(200)?.focus());
  const viewport = document.querySelector('.rows') as HTMLElement;
  await act(() => {
    viewport.scrollTop = 350 * rowHeight;
    viewport.dispatchEvent(new Event('scroll'));
  });
  expect([focused(), link(201)]).toEqual(['c200', null]);
  end = listenToKeys(inbox);
  return {
    async press(key: string) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      await act(() => void (document.activeElement ?? document.body).dispatchEvent(event));
      await waitFor(() => expect(focused()).not.toBe('c200'));
    },
  };
}

test.each([
  ['j', 'c201'],
  ['k', 'c199'],
])('%s goes to the neighbour in the list, also if it is not in the document', async (key, neighbour) => {
  const { press } = await start();
  await press(key);
  expect(focused()).toBe(neighbour);
});

test('after closing, the focus goes to the next conversation of the list, also if it is not in the document', async () => {
  const { press } = await start();
  await press('e');
  await waitFor(() => expect(focused()).toBe('c201'));
});
