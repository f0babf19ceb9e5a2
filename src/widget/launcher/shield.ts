// Keeps focus and keys of the chat from listeners of the page: focus traps, which would take the focus back, and shortcuts.

// In Firefox 153, a copied Enter is not prevented in the text box: there keys reach the page.
const keys = 'mozInnerScreenX' in window ? '' : 'keydown keypress keyup ';
const types = `${keys}focus focusin blur focusout`.split(' ');
/** Fields of the events, which a copy has too. */
const fields = 'key keyCode repeat isComposing ctrlKey shiftKey altKey metaKey bubbles'.split(' ');

/**
 * Ends these events of the host at the window, before the page gets them, and dispatches a copy in the shadow root. Their default
 * actions stay.
 */
export function shield(host: Element, signal: AbortSignal): void {
  const onEvent = (event: Event & { relatedTarget?: unknown }) => {
    const composed = event.target !== host;
    // An element of the page is left for the chat: the page learns that, and not for what, or its trap would take the focus back.
    if (composed && event.relatedTarget !== host) return;
    event.stopImmediatePropagation();
    const copied: Record<string, unknown> = { __proto__: null, cancelable: true, composed };
    for (const name of fields) copied[name] = event[name as 'type'];
    const copy = new (event.constructor as typeof Event)(event.type, copied);
    if (!(event.composedPath()[0] as Element).dispatchEvent(copy)) event.preventDefault();
  };
  for (const type of types) addEventListener(type, onEvent, { capture: true, signal });
}
