// @vitest-environment jsdom
// Tests that keys which belong to an input method neither close a dialog nor leave its text box.
import { render } from 'preact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import { createStore } from '../../chat/store/store.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { ModalDialog } from '../../panels/menu/ModalDialog.tsx';
import { InlineDialog } from './InlineDialog.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.body.appendChild(document.createElement('div'));
afterEach(() => render(null, frame));

const store = createStore(resolveConfiguration());
store.setOpen(true);
const content = (
  <>
    <textarea />
    <button type="button">Last</button>
  </>
);
const dialogs = {
  InlineDialog: (onEnd: () => void) => (
    <InlineDialog label="Edit" submit="Save" cancel="Cancel" onDone={onEnd}>
      {content}
    </InlineDialog>
  ),
  ModalDialog: (onEnd: () => void) => (
    <ModalDialog
      store={store}
      session={{} as never}
      widget={{ frame } as Partial<Widget> as Widget}
      title="Mail"
      opener="more"
      onClose={onEnd}
    >
      {content}
    </ModalDialog>
  ),
};

describe.each(Object.entries(dialogs))('%s', (_, draw) => {
  const open = () => {
    const onEnd = vi.fn();
    render(draw(onEnd), frame);
    const box = frame.querySelector('textarea');
    box?.focus();
    /** Returns whether the dialog has handled the key. */
    const press = (key: string, isComposing: boolean) =>
      !box?.dispatchEvent(
        new KeyboardEvent('keydown', { key, isComposing, bubbles: true, cancelable: true }),
      );
    return { onEnd, box, press };
  };

  test('Escape and Tab of an input method are left to it', () => {
    const { onEnd, box, press } = open();
    expect([press('Escape', true), press('Tab', true)]).toEqual([false, false]);
    expect(onEnd).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(box);
  });

  test('Escape closes it and Tab leads to its next control', () => {
    const { onEnd, box, press } = open();
    expect(press('Tab', false)).toBe(true);
    expect(document.activeElement?.textContent).toBe('Last');
    box?.focus();
    expect(press('Escape', false)).toBe(true);
    expect(onEnd).toHaveBeenCalledOnce();
  });
});
