// Time limits of the server that elapse when a test says so: a real one that is short enough for a test can elapse on a busy
// machine before what it limits has begun.
import { onTestFinished, vi } from 'vitest';

/** The milliseconds of a limit that is held: no other timer has them, and no test takes as long. */
export const heldLimit = 86_399_973;

export interface HeldLimits {
  /** The number of timers with `heldLimit` so far. */
  count(): number;
  /** The latest of them. `elapse`: its time is over, unless it was cleared. */
  latest(): { elapse(): void };
}

/** Until the end of the test, timers with `heldLimit` elapse by `elapse` only, and all others as usual. */
export function holdLimits(): HeldLimits {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const held: { timer: NodeJS.Timeout; callback(): void }[] = [];
  const cleared = new Set<unknown>();
  const setting = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: () => void,
    milliseconds?: number,
    ...given: []
  ) => {
    const timer = set(callback, milliseconds, ...given);
    if (milliseconds === heldLimit) held.push({ timer, callback });
    return timer;
  }) as typeof setTimeout);
  const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    cleared.add(timer);
    clear(timer);
  });
  onTestFinished(() => {
    setting.mockRestore();
    clearing.mockRestore();
  });
  return {
    count: () => held.length,
    latest() {
      const found = held.at(-1);
      if (!found) throw new Error('No timer is held.');
      return {
        elapse() {
          if (cleared.has(found.timer)) return;
          clearTimeout(found.timer);
          found.callback();
        },
      };
    },
  };
}
