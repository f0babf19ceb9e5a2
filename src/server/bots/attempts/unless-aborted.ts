// Ends a wait for what may never happen.

/** The result of `work`, unless the signal is aborted before: then it rejects with its reason. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    // Removed below: the signal can be that of the whole server, and lasts longer than the work.
    else signal.addEventListener('abort', abort);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
