// Detects whether a page of the transcript is far away from the visible part.

/**
 * Observes a page of messages within `.viewport`.
 * @param onDistance called when it changes: with the height (CSS) of a page that is some screens away, with '' for a near one.
 * @returns a function that ends the observation.
 */
export function observeDistance(page: HTMLElement, onDistance: (height: string) => void): () => void {
  if (!window.IntersectionObserver) return () => {};
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry) return;
      const root = page.getRootNode() as ShadowRoot;
      // A page that contains the focus stays in the DOM.
      const isNear = entry.isIntersecting || page.contains(root.activeElement);
      // While the window is hidden, the height is 0 and nothing changes.
      const pixels = isNear ? 0 : entry.boundingClientRect.height;
      // Not `${pixels}`: Chromium keeps a table of all numbers with a fraction that became a text so.
      const height = pixels > 0 ? `${pixels.toFixed(6)}px` : '';
      if (!height !== !page.style.height) onDistance(height);
    },
    // Some screens ahead, so that fast scrolling does not show an empty page.
    { root: page.closest('.viewport'), rootMargin: '3000px 0px' },
  );
  observer.observe(page);
  return () => observer.disconnect();
}
