// What tests of the rich chunk share: an element in the page, and words. For tests only.
import { vi } from 'vitest';
import { chat } from '../i18n/en/chat.ts';
import { rich } from '../i18n/en/markdown.ts';
import { createRichText, type RichOptions, type RichText } from './main.ts';

export const options: RichOptions = {
  images: 'click',
  imageOrigins: [],
  words: {
    ...rich,
    newTab: chat.newTab,
  },
};

/** An element of the page with rich text in it. */
export function mount(some: Partial<RichOptions> = {}): { host: HTMLElement; rich: RichText } {
  const host = document.createElement('div');
  document.body.replaceChildren(host);
  return { host, rich: createRichText(host, { ...options, ...some }) };
}

/** A whole text, as it is in the end. */
export function show(markdown: string, some?: Partial<RichOptions>): HTMLElement {
  const isFake = vi.isFakeTimers();
  if (!isFake) vi.useFakeTimers();
  const { host, rich } = mount(some);
  rich.update(markdown, false);
  // What is long comes in portions, one a frame.
  vi.advanceTimersByTime(1_000);
  rich.dispose();
  if (!isFake) vi.useRealTimers();
  return host;
}
