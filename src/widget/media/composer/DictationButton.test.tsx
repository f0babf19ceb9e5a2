// @vitest-environment jsdom
// Tests when the dictation ends, and when it does not begin, with stand-ins for the text box and the recognition.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../../polling.testing.ts';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import { createStore } from '../../chat/store/store.ts';
import { DictationButton } from './DictationButton.tsx';

type Props = Parameters<typeof DictationButton>[0];

// An element of its own: other tests in this process use the same document.
const frame = document.createElement('div');
afterEach(() => render(null, frame));

/** A button in a conversation that is open. The bundle loads when `loaded` is called. */
function renderButton(home: boolean) {
  const store = createStore(resolveConfiguration({ home }));
  store.setOpen(true);
  store.setView('');
  const box = { current: document.createElement('textarea') };
  const abort = vi.fn();
  const startDictation = vi.fn((_: unknown, onChange: (note: 'listening') => void) => {
    onChange('listening');
    return { stop() {}, check() {}, abort };
  });
  let provide: (module: unknown) => void = () => {};
  const bundle = new Promise((resolve) => {
    provide = resolve;
  });
  /** Loads the bundle. When it returns, the button has used it, and effects have run. */
  const load = () =>
    act(async () => {
      provide({ startDictation, strings: {} });
      await bundle;
    });
  const props = { store, box, isOff: false, hasText: false, load: () => bundle, setNote() {} };
  render(<DictationButton {...(props as unknown as Props)} />, frame);
  frame.querySelector('button')?.click();
  return { store, box: box.current, abort, startDictation, load };
}

test.each(['home', 'restart', 'list', 'mail', 'delete'] as const)(
  'the dictation ends when the view is %s',
  async (view) => {
    const { store, startDictation, abort, load } = renderButton(true);
    await load();
    expect(startDictation).toHaveBeenCalledOnce();
    expect(abort).not.toHaveBeenCalled();
    store.setView(view);
    await waitFor(() => expect(abort).toHaveBeenCalled());
  },
);

test('a chat without a home screen is not behind it', async () => {
  const { store, startDictation, abort, load } = renderButton(false);
  store.setView('home');
  await load();
  expect(startDictation).toHaveBeenCalledOnce();
  expect(abort).not.toHaveBeenCalled();
});

test('it does not begin if the home screen has come while the code was loading', async () => {
  const { store, startDictation, load } = renderButton(true);
  store.setView('home');
  await load();
  expect(startDictation).not.toHaveBeenCalled();
});

test('it does not begin if the text box became read-only while the code was loading', async () => {
  const { box, startDictation, load } = renderButton(false);
  box.readOnly = true;
  await load();
  expect(startDictation).not.toHaveBeenCalled();
});
