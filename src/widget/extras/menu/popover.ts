// What opens below a button of the header: where its button is, and that a press anywhere else closes it.

/** The button that opened it: the focus goes back there. */
export const openerOf = (popover: Element | null): HTMLElement | null | undefined =>
  popover?.parentElement?.querySelector<HTMLElement>('button');

/** Calls `onClose` at a press outside the popover and its button, in the window or on the page. Gives the end of it. */
export function closeOnOutsidePress(popover: Element | null, onClose: () => void): AbortController {
  const end = new AbortController();
  const groupRows = popover?.parentElement;
  const onPress = (event: Event) => {
    if (groupRows && !event.composedPath().includes(groupRows)) onClose();
  };
  addEventListener('pointerdown', onPress, { capture: true, signal: end.signal });
  return end;
}
