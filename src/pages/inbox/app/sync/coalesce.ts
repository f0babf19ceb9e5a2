// Joins requests for the same work.

/** Does the work of a name. Resolves when work that began after the request has ended; errors are passed to `onError`. */
export type Coalesce = (name: string, work: () => Promise<void>) => Promise<void>;

/** Runs the work of each name once at a time. Requests during a run cause one more run, unless the signal is aborted. */
export function createCoalescer(signal: AbortSignal, onError: (error: unknown) => void): Coalesce {
  const runs = new Map<string, { again: boolean; done: Promise<void> }>();
  return (name, work) => {
    const running = runs.get(name);
    if (running) {
      running.again = true;
      return running.done;
    }
    const run = { again: false, done: Promise.resolve() };
    run.done = (async () => {
      do {
        run.again = false;
        await work().catch(onError);
      } while (run.again && !signal.aborted);
      runs.delete(name);
    })();
    runs.set(name, run);
    return run.done;
  };
}
