// Makes the page inert while the window covers it (on phones, or zoomed to 400 %), for keyboard, screen reader and
// touch. It changes no style attribute, and restores the page afterwards.
import type { Widget } from '../../launcher-chat-interface.ts';

/** The chats whose window covers the page now. */
const covering = new Set<Widget>();

/** Restores the page; undefined while it is not covered. */
let unlockPage: (() => void) | undefined;

/** Elements with the properties of the visual viewport. */
const followed = new WeakSet<Element>();

/** Observed for the removal of the chat by the page. */
const watched = new WeakSet<Widget>();

/** Locks or unlocks the page for the present state of the window. Must be called when that may have changed. */
export function updatePageLock(widget: Widget): void {
  const { frame, isOpen, signal } = widget;
  trackVisualViewport(frame, signal, () => updatePageLock(widget));
  watchRemoval(widget);
  // An embedded chat does not cover the page.
  const isOver = isOpen && !signal.aborted && frame.isConnected && frame.getAttribute('role') === 'dialog';
  if (isOver && frame.offsetWidth >= document.documentElement.clientWidth) covering.add(widget);
  else covering.delete(widget);
  const isLocked = covering.size > 0;
  if (isLocked === !!unlockPage) return;
  if (isLocked) lockPage();
  else unlockPage?.();
}

function lockPage(): void {
  const { body, documentElement: root } = document;
  const wasInert = body.inert;
  const [left, top] = [scrollX, scrollY];
  // A constructed style sheet, because the browser reserializes inline styles, and the page's policy may block them.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html{overflow:hidden!important;overscroll-behavior:none!important}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  // The chat is a sibling of the body, so it stays usable.
  body.inert = true;
  unlockPage = () => {
    unlockPage = undefined;
    // With some styles of the page its body scrolls now instead, so the scroll position is lost.
    const last = root.scrollHeight - root.clientHeight;
    const isPushed = top > last && scrollY > last - 2;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    if (!wasInert) body.inert = false;
    if (isPushed) scrollTo({ left, top, behavior: 'instant' });
  };
}

/** Without the chat the page must be usable; when it is back, it covers the page again. */
function watchRemoval(widget: Widget): void {
  if (watched.has(widget)) return;
  watched.add(widget);
  const observer = new MutationObserver(() => updatePageLock(widget));
  observer.observe(document.documentElement, { childList: true });
  widget.signal.addEventListener('abort', () => {
    observer.disconnect();
    updatePageLock(widget);
  });
}

/**
 * Sets `--viewport-height` and `--viewport-top` of the element to the part of the screen that the soft keyboard leaves visible,
 * until `signal` aborts: iOS resizes only the visual viewport. Calls `onSize` on changes.
 */
function trackVisualViewport(element: HTMLElement, signal: AbortSignal, onSize: () => void): void {
  const { visualViewport } = window;
  if (!visualViewport || followed.has(element)) return;
  followed.add(element);
  let isSet = false;
  const update = () => {
    // While the visitor has zoomed in, the window stays unchanged.
    if (visualViewport.scale > 1.01) return;
    const { height, offsetTop } = visualViewport;
    // Not before a keyboard is there: both are inherited, so that the style of each message would be calculated again.
    if (isSet || offsetTop || height !== innerHeight) {
      isSet = true;
      element.style.setProperty('--viewport-height', `${height}px`);
      element.style.setProperty('--viewport-top', `${offsetTop}px`);
    }
    onSize();
  };
  update();
  for (const type of ['resize', 'scroll']) visualViewport.addEventListener(type, update, { signal });
}
