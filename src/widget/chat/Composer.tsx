// Where the visitor writes: grows with the text, sends on Enter, keeps the draft.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { chatWords as words } from '../words.ts';
import { Icon } from './icons.tsx';
import type { ViewProps } from './Panel.tsx';

/** Pixels the box may grow to, about six lines; beyond it scrolls. */
const maxHeight = 144;

export function Composer({ store, session, shell }: ViewProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const hasText = useSignal(false);

  const onText = () => {
    const { current } = box;
    if (!current) return;
    hasText.value = current.value.trim() !== '';
    // Where the browser has no field-sizing (Firefox, Safari before 26.2).
    if (CSS.supports('field-sizing', 'content')) return;
    current.style.height = 'auto';
    current.style.height = `${Math.min(maxHeight, current.scrollHeight)}px`;
  };

  useEffect(() => {
    if (!box.current) return;
    box.current.value = shell.storage.read().draft ?? '';
    onText();
  }, [shell]);

  const send = () => {
    const { current } = box;
    if (!current?.value.trim()) return;
    const text = current.value;
    current.value = '';
    onText();
    session.saveDraft('');
    // A failed message stays in the transcript with its text; nothing to do here.
    session.send({ type: 'text', text }).catch(() => {});
  };

  return (
    <form
      class="composer"
      part="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
        // Sending must not close a phone's keyboard.
        box.current?.focus();
      }}
    >
      <textarea
        ref={box}
        class="box-input"
        part="input"
        rows={1}
        dir="auto"
        enterkeyhint="send"
        aria-label={words.composer}
        placeholder={store.configuration.value.composerPlaceholder}
        onInput={(event) => {
          onText();
          session.saveDraft(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          // 229: Safari ends an IME composition before the keydown of its Enter.
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
          event.preventDefault();
          send();
        }}
      />
      <button
        type="submit"
        class="send"
        part="send"
        aria-label={words.send}
        title={words.send}
        disabled={!hasText.value}
      >
        <Icon name="send" />
      </button>
    </form>
  );
}
