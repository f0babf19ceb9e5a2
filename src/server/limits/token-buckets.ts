// Token buckets, one a key: so many requests a minute, which may come all at once. They live in memory, a bounded
// number of them, and keep nothing of who is not seen for two minutes.

/** Milliseconds in which an empty bucket fills. */
const window = 60_000;
/** Keys that are remembered; 11 MB. Beyond, half of them are forgotten, those that were quiet longest. */
const defaultMaxKeys = 50_000;

interface Bucket {
  tokens: number;
  at: number;
}

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
  /** Gives one back that was taken. */
  refund(key: string): void;
  /** Keys that are remembered. */
  readonly size: number;
}

/** `limit`: what a full bucket has, and gets in a minute. `now`: milliseconds of a clock that never goes back. */
export function createBuckets(limit: number, now: () => number, maxKeys = defaultMaxKeys): Buckets {
  // Two generations: what is used moves into the young one, and what was not used in a whole one is forgotten. A minute
  // is one at least, so that who is forgotten had a full bucket, as one who is not known; only too many keys make it
  // shorter. One map in the order of use would be walked from its front, where V8 keeps the holes of what was deleted.
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let since = now();

  function use(key: string, cost: number, isPartial: boolean): Level {
    const at = now();
    if (at - since >= window) age(at);
    const found = young.get(key) ?? old.get(key);
    const before = found ? Math.min(limit, found.tokens + ((at - found.at) * limit) / window) : limit;
    const isAllowed = isPartial || before >= cost;
    const tokens = isAllowed ? Math.min(limit, Math.max(0, before - cost)) : before;
    if (!young.has(key) && young.size >= maxKeys / 2) age(at);
    young.set(key, { tokens, at });
    old.delete(key);
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
    old = young;
    young = new Map();
    since = at;
  }

  return {
    take: (key) => use(key, 1, false),
    charge: (key, cost) => use(key, cost, true),
    refund: (key) => void use(key, -1, true),
    get size() {
      return young.size + old.size;
    },
  };
}
