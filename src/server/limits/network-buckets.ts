// Token buckets by network: for IPv6 both a /64 and its /48 have a bucket; that of the /48 is several times larger.
import { wideNetworkOf, wideShare } from './client-address.ts';
import { type Buckets, createBuckets, type Level, type SharedBuckets } from './token-buckets.ts';

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
