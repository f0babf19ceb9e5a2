// Moves the focus when the focused control is removed, so that it does not move to the page behind the window.

/** True if focusing a text box would open an on-screen keyboard over the messages. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

/** The text box of the composer. Forms above it have text boxes, too. */
export const composerBox = (frame: Element) => frame.querySelector<HTMLTextAreaElement>('.box-input');

/** Moves the focus from a control that will be removed to the composer, or to the messages. */
export function moveFocus(frame: Element): void {
  const target = isTouch() ? frame.querySelector<HTMLElement>('.viewport') : composerBox(frame);
  target?.focus({ preventScroll: true });
}

/**
 * Returns whether the focus may be moved after a request of `element`: it is still in the element, or nowhere, because its
 * control was disabled. Otherwise the visitor writes elsewhere.
 */
export function mayMoveFocus(element: HTMLElement | null): boolean {
  const { activeElement } = (element?.getRootNode() ?? {}) as Partial<ShadowRoot>;
  if (activeElement) return !!element?.contains(activeElement);
  return !document.activeElement || document.activeElement === document.body;
}
