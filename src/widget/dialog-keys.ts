// Keys of dialogs: Escape ends what is active before it closes the window, Tab stays inside of a dialog that must be closed first.
import { useLayoutEffect } from 'preact/hooks';

/** Calls `act` for Escape anywhere in the target, while `isActive`. */
export function useEscape(
  target: () => HTMLElement | null | undefined,
  act: () => void,
  isActive = true,
): void {
  // Other effects start and end after the next frame: an Escape that follows at once would be for the wrong one of the two.
  useLayoutEffect(() => {
    const element = isActive ? target() : undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [isActive]);
}

/** Handles a key that was pressed in `box`: Tab moves from its last control to its first, and back. */
export function trapFocus(event: KeyboardEvent, box: Element): void {
  // In a composition, the key is for the input method.
  if (event.key !== 'Tab' || event.isComposing) return;
  const controls = [...box.querySelectorAll<HTMLElement>('button, input, textarea')];
  const at = controls.indexOf(event.target as HTMLElement) + (event.shiftKey ? -1 : 1);
  event.preventDefault();
  controls.at(at % controls.length)?.focus();
}
