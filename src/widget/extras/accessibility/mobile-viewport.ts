// Sets which part of the screen the soft keyboard leaves visible for the window: iOS resizes only the visual viewport.

const followed = new WeakSet<Element>();

/** Updates `--viewport-height` and `--viewport-top` of the element until `signal` aborts. Calls `onSize` on changes. */
export function trackVisualViewport(element: HTMLElement, signal: AbortSignal, onSize: () => void): void {
  const { visualViewport } = window;
  if (!visualViewport || followed.has(element)) return;
  followed.add(element);
  const update = () => {
    // While the visitor has zoomed in, the window stays unchanged.
    if (visualViewport.scale > 1.01) return;
    element.style.setProperty('--viewport-height', `${visualViewport.height}px`);
    element.style.setProperty('--viewport-top', `${visualViewport.offsetTop}px`);
    onSize();
  };
  update();
  for (const type of ['resize', 'scroll']) visualViewport.addEventListener(type, update, { signal });
}
