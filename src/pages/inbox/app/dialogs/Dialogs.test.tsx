// @vitest-environment jsdom
// Tests when the open dialog of a conversation stays and when it closes.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Inbox } from '../inbox.ts';
import { createStore } from '../state/store.ts';
import { rowOf } from '../state/testing.ts';
import { Dialogs } from './Dialogs.tsx';

/** Draws the dialog of the canned answers for conversation `a`. */
async function openAnswers() {
  const { prototype } = HTMLDialogElement;
  Object.assign(prototype, { showModal: vi.fn(), close: vi.fn() });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const root = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => {
    render(null, root);
    root.remove();
    vi.unstubAllGlobals();
  });
  const store = createStore({ memberId: 'ada' });
  store.receiveRows([rowOf('a'), rowOf('b')]);
  const route = signal({ conversationId: 'a' });
  const inbox = {
    store,
    dialog: signal('answers'),
    router: { isShown: signal(true), route },
    answers: { load: async () => {}, all: signal([{ id: '1', name: 'shipping', text: 'Two days.' }]) },
    me: { displayName: 'Ada' },
  } as unknown as Inbox;
  await act(() => render(<Dialogs inbox={inbox} />, root));
  return { store, route, dialog: () => root.querySelector('dialog') };
}

test('an open dialog stays, with its focus, while all rows are read again', async () => {
  const { store, dialog } = await openAnswers();
  const before = dialog();
  before?.querySelector<HTMLElement>('.choices button')?.focus();
  await act(() => store.reset('a'));
  expect(store.rows.value.size).toBe(0);
  expect(dialog()).toBe(before);
  await act(() => store.receiveRows([rowOf('a', { revision: 5 })]));
  expect(dialog()).toBe(before);
  expect(document.activeElement?.textContent).toContain('shipping');
});

test('an open dialog closes with its conversation', async () => {
  const deleted = await openAnswers();
  await act(() => deleted.store.receiveDeleted(['a']));
  expect(deleted.dialog()).toBeNull();
  const hidden = await openAnswers();
  await act(() => hidden.store.receiveHidden(['a']));
  expect(hidden.dialog()).toBeNull();
  const dialogs = await openAnswers();
  await act(() => {
    dialogs.route.value = { conversationId: 'c' };
  });
  expect(dialogs.dialog()).toBeNull();
});
