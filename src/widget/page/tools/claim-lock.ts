// The lock of the browser that a page holds while it deals with a claimed call. Duplicates of its tab know the claim too: browsers
// copy the session storage.

/**
 * Runs `work` when no other page holds the lock of this claim. The lock ends with `work`, and when the page is left: the next page
 * goes on. A browser without locks, and a page that may not use them, does not know of other pages. Rejects as `work` does, and when
 * `end` is aborted while it waits.
 */
export async function holdClaim(claim: string, end: AbortSignal, work: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  let outcome: Promise<void> | undefined;
  const begin = () => {
    outcome ??= work();
    return outcome;
  };
  // The browser may keep the page to go back to it.
  const left = new Promise<void>((resolve) => {
    addEventListener('pagehide', () => resolve(), { signal: over.signal });
  });
  try {
    const name = `platform-webchat tool ${claim}`;
    await navigator.locks.request(name, { signal: end }, () => Promise.race([begin(), left]));
  } catch {
    // There are no locks, or `work` or `end` has ended it: then the error is thrown below.
  } finally {
    over.abort();
  }
  if (!outcome) end.throwIfAborted();
  return begin();
}
