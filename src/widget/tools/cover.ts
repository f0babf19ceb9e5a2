// Keeps the page still while the window covers it (the sheet of a phone, a page zoomed to 400 %): nobody gets behind it by
// keyboard, screen reader or finger. It changes no style attribute, and gives the page back as it was.
import type { Shell } from '../seam.ts';

/** Gives the page back; undefined while it is not covered. */
let uncover: (() => void) | undefined;

/** Covers the page, or gives it back, as the window is now. To be called when that may have changed. */
export function cover({ frame, isOpen, signal }: Shell): void {
  const isCovered = isOpen && !signal.aborted && frame.offsetWidth >= document.documentElement.clientWidth;
  if (isCovered === !!uncover) return;
  uncover?.();
  if (!isCovered) return;
  const { body } = document;
  const wasInert = body.inert;
  const before = [scrollX, scrollY] as const;
  // Constructed: an inline style would be rewritten in the browser's spelling, and may be refused by the page's policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html{overflow:hidden!important;overscroll-behavior:none!important}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  // Beside the body stands the chat, and it is not inert.
  body.inert = true;
  // Where the page's own styles make the body scroll now instead, the page has gone to its top.
  const after = scrollY;

  const end = () => {
    uncover = undefined;
    signal.removeEventListener('abort', end);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    if (!wasInert) body.inert = false;
    if (after !== before[1] && scrollY === after) {
      scrollTo({ left: before[0], top: before[1], behavior: 'instant' });
    }
  };
  uncover = end;
  signal.addEventListener('abort', end);
}
