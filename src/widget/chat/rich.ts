// The one place where the chat loads the rich chunk, and where its HTML is kept.
import { signal } from '@preact/signals';
import type { SafeHtml } from '../rich/main.ts';

type Rich = typeof import('../rich/main.ts');

const rich = signal<Rich | undefined>();
let isLoading = false;
let isRefused = false;

/** The HTML of Markdown, or undefined until the chunk is there (it is asked for by this call; components wake by signal). */
export function markdownToHtml(markdown: string): SafeHtml | undefined {
  if (isRefused) return undefined;
  try {
    if (rich.value) return rich.value.markdownToHtml(markdown);
  } catch {
    // A page whose Trusted Types do not allow our policy: plain text from here on, and no second violation.
    isRefused = true;
    return undefined;
  }
  if (isLoading) return undefined;
  isLoading = true;
  import('../rich/main.ts').then(
    (module) => {
      rich.value = module;
    },
    () => {
      // The text stays readable as it is; the next message tries again, where the browser allows it (Firefox does not).
      isLoading = false;
    },
  );
  return undefined;
}

/** The style sheet of that HTML, once the chunk is there. */
export const richCss = (): string | undefined => rich.value?.css;
