// Sets which part of the screen the soft keyboard leaves visible for the window: iOS resizes only the visual viewport.

const followed = new WeakSet<Element>();

/** Updates `--viewport-height` and `--viewport-top` of the element until `signal` aborts. Calls `onSize` on changes. */
export function trackVisualViewport(element: HTMLElement, signal: AbortSignal, onSize: () => void): void {
  const { visualViewport } = window;
  if (!visualViewport || followed.has(element)) return;
  followed.add(element);
  let isSet = false;
  const update = () => {
    // While the visitor has zoomed in, the window stays unchanged.
    if (visualViewport.scale > 1.01) return;
    const { height, offsetTop } = visualViewport;
    // Not before a keyboard is there: both are inherited, so that the style of each message would be calculated again.
    if (isSet || offsetTop || height !== innerHeight) {
      isSet = true;
      element.style.setProperty('--viewport-height', `${height}px`);
      element.style.setProperty('--viewport-top', `${offsetTop}px`);
    }
    onSize();
  };
  update();
  for (const type of ['resize', 'scroll']) visualViewport.addEventListener(type, update, { signal });
}
