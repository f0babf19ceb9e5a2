// The host element of the widget in the page: its shadow root, its style sheets, and its place in the top layer.
import type { StyleSlot } from '../launcher-chat-interface.ts';
import { set } from './dom.ts';

export interface Host {
  element: HTMLElement;
  root: ShadowRoot;
  /** Sets the CSS of one slot. Our CSS is in a cascade layer, so that of the site always wins, in any order. */
  adopt(slot: StyleSlot, css: string): void;
}

/** Adds the host to the page, and removes it when `signal` aborts. */
export function createHost(signal: AbortSignal): Host {
  const element = document.createElement('platform-webchat');
  const root = element.attachShadow({ mode: 'open' });
  const sheets = new Map<StyleSlot, CSSStyleSheet>();
  // A sibling of <body>: replacing or transforming the body of the page does not affect the chat.
  document.documentElement.append(element);
  signal.addEventListener('abort', () => element.remove());
  // The top layer is above every z-index and outside of every transform, filter and clip of the page.
  if ('showPopover' in element) {
    set(element, { popover: 'manual' });
    element.showPopover();
  }
  return {
    element,
    root,
    adopt(slot, css) {
      const sheet = sheets.get(slot) ?? new CSSStyleSheet();
      sheet.replaceSync(css);
      sheets.set(slot, sheet);
      root.adoptedStyleSheets = [...sheets.values()];
    },
  };
}
