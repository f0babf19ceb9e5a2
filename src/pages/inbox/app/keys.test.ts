// @vitest-environment jsdom
// Tests the keys of the page: when a key is held, only those that move repeat; none acts on a conversation that is not shown.
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Inbox } from './inbox.ts';
import { listenToKeys } from './keys.ts';
import type { Route } from './state/route.ts';
import { rowOf, shownListOf } from './state/testing.ts';

let end = () => {};
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  // jsdom has none.
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  document.body.innerHTML = `<div class="list">${['a', 'b', 'c']
    .map((id) => `<a class="row" data-id="${id}" href="#${id}">${id}</a>`)
    .join('')}</div>`;
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

const start = () => {
  const route = signal<Route>({ list: 'mine', conversationId: 'a', isVisitorShown: false });
  const close = vi.fn(async () => true);
  const openDialog = vi.fn();
  const go = vi.fn();
  const inbox = {
    me: { memberId: 'ada', permissions: ['inbox.read', 'inbox.write'] },
    router: { isShown: signal(true), route, go },
    store: { rows: signal(new Map(['a', 'b', 'c'].map((id) => [id, rowOf(id)]))) },
    actions: { close, returnToBot: close, release: close, take: close },
    announcer: { announce: vi.fn(), announceNow: vi.fn() },
    preferences: { current: signal({ singleKeys: true }) },
    openDialog,
    shownList: shownListOf(['a', 'b', 'c']),
  } as unknown as Inbox;
  end = listenToKeys(inbox);
  return { close, go, openDialog, route };
};

/** Returns whether the page has taken the key. */
const press = (key: string, init: KeyboardEventInit = {}): boolean =>
  !(document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }),
  );

test('a held key of a command runs it once: the next conversation is not closed, too', () => {
  const { close } = start();
  expect(press('e')).toBe(true);
  document.querySelector<HTMLElement>('[data-id="b"]')?.focus();
  press('e', { repeat: true });
  expect(close).toHaveBeenCalledTimes(1);
});

test.each(['?', 'a', 'l'])('a held key (%s) opens no dialog', (key) => {
  const { openDialog } = start();
  expect(press(key, { repeat: true })).toBe(false);
  expect(openDialog).not.toHaveBeenCalled();
});

test('j and k repeat while they are held', () => {
  start();
  const focused = () => (document.activeElement as HTMLElement).dataset.id;
  press('j');
  press('j', { repeat: true });
  press('j', { repeat: true });
  expect(focused()).toBe('c');
  press('k', { repeat: true });
  expect(focused()).toBe('b');
});

test('a first key that is held waits for the second one of a list', () => {
  const { close, go } = start();
  press('g');
  press('g', { repeat: true });
  press('c');
  expect(go).toHaveBeenLastCalledWith({ list: 'closed', conversationId: undefined, isVisitorShown: false });
  press('c', { repeat: true });
  expect([go.mock.calls.length, close.mock.calls.length]).toEqual([1, 0]);
});

test.each([
  ['the settings', { settings: 'teams' }],
  ['the reports', { report: '30d' }],
] satisfies [string, Partial<Route>][])(
  'in front of a conversation, %s take its keys: only those of lists and "?" do something',
  (_, part) => {
    const { close, go, openDialog, route } = start();
    route.value = { ...route.value, ...part };
    for (const key of ['e', 'b', 'u', 't', 'r', 'n', 'a', 'z', 'l', 'j', 'k', '/'])
      expect([key, press(key)]).toEqual([key, false]);
    expect([close.mock.calls, go.mock.calls, openDialog.mock.calls]).toEqual([[], [], []]);
    press('?');
    expect(openDialog).toHaveBeenCalledExactlyOnceWith('keys');
    press('g');
    press('c');
    expect(go).toHaveBeenCalledExactlyOnceWith({
      list: 'closed',
      conversationId: undefined,
      isVisitorShown: false,
    });
  },
);
