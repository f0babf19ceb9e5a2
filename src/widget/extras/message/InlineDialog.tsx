// A small dialog below a message: what it contains, and two buttons. Escape cancels it.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { trapFocus } from '../../dialog-keys.ts';

interface Props {
  label: string;
  /** The words of the two buttons. */
  submit: string;
  cancel: string;
  onDone(isSubmitted: boolean): void;
  children: ComponentChildren;
}

export function InlineDialog({ label, submit, cancel, onDone, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  // Before the next event: an Escape that follows at once must not reach the window.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('textarea,button')?.focus(), []);
  return (
    <div
      class="comment"
      part="comment"
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        trapFocus(event, event.currentTarget);
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        onDone(false);
      }}
    >
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          onDone(true);
        }}
      >
        {children}
        <div class="choices">
          <button type="button" class="button" onClick={() => onDone(false)}>
            {cancel}
          </button>
          <button type="submit" class="button go">
            {submit}
          </button>
        </div>
      </form>
    </div>
  );
}
