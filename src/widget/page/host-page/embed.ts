// A chat that is embedded in the page: it fills an element or the page, has no launcher, and starts when it is visible.
import type { Widget } from '../../launcher-chat-interface.ts';

/** Fits the host, which is in an element of the page, and opens the chat when the element becomes visible. */
export function embed(widget: Widget, target: Element): void {
  const { frame, signal } = widget;
  const { host } = frame.getRootNode() as ShadowRoot;
  if (host.hasAttribute('data-inline')) return;
  host.setAttribute('data-inline', target === document.body ? 'page' : 'element');
  // An embedded chat is not a dialog and cannot be closed. If it was opened before, it was over the page.
  frame.setAttribute('role', 'region');
  dispatchEvent(new Event('resize'));
  if (!window.IntersectionObserver) {
    widget.open();
    return;
  }
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    observer.disconnect();
    widget.open();
  });
  observer.observe(host);
  signal.addEventListener('abort', () => observer.disconnect());
}
