// Whether the focus is in an element whose size depends on it.
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Follows the focus into and out of an element. While a button of the mouse is down, the focus counts as being in it: otherwise what
 * is pressed outside would move before the button is up, and get no click.
 */
export function useFocusWithin(element: RefObject<HTMLElement | null>): boolean {
  const [isWithin, setIsWithin] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const options = { signal: controller.signal, capture: true };
    let isDown = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // After the events of the same press: a finger has its click after the change of the focus.
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!isDown) setIsWithin(element.current?.contains(document.activeElement) ?? false);
      });
    };
    const release = () => {
      isDown = false;
      look();
    };
    element.current?.addEventListener('focusin', () => setIsWithin(true), options);
    element.current?.addEventListener('focusout', look, options);
    document.addEventListener(
      'pointerdown',
      () => {
        isDown = true;
      },
      options,
    );
    document.addEventListener('pointerup', release, options);
    document.addEventListener('pointercancel', release, options);
    if (element.current?.contains(document.activeElement)) setIsWithin(true);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [element]);
  return isWithin;
}
