// Moves the focus when the focused control is removed, so that it does not move to the page behind the window.

/** True if focusing a text box would open an on-screen keyboard over the messages. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

/** Moves the focus from a control that will be removed to the composer, or to the messages. */
export function moveFocus(frame: Element): void {
  frame.querySelector<HTMLElement>(isTouch() ? '.viewport' : 'textarea')?.focus({ preventScroll: true });
}
