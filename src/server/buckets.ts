// Token buckets, one a key: so many requests a minute, which may come all at once. They live in memory, a bounded
// number of them, and keep nothing of who is not seen for a minute.

/** Milliseconds in which an empty bucket fills. */
const window = 60_000;
/** Keys that are remembered; about 10 MB. Beyond, the one that was quiet longest is forgotten. */
const defaultMaxKeys = 50_000;

/** What is left, whole and in seconds, as the RateLimit fields of HTTP tell it. */
export interface Level {
  /** False when the bucket had not as much as was asked for; then nothing was taken. */
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  reset: number;
  /** Seconds until it has one again; 0 when it has. */
  retryAfter: number;
}

export interface Buckets {
  /** Takes one of the bucket of `key`. */
  take(key: string): Level;
  /** Takes as many as `cost`, or what is left of them. */
  charge(key: string, cost: number): Level;
  /** Keys that are remembered. */
  readonly size: number;
}

/** `limit`: what a full bucket has, and gets in a minute. `now`: milliseconds of a clock that never goes back. */
export function createBuckets(limit: number, now: () => number, maxKeys = defaultMaxKeys): Buckets {
  // In the order in which they were last used, which a Map keeps.
  const buckets = new Map<string, { tokens: number; at: number }>();

  function use(key: string, cost: number, isPartial: boolean): Level {
    const at = now();
    const found = buckets.get(key);
    const before = found ? Math.min(limit, found.tokens + ((at - found.at) * limit) / window) : limit;
    const isAllowed = isPartial || before >= cost;
    const tokens = isAllowed ? Math.max(0, before - cost) : before;
    buckets.delete(key);
    buckets.set(key, { tokens, at });
    forget(at);
    const seconds = (missing: number): number => Math.ceil((missing * window) / limit / 1000);
    return {
      isAllowed,
      limit,
      remaining: Math.floor(tokens),
      reset: seconds(limit - tokens),
      retryAfter: tokens >= 1 ? 0 : Math.max(1, seconds(1 - tokens)),
    };
  }

  /** Who was quiet for a minute has a full bucket, as one who is not known. A few each time, so that nobody waits. */
  function forget(at: number): void {
    let looks = 3;
    for (const [key, bucket] of buckets) {
      if (looks === 0 || (at - bucket.at < window && buckets.size <= maxKeys)) return;
      looks -= 1;
      buckets.delete(key);
    }
  }

  return {
    take: (key) => use(key, 1, false),
    charge: (key, cost) => use(key, cost, true),
    get size() {
      return buckets.size;
    },
  };
}
