// The elements of the page that open the chat: those with the attribute `data-platform-open`.

/** The element of the page that opens the chat and contains the target of an event; also one that was added later. */
export const findTrigger = (target: EventTarget | null): Element | null | undefined =>
  (target as Element | null)?.closest?.('[data-platform-open]');

/** Calls `open` with the element that was clicked, unless the page has handled the click. */
export function onTrigger(open: (trigger: Element) => void, signal: AbortSignal): void {
  const onClick = (event: Event) => {
    const trigger = findTrigger(event.target);
    if (!trigger || event.defaultPrevented) return;
    event.preventDefault();
    open(trigger);
  };
  document.addEventListener('click', onClick, { signal });
}
