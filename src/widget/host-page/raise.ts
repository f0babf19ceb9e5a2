// Brings the chat above a popover that the page has opened later and that covers it, for example a transparent one.
import type { Widget } from '../launcher-chat-interface.ts';

/** So many times between two actions of the visitor: a page that answers by opening its popover again wins. */
const limit = 3;
const counts = new WeakMap<Element, number>();

/** Brings the chat to the top if a popover covers it. A modal dialog keeps its place: the rest of the page is inert. */
export function raise({ box, frame, isOpen, signal }: Widget): void {
  const root = box.getRootNode() as ShadowRoot;
  const host = root.host as HTMLElement;
  if (!host.matches(':popover-open') || document.querySelector(':modal')) return;
  const visible = isOpen ? frame : box.querySelector('.launcher');
  if (!visible || !isCovered(visible, host)) return;
  const count = counts.get(host) ?? 0;
  if (count >= limit) return;
  counts.set(host, count + 1);
  if (count === 0) {
    for (const type of ['pointerdown', 'keydown']) {
      addEventListener(type, () => counts.delete(host), { capture: true, once: true, signal });
    }
  }
  const focused = root.activeElement as HTMLElement | null;
  host.hidePopover();
  host.showPopover();
  focused?.focus({ preventScroll: true });
}

/** Whether the centre belongs to another element. Elements without pointer events do not count, as for a click. */
function isCovered(element: Element, host: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const isShown = width > 0 && height > 0;
  return isShown && document.elementFromPoint(left + width / 2, top + height / 2) !== host;
}
