// A dialog above the page: the browser keeps the focus in it and gives it back.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import { t } from './texts.ts';
import { isTouch } from './touch.ts';
import './style/dialogs.css';

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
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onKeyDown={moveInChoices}
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
            <span class="visually-hidden">{t('Close')}</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** The arrow keys move between the search field and the choices below it. */
function moveInChoices(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const stops = [
    ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[type="search"], .choices button'),
  ];
  const index = stops.indexOf(event.target as HTMLElement);
  if (step === 0 || index < 0) return;
  event.preventDefault();
  stops[index + step]?.focus();
}
