// The element in the page that holds the widget: its shadow root, its style sheets, its place above everything.
import { set } from './dom.ts';

/** Style sheets in the order they apply. Ours are in a cascade layer, so the site's own CSS always wins. */
const slots = ['shell', 'greeting', 'chat', 'rich', 'media', 'tools', 'brand', 'theme', 'custom'] as const;
export type StyleSlot = (typeof slots)[number];

export interface Host {
  element: HTMLElement;
  root: ShadowRoot;
  /** Sets the CSS of one slot. */
  adopt(slot: StyleSlot, css: string): void;
  /** Takes the host out of the top layer, so that a `z-index` counts, or puts it back there. */
  setTopLayer(isTop: boolean): void;
}

/** Puts the host into the page, or into the element it is to fill; it leaves when `signal` aborts. */
export function createHost(signal: AbortSignal, target: Element | null): Host {
  const element = document.createElement('platform-webchat');
  const root = element.attachShadow({ mode: 'open' });
  const sheets = new Map<StyleSlot, CSSStyleSheet>();
  // Beside <body>, not in it: a page that replaces or transforms its body keeps the chat where it is.
  (target ?? document.documentElement).append(element);
  if (target) set(element, { 'data-inline': target === document.body ? 'page' : 'element' });
  signal.addEventListener('abort', () => element.remove());
  return {
    element,
    root,
    // The top layer is above every z-index and outside every transform, filter and clip of the page.
    setTopLayer(isTop) {
      if (target || !('showPopover' in element) || isTop === element.hasAttribute('popover')) return;
      set(element, { popover: isTop && 'manual' });
      if (isTop) element.showPopover();
    },
    adopt(slot, css) {
      const sheet = sheets.get(slot) ?? new CSSStyleSheet();
      sheet.replaceSync(css);
      sheets.set(slot, sheet);
      root.adoptedStyleSheets = slots.flatMap((name) => sheets.get(name) ?? []);
    },
  };
}
