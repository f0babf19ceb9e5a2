// Token buckets per key: a number of requests per minute, bursts included. A bounded number of buckets is kept in memory,
// and unused ones are dropped after two minutes.
// Why not `rate-limiter-flexible`: it does not limit the number of keys, and its windows are fixed (decision 22).
import { wideNetworkOf, wideShare } from './client-address.ts';
import type { SharedUsage } from './shared-limit.ts';

/** Milliseconds in which an empty bucket fills. */
const windowMs = 60_000;
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
  /** Seconds until the bucket has a token, or those that were refused; 0 when it has them. */
  retryAfter: number;
}

export interface Buckets {
  /** Takes a number of tokens from the bucket of `key`, one by default, or none if it has fewer. */
  take(key: string, cost?: number): Level;
  /** Takes up to `cost` tokens. */
  charge(key: string, cost: number): Level;
  /** Returns tokens that were taken, one by default. */
  refund(key: string, count?: number): void;
  /** Something to wait for before a token of `key` is taken: other processes do not know yet what this one took. */
  settled(key: string): Promise<void> | undefined;
  /** The number of buckets. */
  readonly size: number;
}

/** Other processes that take from the same buckets. */
export interface SharedBuckets {
  usage: SharedUsage;
  /** Names the limit: the same at all processes. */
  name: string;
}

/**
 * `limit`: the tokens of a full bucket, which is also the refill per minute. `now`: a monotonic clock in milliseconds.
 * `shared`: the level is that of all processes, as far as this one knows it; it can be below zero.
 */
export function createBuckets(
  limit: number,
  now: () => number,
  maxKeys = defaultMaxKeys,
  shared?: SharedBuckets,
): Buckets {
  const others = shared?.usage.limit(
    shared.name,
    { limit, freed: (limit * 1000) / windowMs, lifetime: 2 * windowMs },
    (key, used) => {
      const bucket = recent.get(key) ?? older.get(key);
      if (bucket) Object.assign(bucket, { tokens: Math.max(-limit, limit - used), at: now() });
    },
  );
  // Two generations: a used bucket moves to the young one, and a bucket that was unused for a whole generation is dropped.
  // A generation lasts at least a minute, so dropped buckets were full, like those of unknown keys; only too many keys
  // make it shorter. One map in order of use would be slow: V8 keeps the holes of deleted entries at its front.
  let recent = new Map<string, Bucket>();
  let older = new Map<string, Bucket>();
  let since = now();

  function use(key: string, cost: number, isPartial: boolean): Level {
    const at = now();
    if (at - since >= windowMs) age(at);
    const found = recent.get(key) ?? older.get(key);
    // While other processes cannot be asked, a bucket is smaller, so that all of them together give the limit.
    const full = others ? Math.max(1, limit * others.share()) : limit;
    const before = found ? Math.min(full, found.tokens + ((at - found.at) * full) / windowMs) : full;
    const isAllowed = isPartial || before >= cost;
    // A charge leaves nothing below zero; what other processes took at the same time does.
    const tokens = isAllowed ? Math.min(full, Math.max(Math.min(0, before), before - cost)) : before;
    others?.use(key, before - tokens);
    if (!recent.has(key) && recent.size >= maxKeys / 2) age(at);
    recent.set(key, { tokens, at });
    older.delete(key);
    // Until a request can be repeated, or the next one can be made.
    const needed = isAllowed ? 1 : cost;
    const seconds = (missing: number): number => Math.ceil((missing * windowMs) / full / 1000);
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, Math.floor(tokens)),
      reset: seconds(full - tokens),
      retryAfter: tokens >= needed ? 0 : Math.max(1, seconds(needed - tokens)),
    };
  }

  function age(at: number): void {
    older = recent;
    recent = new Map();
    since = at;
  }

  return {
    take: (key, cost = 1) => use(key, cost, false),
    charge: (key, cost) => use(key, cost, true),
    refund: (key, count = 1) => void use(key, -count, true),
    settled: (key) => others?.settled(key),
    get size() {
      return recent.size + older.size;
    },
  };
}

/** Token buckets by network: for IPv6 both a /64 and its /48 have a bucket; that of the /48 is several times larger. */
export interface NetworkBuckets {
  /** Takes tokens from each bucket of `network` (`networkOf`), one by default, or from none. Returns the lower level. */
  take(network: string, cost?: number): Level;
  /** Takes up to `cost` tokens from each bucket. */
  charge(network: string, cost: number): Level;
  /** Returns tokens that were taken to each bucket. */
  refund(network: string, count: number): void;
  /** As of `Buckets`. */
  settled(network: string): Promise<void> | undefined;
  /** The number of buckets. */
  readonly size: number;
}

/** `limit`: requests per minute of an IPv4 address or IPv6 /64. `now`: a monotonic clock in milliseconds. */
export function createNetworkBuckets(
  limit: number,
  now: () => number,
  shared?: SharedBuckets,
): NetworkBuckets {
  const sharedAs = (suffix: string) => shared && { ...shared, name: `${shared.name} ${suffix}` };
  const narrow = createBuckets(limit, now, undefined, sharedAs('narrow'));
  const wide = createBuckets(limit * wideShare, now, undefined, sharedAs('wide'));

  return {
    take(network, cost = 1) {
      const wideNetwork = wideNetworkOf(network);
      if (wideNetwork === undefined) return narrow.take(network, cost);
      // Checked before a token is taken: a rejected request takes none from either bucket.
      const wideLevel = peek(wide, wideNetwork, cost);
      if (!wideLevel.isAllowed) return wideLevel;
      const level = narrow.take(network, cost);
      return level.isAllowed ? lowerLevel(level, wide.take(wideNetwork, cost)) : level;
    },
    charge(network, cost) {
      const wideNetwork = wideNetworkOf(network);
      const level = narrow.charge(network, cost);
      return wideNetwork === undefined ? level : lowerLevel(level, wide.charge(wideNetwork, cost));
    },
    refund(network, count) {
      const wideNetwork = wideNetworkOf(network);
      narrow.refund(network, count);
      if (wideNetwork !== undefined) wide.refund(wideNetwork, count);
    },
    settled(network) {
      const wideNetwork = wideNetworkOf(network);
      return narrow.settled(network) ?? (wideNetwork === undefined ? undefined : wide.settled(wideNetwork));
    },
    get size() {
      return narrow.size + wide.size;
    },
  };
}

/** The level as `take` would return it, without taking a token. */
function peek(buckets: Buckets, key: string, cost: number): Level {
  const level = buckets.charge(key, 0);
  const isAllowed = level.remaining >= cost;
  return isAllowed ? level : { ...level, isAllowed, retryAfter: Math.max(1, level.retryAfter) };
}

const lowerLevel = (a: Level, b: Level): Level => (b.remaining < a.remaining ? b : a);
