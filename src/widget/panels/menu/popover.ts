// Popovers below a button of the header: finds the button, and closes the popover on a press outside.

/** The button that opened it, to which the focus returns. */
export const openerOf = (popover: Element | null): HTMLElement | null | undefined =>
  popover?.parentElement?.querySelector<HTMLElement>('button');

/** Calls `onClose` on a press outside the popover and its button. Abort the returned controller to end it. */
export function closeOnOutsidePress(popover: Element | null, onClose: () => void): AbortController {
  const end = new AbortController();
  const groupRows = popover?.parentElement;
  const onPress = (event: Event) => {
    if (groupRows && !event.composedPath().includes(groupRows)) onClose();
  };
  addEventListener('pointerdown', onPress, { capture: true, signal: end.signal });
  return end;
}
