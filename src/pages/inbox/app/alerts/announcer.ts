// Announcements for screen readers: two live regions whose texts change. The focus does not move.
import { type ReadonlySignal, signal } from '@preact/signals';

export interface Announcer {
  readonly polite: ReadonlySignal<string>;
  readonly assertive: ReadonlySignal<string>;
  announce(text: string): void;
  /** Interrupts what is being read. */
  announceNow(text: string): void;
}

/** Milliseconds after which a text is removed, so that the same text can be announced again. */
const clearMs = 5_000;

/** Creates the texts of the live regions. */
export function createAnnouncer(): Announcer {
  const polite = signal('');
  const assertive = signal('');
  const put = (target: typeof polite) => (text: string) => {
    target.value = text;
    setTimeout(() => {
      if (target.peek() === text) target.value = '';
    }, clearMs);
  };
  return { polite, assertive, announce: put(polite), announceNow: put(assertive) };
}
