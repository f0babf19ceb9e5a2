// Lets long work yield to the event loop, so that other requests are processed in between.
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of computation after which the event loop can run. */
const sliceMs = 10;

/** Bytes of a read after which other requests run: those of most lists are less. */
export const yieldBytes = 100_000;

/** The end of the last turn that was requested. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop of its own: after those that were requested before. However many requests have long
 * work, what arrives in the meantime waits for one piece of one of them.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Maps rows, each of which can have a megabyte: other requests run in between. */
export async function mapInTurns<Row, Result>(
  rows: readonly Row[],
  map: (row: Row) => Result,
): Promise<Result[]> {
  const yielder = createYielder();
  const results: Result[] = [];
  for (const row of rows) {
    results.push(map(row));
    if (yielder.shouldYield()) await yielder.yieldToEventLoop();
  }
  return results;
}

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
      await nextTurn();
      since = performance.now();
    },
  };
}
