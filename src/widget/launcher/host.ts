// The host element of the widget in the page: its shadow root, its style sheets, and its place in the top layer.
import type { StyleSlot } from '../launcher-chat-interface.ts';
import { set } from './dom.ts';
import { shield } from './shield.ts';

export interface Host {
  element: HTMLElement;
  root: ShadowRoot;
  /** Adds the host to the page again if the page has removed it, and returns whether it has. */
  attach(): boolean;
  /**
   * @param onLayer called when the page has opened a popover or a modal dialog.
   * @param onRemoval called when the page has removed the host.
   */
  follow(onLayer: () => void, onRemoval: () => void): void;
  /** Sets the CSS of one slot. Our CSS is in a cascade layer, so that of the site always wins, in any order. */
  adopt(slot: StyleSlot, css: string): void;
}

/**
 * Adds the host to the page, and removes it when `signal` aborts.
 * @param find returns the element that an embedded chat fills: the page may have replaced it when the host is added again.
 */
export function createHost(find: () => Element | null, signal: AbortSignal): Host {
  const target = find();
  const element = document.createElement('platform-webchat');
  const root = element.attachShadow({ mode: 'open' });
  const sheets = new Map<StyleSlot, CSSStyleSheet>();
  signal.addEventListener('abort', () => element.remove());
  // The top layer is above every z-index and outside of every transform, filter and clip of the page.
  if ('showPopover' in element && !target) set(element, { popover: 'manual' });
  const attach = () => {
    // WebKit tells of the removal by this widget, too, after it has ended.
    if (element.isConnected || signal.aborted) return false;
    // A sibling of <body>: replacing or transforming the body of the page does not affect the chat.
    (find() ?? target ?? document.documentElement).appendChild(element);
    if (element.popover) element.showPopover();
    return true;
  };
  attach();
  shield(element, signal);
  return {
    element,
    root,
    attach,
    follow(onLayer, onRemoval) {
      document.addEventListener(
        'toggle',
        ({ target: opened, newState }: ToggleEvent & { target: unknown }) => {
          if (newState === 'open' && opened !== element && (opened as HTMLElement).popover) onLayer();
        },
        { capture: true, signal },
      );
      const onChange = () => {
        if (!element.isConnected) onRemoval();
        else if (document.querySelector('dialog:modal')) onLayer();
      };
      const observer = new MutationObserver(onChange);
      observer.observe(document, { subtree: true, attributeFilter: ['open'] });
      observer.observe(document.documentElement, { childList: true });
      signal.addEventListener('abort', () => observer.disconnect());
      onChange();
    },
    adopt(slot, css) {
      const sheet = sheets.get(slot) ?? new CSSStyleSheet();
      sheet.replaceSync(css);
      sheets.set(slot, sheet);
      root.adoptedStyleSheets = [...sheets.values()];
    },
  };
}
