// Limits the number of writes that run at the same time. Waiting writes run in the order of their requests.
// Why not `p-limit`: a task that waits cannot leave its queue (decision 152).

export interface ConcurrencyLimiter {
  /**
   * Runs `work` when it has a slot. `limitWait` gets the promise of a slot if none is free; when it rejects, the work does
   * not run.
   */
  <T>(work: () => Promise<T>, limitWait: (slot: Promise<void>) => Promise<void>): Promise<T>;
  /** The number of writes that wait for a slot. */
  waiting(): number;
}

export function createConcurrencyLimiter(max: number): ConcurrencyLimiter {
  const queue: (() => void)[] = [];
  let running = 0;

  const release = () => {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  };

  const run = async <T>(
    work: () => Promise<T>,
    limitWait: (slot: Promise<void>) => Promise<void>,
  ): Promise<T> => {
    if (running < max) running += 1;
    else {
      let acquire = () => {};
      // A write that ends passes its slot on to the next one.
      const slot = new Promise<void>((resolve) => {
        acquire = resolve;
        queue.push(resolve);
      });
      try {
        await limitWait(slot);
      } catch (error) {
        const index = queue.indexOf(acquire);
        // It has got the slot in the meantime.
        if (index === -1) release();
        else queue.splice(index, 1);
        throw error;
      }
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
  return Object.assign(run, { waiting: () => queue.length });
}
