// The chat as a part of the page: fills an element, or the page itself, and has no launcher. It begins once it is seen.
import type { Widget } from '../launcher-chat-interface.ts';

/** Moves the host into an element of the page and opens the chat once it is seen. */
export function embed(widget: Widget, target: Element): void {
  const { frame, signal } = widget;
  const { host } = frame.getRootNode() as ShadowRoot;
  if (host.hasAttribute('data-inline')) return;
  host.setAttribute('data-inline', target === document.body ? 'page' : 'element');
  target.append(host);
  // Not over the page but in it: nothing to close, and no dialog. If it was opened before, it has covered the page.
  frame.setAttribute('role', 'region');
  dispatchEvent(new Event('resize'));
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    observer.disconnect();
    widget.open();
  });
  observer.observe(host);
  signal.addEventListener('abort', () => observer.disconnect());
}
