// The lock of the browser that a page holds while it deals with a claimed call. Duplicates of its tab know the claim too: browsers
// copy the session storage.

/**
 * Runs `work` unless another page holds the lock of this claim; then it resolves to false. The lock ends with `work`, and when the
 * page is left: the next page goes on. A browser without locks, and a page that may not use them, does not know of other pages.
 */
export async function holdClaim(claim: string, work: () => Promise<void>): Promise<boolean> {
  const over = new AbortController();
  let outcome: Promise<boolean> | undefined;
  const begin = (isFree: boolean) => {
    outcome ??= isFree ? work().then(() => true) : Promise.resolve(false);
    return outcome;
  };
  // The browser may keep the page to go back to it.
  const left = new Promise<void>((resolve) => {
    addEventListener('pagehide', () => resolve(), { signal: over.signal });
  });
  try {
    const name = `platform-webchat tool ${claim}`;
    await navigator.locks.request(name, { ifAvailable: true }, (lock) =>
      lock ? Promise.race([begin(true), left]) : begin(false),
    );
  } catch {
    // There are no locks, or `work` has failed: then its error is thrown below.
  } finally {
    over.abort();
  }
  return begin(true);
}
