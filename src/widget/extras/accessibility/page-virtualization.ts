// Tells whether a page of the transcript is far away from what is read. It changes nothing by itself.

/**
 * Watches a page of messages within `.viewport`.
 * @param onFar told the height (pixels) of a page that is some screens away, and 0 for one that is near.
 * @returns the function that ends it.
 */
export function observeDistance(page: HTMLElement, onDistance: (height: number) => void): () => void {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry) return;
      const root = page.getRootNode() as ShadowRoot;
      // Who stands in a page keeps it.
      const isNear = entry.isIntersecting || page.contains(root.activeElement);
      // Hidden, all heights are 0: then it stays as it is.
      onDistance(isNear ? 0 : entry.boundingClientRect.height);
    },
    // Some screens ahead: who scrolls fast must not see the empty place.
    { root: page.closest('.viewport'), rootMargin: '3000px 0px' },
  );
  observer.observe(page);
  return () => observer.disconnect();
}
