// Which addresses of the network events may be sent to. The address counts, not the name: it is asked when the
// connection is made, so that a name which is checked here cannot mean another place there.
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export interface Addresses {
  /** Throws AddressRefused for a host that is an IP address which may not be called; names are asked by `lookup`. */
  assertHost(hostname: string): void;
  /** Resolves a name to those of its addresses that may be called. */
  lookup: LookupFunction;
}

/** The host, or all that its name stands for, may not be called. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/**
 * Never: link-local addresses, where clouds tell a machine its own secrets, and what is no address of one machine.
 * Prefixes with IPv4 inside are told beside them, since the same place can be spelled so.
 */
const never: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['64:ff9b::a9fe:0', 112],
];

/** Only an operator's own: loopback, private networks, those of a carrier. */
const ownOnly: readonly [network: string, prefix: number][] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['::1', 128],
  ['fc00::', 7],
];

/** `isPrivateRefused`: also those that only an operator's own machines have. */
export function createAddresses(isPrivateRefused: boolean): Addresses {
  const refused = new BlockList();
  for (const [network, prefix] of isPrivateRefused ? [...never, ...ownOnly] : never) {
    refused.addSubnet(network, prefix, isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  const isRefused = (address: string): boolean => {
    const bare = address.replace(/%.*$/, '');
    return refused.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
  };
  return {
    assertHost(hostname) {
      const bare = hostname.replace(/^\[|\]$/g, '');
      if (isIP(bare) && isRefused(bare)) throw new AddressRefused();
    },
    lookup(hostname, options, callback) {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, '');
        const allowed = found.filter(({ address }) => !isRefused(address));
        const [first] = allowed;
        if (!first) return callback(new AddressRefused(), '');
        if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    },
  };
}
