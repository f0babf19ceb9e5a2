// Counts what each key used in the present clock hour or day, in memory, for a bounded number of keys.

/** Keys that are kept. Beyond, half of them are forgotten: those that were not used for longest. */
const defaultMaxKeys = 50_000;

/** What one key has used in the present window. */
export type Usage = Map<string, number>;

export interface Windows {
  /** What `key` has used; changes to it count only as long as this window lasts. */
  of(key: string): Usage;
  /** Seconds until the next window begins, at least 1. */
  secondsLeft(): number;
  /** Keys that are kept. */
  readonly size: number;
}

/** `length`: milliseconds of a window; windows begin at multiples of it since 1970. `now`: milliseconds since 1970. */
export function createWindows(length: number, now: () => number, maxKeys = defaultMaxKeys): Windows {
  let index = Math.floor(now() / length);
  // Two generations, as in buckets.ts: what is used moves to the young one.
  let young = new Map<string, Usage>();
  let old = new Map<string, Usage>();

  return {
    of(key) {
      const present = Math.floor(now() / length);
      if (present !== index) {
        index = present;
        young = new Map();
        old = new Map();
      }
      const usage = young.get(key) ?? old.get(key) ?? new Map<string, number>();
      if (!young.has(key)) {
        if (young.size >= maxKeys / 2) {
          old = young;
          young = new Map();
        }
        young.set(key, usage);
        old.delete(key);
      }
      return usage;
    },
    secondsLeft: () => secondsUntilNext(length, now()),
    get size() {
      return young.size + old.size;
    },
  };
}

/** Seconds until the next multiple of `length` milliseconds, at least 1. */
export function secondsUntilNext(length: number, now: number): number {
  return Math.max(1, Math.ceil((length - (now % length)) / 1000));
}
