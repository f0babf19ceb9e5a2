// The fixture of the tests of the Markdown bundle: an element in the page, and strings.
import { vi } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { createMarkdownView } from './main.ts';
import type { MarkdownOptions, MarkdownView } from './types.ts';

export const options: MarkdownOptions = {
  images: 'click',
  imageOrigins: [],
  strings: {
    ...en.widget.markdown,
    newTab: en.widget.chat.newTab,
  },
};

/** Renders Markdown in an element of the page. */
export function mount(some: Partial<MarkdownOptions> = {}): { host: HTMLElement; view: MarkdownView } {
  const host = document.createElement('div');
  document.body.replaceChildren(host);
  return { host, view: createMarkdownView(host, { ...options, ...some }) };
}

/** Renders a whole text and waits for the final result. */
export function show(markdown: string, some?: Partial<MarkdownOptions>): HTMLElement {
  const isFake = vi.isFakeTimers();
  if (!isFake) vi.useFakeTimers();
  const { host, view } = mount(some);
  view.update(markdown, false);
  // Long text is rendered in portions, one for each frame.
  vi.advanceTimersByTime(1_000);
  view.dispose();
  if (!isFake) vi.useRealTimers();
  return host;
}
