// Joins requests for the same work.

type Work = () => Promise<void>;

/** Does the work of a name. Resolves when work that began after the request has ended; errors are passed to `onError`. */
export type Coalesce = (name: string, work: Work) => Promise<void>;

/**
 * Runs the work of each name once at a time, never during the request itself: an effect that asks for work does not depend on what
 * the work reads. Requests during a run cause one more run, of the work that was asked for last, unless the signal is aborted.
 */
export function createCoalescer(signal: AbortSignal, onError: (error: unknown) => void): Coalesce {
  const runs = new Map<string, { next: Work | undefined; done: Promise<void> }>();

  async function runAll(name: string, run: { next: Work | undefined }): Promise<void> {
    await undefined;
    while (run.next && !signal.aborted) {
      const work = run.next;
      run.next = undefined;
      await work().catch(onError);
    }
    runs.delete(name);
  }

  return (name, work) => {
    const running = runs.get(name);
    if (running) {
      running.next = work;
      return running.done;
    }
    const run = { next: work, done: Promise.resolve() };
    runs.set(name, run);
    run.done = runAll(name, run);
    return run.done;
  };
}
