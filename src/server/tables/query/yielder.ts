// Lets long computations yield to the event loop, so that other requests are processed in between.
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of computation after which the event loop can run. */
const sliceMs = 10;

/** A long computation checks between two steps whether it should yield, and then does. */
export interface Yielder {
  shouldYield(): boolean;
  yieldToEventLoop(): Promise<void>;
}

export function createYielder(): Yielder {
  let since = performance.now();
  return {
    shouldYield: () => performance.now() - since >= sliceMs,
    async yieldToEventLoop() {
      await setImmediate();
      since = performance.now();
    },
  };
}
