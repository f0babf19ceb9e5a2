// How much may be open at a time from one network: of IPv6 both from a /64 and, several times as much, from a /48.
import { wideNetworkOf, wideShare } from './client-address.ts';

export interface NetworkSlots {
  /** Takes a place for `network` (`networkOf`); the result gives it back, once. Undefined when there is none. */
  take(network: string): (() => void) | undefined;
  /** Networks that have something open. */
  readonly size: number;
}

/** `max`: places of one IPv4 address or IPv6 /64. */
export function createNetworkSlots(max: number): NetworkSlots {
  const open = new Map<string, number>();
  const add = (network: string, change: number): void => {
    const count = (open.get(network) ?? 0) + change;
    if (count === 0) open.delete(network);
    else open.set(network, count);
  };

  return {
    take(network) {
      const wide = wideNetworkOf(network);
      if ((open.get(network) ?? 0) >= max) return undefined;
      if (wide !== undefined && (open.get(wide) ?? 0) >= max * wideShare) return undefined;
      const networks = wide === undefined ? [network] : [network, wide];
      for (const name of networks) add(name, 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        for (const name of networks) add(name, -1);
      };
    },
    get size() {
      return open.size;
    },
  };
}
