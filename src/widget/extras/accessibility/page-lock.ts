// Keeps the page still while the window covers it (the sheet of a phone, a page zoomed to 400 %): nobody gets behind it by
// keyboard, screen reader or finger. It changes no style attribute, and gives the page back as it was.
import type { Widget } from '../../launcher-chat-interface.ts';
import { trackVisualViewport } from './mobile-viewport.ts';

/** Gives the page back; undefined while it is not covered. */
let unlockPage: (() => void) | undefined;

/** Covers the page, or gives it back, as the window is now. To be called when that may have changed. */
export function updatePageLock(widget: Widget): void {
  const { frame, isOpen, signal } = widget;
  trackVisualViewport(frame, signal, () => updatePageLock(widget));
  // A chat that is a part of the page covers nothing.
  const isOver = isOpen && !signal.aborted && frame.getAttribute('role') === 'dialog';
  const isLocked = isOver && frame.offsetWidth >= document.documentElement.clientWidth;
  if (isLocked === !!unlockPage) return;
  unlockPage?.();
  if (!isLocked) return;
  const { body, documentElement: root } = document;
  const wasInert = body.inert;
  const [left, top] = [scrollX, scrollY];
  // Constructed: an inline style would be rewritten in the browser's spelling, and may be refused by the page's policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html{overflow:hidden!important;overscroll-behavior:none!important}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  // Beside the body stands the chat, and it is not inert.
  body.inert = true;
  const end = () => {
    unlockPage = undefined;
    signal.removeEventListener('abort', end);
    // With some styles of the page its body scrolls now instead, and it could not stay where it was.
    const last = root.scrollHeight - root.clientHeight;
    const isPushed = top > last && scrollY > last - 2;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    if (!wasInert) body.inert = false;
    if (isPushed) scrollTo({ left, top, behavior: 'instant' });
  };
  unlockPage = end;
  signal.addEventListener('abort', end);
}
