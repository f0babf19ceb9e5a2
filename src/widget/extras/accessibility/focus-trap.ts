// Keeps the Tab key inside a dialog that must be answered or closed first.

/** Handles a key that was pressed in `box`: Tab moves from its last control to its first, and back. */
export function trapFocus(event: KeyboardEvent, box: Element): void {
  // In a composition, the key is for the input method.
  if (event.key !== 'Tab' || event.isComposing) return;
  const controls = [...box.querySelectorAll<HTMLElement>('button, input, textarea')];
  const at = controls.indexOf(event.target as HTMLElement) + (event.shiftKey ? -1 : 1);
  event.preventDefault();
  controls.at(at % controls.length)?.focus();
}
