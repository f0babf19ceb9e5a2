// Puts the chat into the modal dialog that the page has open: everything outside of such a dialog is inert, also what is in the
// top layer above it.
import type { Widget } from '../../launcher-chat-interface.ts';

/** The modal dialogs of the page in the order in which they were opened. */
let dialogs: Element[] = [];

/** Events of the pointer that pages use to close a dialog when they come from outside of it. */
const pointerEvents = 'click mousedown mouseup pointerdown pointerup touchstart touchend';

/** The chats that follow the dialogs. */
const following = new WeakSet<Widget>();

/**
 * Moves the chat into the modal dialog that was opened last, and back to the root when there is none.
 * @returns whether a modal dialog is open.
 */
export function joinDialog(widget: Widget): boolean {
  const { host } = widget.box.getRootNode() as ShadowRoot;
  const open = [...document.querySelectorAll('dialog:modal')];
  // An embedded chat is content of the page, and inert like the rest of it.
  if (host.hasAttribute('data-inline')) return open.length > 0;
  dialogs = dialogs.filter((dialog) => open.includes(dialog));
  for (const dialog of open) if (!dialogs.includes(dialog)) dialogs.push(dialog);
  const top = dialogs.at(-1);
  const parent = top ?? document.documentElement;
  if (host.parentNode !== parent && !widget.signal.aborted) move(widget, host as HTMLElement, parent);
  if (top) follow(widget, host);
  return !!top;
}

function move(widget: Widget, host: HTMLElement, parent: Element): void {
  const { box } = widget;
  const root = box.getRootNode() as ShadowRoot;
  const focused = root.activeElement as HTMLElement | null;
  const viewport = box.querySelector('.viewport');
  const top = viewport?.scrollTop ?? 0;
  // `moveBefore` keeps the state of frames.
  const { moveBefore } = parent as Element & { moveBefore?(node: Node, before: null): void };
  if (moveBefore && host.isConnected) moveBefore.call(parent, host, null);
  else parent.appendChild(host);
  // Above the dialog, which came into the top layer later.
  if (host.popover) {
    if (host.matches(':popover-open')) host.hidePopover();
    host.showPopover();
  }
  if (viewport) viewport.scrollTop = top;
  focused?.focus({ preventScroll: true });
}

/** Follows the end of the dialog by its removal, and keeps it open when the visitor presses something of the chat. */
function follow(widget: Widget, host: Element): void {
  const { signal } = widget;
  if (following.has(widget)) return;
  following.add(widget);
  const end = new AbortController();
  const observer = new MutationObserver(() => {
    if (joinDialog(widget) && !signal.aborted) return;
    observer.disconnect();
    end.abort();
    following.delete(widget);
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['open'] });
  for (const type of pointerEvents.split(' '))
    host.addEventListener(type, (event) => event.stopPropagation(), { signal: end.signal });
}
