// Token buckets by network: of IPv6 a /64 has one, and so has the /48 around it, with several times as much in it.

import { wideNetworkOf, wideShare } from './client-address.ts';
import { type Buckets, createBuckets, type Level } from './token-buckets.ts';

export interface NetworkBuckets {
  /** Takes one of each bucket of `network` (`networkOf`), or of none; the level of the one that has less left. */
  take(network: string): Level;
  /** Takes as many as `cost` of each, or what is left of them. */
  charge(network: string, cost: number): Level;
  /** Networks that are remembered. */
  readonly size: number;
}

/** `limit`: requests a minute of an IPv4 address or IPv6 /64. `now`: milliseconds of a clock that never goes back. */
export function createNetworkBuckets(limit: number, now: () => number): NetworkBuckets {
  const narrow = createBuckets(limit, now);
  const wide = createBuckets(limit * wideShare, now);

  return {
    take(network) {
      const around = wideNetworkOf(network);
      if (around === undefined) return narrow.take(network);
      // Looked at before anything is taken: a refusal costs nothing in either bucket.
      const left = look(wide, around);
      if (!left.isAllowed) return left;
      const level = narrow.take(network);
      return level.isAllowed ? nearer(level, wide.take(around)) : level;
    },
    charge(network, cost) {
      const around = wideNetworkOf(network);
      const level = narrow.charge(network, cost);
      return around === undefined ? level : nearer(level, wide.charge(around, cost));
    },
    get size() {
      return narrow.size + wide.size;
    },
  };
}

/** Whether `take` would be allowed. */
function look(buckets: Buckets, key: string): Level {
  const level = buckets.charge(key, 0);
  return { ...level, isAllowed: level.retryAfter === 0 };
}

const nearer = (a: Level, b: Level): Level => (b.remaining < a.remaining ? b : a);
