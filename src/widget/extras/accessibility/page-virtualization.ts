// Detects whether a page of the transcript is far away from the visible part.

/**
 * Observes a page of messages within `.viewport`.
 * @param onDistance called with the height (pixels) of a page that is some screens away, and with 0 for a near one.
 * @returns a function that ends the observation.
 */
export function observeDistance(page: HTMLElement, onDistance: (height: number) => void): () => void {
  if (!window.IntersectionObserver) return () => {};
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry) return;
      const root = page.getRootNode() as ShadowRoot;
      // A page that contains the focus stays in the DOM.
      const isNear = entry.isIntersecting || page.contains(root.activeElement);
      // While the window is hidden, the height is 0 and nothing changes.
      onDistance(isNear ? 0 : entry.boundingClientRect.height);
    },
    // Some screens ahead, so that fast scrolling does not show an empty page.
    { root: page.closest('.viewport'), rootMargin: '3000px 0px' },
  );
  observer.observe(page);
  return () => observer.disconnect();
}
