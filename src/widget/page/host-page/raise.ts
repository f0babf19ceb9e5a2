// Brings the chat above what the page has opened later: a popover that covers it, for example a transparent one, or a dialog.
import type { Widget } from '../../launcher-chat-interface.ts';
import { joinDialog } from './join-dialog.ts';

/** So many times between two actions of the visitor: a page that answers by opening its popover again wins. */
const limit = 3;
const counts = new WeakMap<Element, number>();

/** Brings the chat to the top if a popover covers it, or into a modal dialog. */
export function raise(widget: Widget): void {
  const { box, frame, isOpen, signal } = widget;
  const root = box.getRootNode() as ShadowRoot;
  const host = root.host as HTMLElement;
  joinDialog(widget);
  if (!host.matches(':popover-open')) return;
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
