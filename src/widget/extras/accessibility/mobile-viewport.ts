// Tells the window which part of the screen the soft keyboard leaves: iOS shrinks only the visual viewport.

const followed = new WeakSet<Element>();

/** Keeps `--viewport-height` and `--viewport-top` on the element while `signal` lives; then tells `onSize`. Once is enough. */
export function trackVisualViewport(element: HTMLElement, signal: AbortSignal, onSize: () => void): void {
  const { visualViewport } = window;
  if (!visualViewport || followed.has(element)) return;
  followed.add(element);
  const syncFromStorage = () => {
    // Pinched in: the visitor looks at a detail, the window stays as it is.
    if (visualViewport.scale > 1.01) return;
    element.style.setProperty('--viewport-height', `${visualViewport.height}px`);
    element.style.setProperty('--viewport-top', `${visualViewport.offsetTop}px`);
    onSize();
  };
  syncFromStorage();
  for (const type of ['resize', 'scroll']) visualViewport.addEventListener(type, syncFromStorage, { signal });
}
