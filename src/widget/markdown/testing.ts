// What tests of the rich chunk share: an element in the page, and words. For tests only.
import { vi } from 'vitest';
import { chat } from '../i18n/en/chat.ts';
import { markdown } from '../i18n/en/markdown.ts';
import { createMarkdownView } from './main.ts';
import type { MarkdownOptions, MarkdownView } from './types.ts';

export const options: MarkdownOptions = {
  images: 'click',
  imageOrigins: [],
  strings: {
    ...markdown,
    newTab: chat.newTab,
  },
};

/** An element of the page with rich text in it. */
export function mount(some: Partial<MarkdownOptions> = {}): { host: HTMLElement; view: MarkdownView } {
  const host = document.createElement('div');
  document.body.replaceChildren(host);
  return { host, view: createMarkdownView(host, { ...options, ...some }) };
}

/** A whole text, as it is in the end. */
export function show(markdown: string, some?: Partial<MarkdownOptions>): HTMLElement {
  const isFake = vi.isFakeTimers();
  if (!isFake) vi.useFakeTimers();
  const { host, view } = mount(some);
  view.update(markdown, false);
  // What is long comes in portions, one a frame.
  vi.advanceTimersByTime(1_000);
  view.dispose();
  if (!isFake) vi.useRealTimers();
  return host;
}
