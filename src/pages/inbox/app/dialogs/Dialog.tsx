// A dialog above the page: the browser keeps the focus in it and gives it back.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isTouch } from '../components/focus.ts';
import { Icon } from '../components/Icon.tsx';

interface Props {
  title: string;
  /** Called when it is closed in any way. */
  onClose(): void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  // At once: the next key must be one of the dialog, and not of the page below it.
  useLayoutEffect(() => {
    const { current } = element;
    current?.showModal();
    // On a phone, a text field would open the keyboard over the choices.
    const first = isTouch() ? '.choices button' : 'input, .choices button';
    current?.querySelector<HTMLElement>(first)?.focus();
    return () => current?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, too
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // Beside it: its box has the content.
        if (target === currentTarget) onClose();
      }}
    >
      <div class="box">
        <div class="bar">
          <h2 id="dialog-title">{title}</h2>
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>
            <Icon name="close" />
            <span class="visually-hidden">Close</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
