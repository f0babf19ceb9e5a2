// A short message about what has happened, such as "The token was deleted.", which goes away by itself.
import { signal } from '@preact/signals';

/** Milliseconds that a message stays: about 250 words a minute for two lines, and time to look there. */
const shownMs = 8_000;
const shown = signal<{ text: string; turn: number } | undefined>(undefined);

/** Shows a message; it replaces the one before. */
export function toast(text: string): void {
  const turn = (shown.peek()?.turn ?? 0) + 1;
  shown.value = { text, turn };
  setTimeout(() => {
    if (shown.peek()?.turn === turn) shown.value = undefined;
  }, shownMs);
}

/** The place of the messages, once on the page. It is always there: screen readers announce what appears in it. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {shown.value && <p key={shown.value.turn}>{shown.value.text}</p>}
    </div>
  );
}
