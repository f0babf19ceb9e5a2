// One writer for each file in this process: a new one aborts the earlier one, and begins when that has ended.
import { uploadSuperseded } from './store.ts';

export interface Holders {
  /** Runs `work` when the earlier holder of the id has ended. Its signal is aborted by a later holder. */
  hold<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts all holders and waits for their end. */
  close(): Promise<void>;
}

export function createHolders(): Holders {
  const holders = new Map<string, { controller: AbortController; done: Promise<unknown> }>();
  let closed = false;
  return {
    async hold(id, work) {
      const earlier = holders.get(id);
      const controller = new AbortController();
      earlier?.controller.abort(uploadSuperseded);
      if (closed) controller.abort(uploadSuperseded);
      const done = Promise.resolve(earlier?.done)
        .catch(() => {})
        .then(() => {
          // A later writer superseded this one before it began.
          controller.signal.throwIfAborted();
          return work(controller.signal);
        });
      const holder = { controller, done };
      holders.set(id, holder);
      try {
        return await done;
      } finally {
        if (holders.get(id) === holder) holders.delete(id);
      }
    },
    async close() {
      closed = true;
      for (const { controller } of holders.values()) controller.abort(uploadSuperseded);
      await Promise.allSettled([...holders.values()].map(({ done }) => done));
    },
  };
}
