// Where the focus goes when the control that has it goes away: never to the page behind the window.

/** True where a focused text box would raise a keyboard over what the visitor reads. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

/** Moves the focus from a control that is about to go to where the visitor goes on: the composer, or the messages. */
export function moveFocus(frame: Element): void {
  frame.querySelector<HTMLElement>(isTouch() ? '.viewport' : 'textarea')?.focus({ preventScroll: true });
}
