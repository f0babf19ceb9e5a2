// Limits concurrent connections or streams per network: for IPv6 both per /64 and, with a larger limit, per /48.
import { wideNetworkOf, wideShare } from './client-address.ts';

export interface NetworkSlots {
  /** Acquires a slot for `network` (`networkOf`). The result releases it, once. Undefined when none is free. */
  acquire(network: string): (() => void) | undefined;
  /** The number of networks with acquired slots. */
  readonly size: number;
}

/** `max`: slots of one IPv4 address or IPv6 /64. */
export function createNetworkSlots(max: number): NetworkSlots {
  const open = new Map<string, number>();
  const add = (network: string, change: number): void => {
    const count = (open.get(network) ?? 0) + change;
    if (count === 0) open.delete(network);
    else open.set(network, count);
  };

  return {
    acquire(network) {
      const wide = wideNetworkOf(network);
      if ((open.get(network) ?? 0) >= max) return undefined;
      if (wide !== undefined && (open.get(wide) ?? 0) >= max * wideShare) return undefined;
      const networks = wide === undefined ? [network] : [network, wide];
      for (const name of networks) add(name, 1);
      let isAcquired = true;
      return () => {
        if (!isAcquired) return;
        isAcquired = false;
        for (const name of networks) add(name, -1);
      };
    },
    get size() {
      return open.size;
    },
  };
}
