// @vitest-environment jsdom
// Tests the text box of a chat whose server has refused the visitor: it keeps the draft, says why, and takes nothing.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import { createStore } from '../store/store.ts';
import type { ViewProps } from '../view.ts';
import { Composer } from './Composer.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.createElement('div');
const send = vi.fn(() => Promise.resolve());
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('CSS', { supports: () => true });
});
afterEach(() => {
  render(null, frame);
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

/** Draws the text box with a draft. */
async function draw(draft: string) {
  const store = createStore(resolveConfiguration({ composerPlaceholder: 'Ask us' }));
  const widget = { frame, storage: { read: () => ({ draft }) } };
  const session = { send, saveDraft() {}, setTyping() {} };
  const props = { store, session, widget } as unknown as ViewProps;
  await act(() => render(<Composer {...props} />, frame));
  const box = frame.querySelector('textarea') as HTMLTextAreaElement;
  const button = frame.querySelector('.send') as HTMLButtonElement;
  const pressEnter = () => box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  return { store, box, button, pressEnter };
}

test('while the server refuses the visitor, nothing is sent, and the draft stays', async () => {
  const { store, box, button, pressEnter } = await draw('Hello');
  await act(() => store.setConnection('refused'));
  expect([box.value, box.readOnly, box.getAttribute('aria-disabled')]).toEqual(['Hello', true, 'true']);
  expect(button.disabled).toBe(true);
  pressEnter();
  expect(send).not.toHaveBeenCalled();

  await act(() => store.setConnection('connecting'));
  expect([box.value, box.readOnly, button.disabled]).toEqual(['Hello', false, false]);
  pressEnter();
  expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'text', text: 'Hello' });
});

test('an empty text box says that the chat is not available', async () => {
  const { store, box } = await draw('');
  expect(box.placeholder).toBe('Ask us');
  await act(() => store.setConnection('refused'));
  expect(box.placeholder).toBe('This chat is not available.');
});
