// Fetches the code of the chat before the visitor opens it, when that takes nothing from the page or from the visitor.

/** Runs a task when the page is idle. Safari does not have requestIdleCallback: there it runs after the current task. */
export const whenIdle = (task: () => void): void => void (window.requestIdleCallback ?? setTimeout)(task);

/**
 * Calls `prefetch` once, when the page has loaded and is idle. Not if `isAllowed` then returns false, if the visitor saves
 * data, or on a slow connection (Network Information API, Chromium only).
 */
export function prefetchWhenIdle(prefetch: () => void, isAllowed: () => boolean): void {
  const attempt = () => {
    const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
    const isCostly = connection?.saveData || /2g/.test(connection?.effectiveType ?? '');
    if (!isCostly && isAllowed()) prefetch();
  };
  if (document.readyState === 'complete') whenIdle(attempt);
  else addEventListener('load', () => whenIdle(attempt), { once: true });
}
