// The host element of the widget in the page: its shadow root, its style sheets, and its place in the top layer.
import type { StyleSlot } from '../launcher-chat-interface.ts';
import { set } from './dom.ts';

export interface Host {
  element: HTMLElement;
  root: ShadowRoot;
  /** Sets the CSS of one slot. Ours is in a cascade layer, so the site's own always wins, whatever the order. */
  adopt(slot: StyleSlot, css: string): void;
}

/** Puts the host into the page; it leaves when `signal` aborts. */
export function createHost(signal: AbortSignal): Host {
  const element = document.createElement('platform-webchat');
  const root = element.attachShadow({ mode: 'open' });
  const sheets = new Map<StyleSlot, CSSStyleSheet>();
  // Beside <body>, not in it: a page that replaces or transforms its body keeps the chat where it is.
  document.documentElement.append(element);
  signal.addEventListener('abort', () => element.remove());
  // The top layer is above every z-index and outside every transform, filter and clip of the page.
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
