// Token buckets per key: a number of requests per minute, bursts included. A bounded number of buckets is kept in memory,
// and unused ones are dropped after two minutes.

/** Milliseconds in which an empty bucket fills. */
const window = 60_000;
/** The number of buckets, 11 MB. Beyond it the least recently used half is dropped. */
const defaultMaxKeys = 50_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** The level of a bucket in integers and seconds, as in the RateLimit headers of HTTP. */
export interface Level {
  /** False when the bucket had too few tokens; then none was taken. */
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  reset: number;
  /** Seconds until the bucket has a token; 0 when it has one. */
  retryAfter: number;
}

export interface Buckets {
  /** Takes one token from the bucket of `key`. */
  take(key: string): Level;
  /** Takes up to `cost` tokens. */
  charge(key: string, cost: number): Level;
  /** Returns one token that was taken. */
  refund(key: string): void;
  /** The number of buckets. */
  readonly size: number;
}

/** `limit`: the tokens of a full bucket, which is also the refill per minute. `now`: a monotonic clock in milliseconds. */
export function createBuckets(limit: number, now: () => number, maxKeys = defaultMaxKeys): Buckets {
  // Two generations: a used bucket moves to the young one, and a bucket that was unused for a whole generation is dropped.
  // A generation lasts at least a minute, so dropped buckets were full, like those of unknown keys; only too many keys
  // make it shorter. One map in order of use would be slow: V8 keeps the holes of deleted entries at its front.
  let recent = new Map<string, Bucket>();
  let older = new Map<string, Bucket>();
  let since = now();

  function use(key: string, cost: number, isPartial: boolean): Level {
    const at = now();
    if (at - since >= window) age(at);
    const found = recent.get(key) ?? older.get(key);
    const before = found ? Math.min(limit, found.tokens + ((at - found.at) * limit) / window) : limit;
    const isAllowed = isPartial || before >= cost;
    const tokens = isAllowed ? Math.min(limit, Math.max(0, before - cost)) : before;
    if (!recent.has(key) && recent.size >= maxKeys / 2) age(at);
    recent.set(key, { tokens, at });
    older.delete(key);
    const seconds = (missing: number): number => Math.ceil((missing * window) / limit / 1000);
    return {
      isAllowed,
      limit,
      remaining: Math.floor(tokens),
      reset: seconds(limit - tokens),
      retryAfter: tokens >= 1 ? 0 : Math.max(1, seconds(1 - tokens)),
    };
  }

  function age(at: number): void {
    older = recent;
    recent = new Map();
    since = at;
  }

  return {
    take: (key) => use(key, 1, false),
    charge: (key, cost) => use(key, cost, true),
    refund: (key) => void use(key, -1, true),
    get size() {
      return recent.size + older.size;
    },
  };
}
