// Counts the usage of each key in the current clock hour or day, in memory, for a bounded number of keys.

/** The number of keys. Beyond it the least recently used half is dropped. */
const defaultMaxKeys = 50_000;

/** The usage of one key in the current window, by unit. */
export type Usage = Map<string, number>;

export interface UsageWindows {
  /** The usage of `key`, which can be changed and is discarded when the window ends. */
  of(key: string): Usage;
  /** Seconds until the next window begins, at least 1. */
  secondsLeft(): number;
  /** The number of keys. */
  readonly size: number;
}

/** `length`: milliseconds of a window; windows begin at multiples of it since 1970. `now`: milliseconds since 1970. */
export function createUsageWindows(
  length: number,
  now: () => number,
  maxKeys = defaultMaxKeys,
): UsageWindows {
  let index = Math.floor(now() / length);
  // Two generations, as in token-buckets.ts.
  let recent = new Map<string, Usage>();
  let older = new Map<string, Usage>();

  return {
    of(key) {
      const current = Math.floor(now() / length);
      if (current !== index) {
        index = current;
        recent = new Map();
        older = new Map();
      }
      const usage = recent.get(key) ?? older.get(key) ?? new Map<string, number>();
      if (!recent.has(key)) {
        if (recent.size >= maxKeys / 2) {
          older = recent;
          recent = new Map();
        }
        recent.set(key, usage);
        older.delete(key);
      }
      return usage;
    },
    secondsLeft: () => secondsUntilNext(length, now()),
    get size() {
      return recent.size + older.size;
    },
  };
}

/** Seconds until the next multiple of `length` milliseconds, at least 1. */
export function secondsUntilNext(length: number, now: number): number {
  return Math.max(1, Math.ceil((length - (now % length)) / 1000));
}
