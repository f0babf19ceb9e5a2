// The Escape key ends what is active, before it closes the window.
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
