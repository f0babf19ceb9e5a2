// Decides which network addresses webhooks may use (SSRF protection). The resolved address is checked when the connection
// is made, and the connection uses the checked address, so DNS rebinding has no effect.
// Why not `request-filtering-agent`: it knows fewer ranges, and has one rule for all workspaces (decision 27).
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { groupsOf } from '../../limits/client-address.ts';

export interface Addresses {
  /** Throws AddressRefused for a host that is a forbidden IP address; names are checked by `lookup`. */
  assertHost(hostname: string): void;
  /** Resolves a name to its allowed addresses; fails with AddressRefused when it has none. */
  lookup: LookupFunction;
}

/** Which bots may use private networks: none, those of the first workspace (the operator's), or all. */
export type PrivateNetworks = 'refuse' | 'first' | 'allow';

/** The host is a forbidden address, or its name resolves to forbidden addresses only. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** Returns the address policy of a workspace. `first`: the id of the first workspace. */
export function createAddressPolicy(
  privateNetworks: PrivateNetworks,
  first: string,
): (workspaceId: string) => Addresses {
  const unrestricted = createAddresses(true);
  const publicOnly = createAddresses(false);
  return (workspaceId) =>
    privateNetworks === 'allow' || (privateNetworks === 'first' && workspaceId === first)
      ? unrestricted
      : publicOnly;
}

/** Whether these addresses include private networks. */
export function isPrivateAllowed({ assertHost }: Addresses): boolean {
  try {
    assertHost('127.0.0.1');
    return true;
  } catch {
    return false;
  }
}

/**
 * @param isPrivateAllowed allows private networks and this machine; some addresses are always forbidden.
 * @param resolve the DNS lookup.
 */
export function createAddresses(isPrivateAllowed: boolean, resolve: typeof lookup = lookup): Addresses {
  const isRefused = (address: string): boolean => {
    const reachability = reachabilityOf(address);
    return reachability === 'never' || (reachability === 'private' && !isPrivateAllowed);
  };
  return {
    assertHost(hostname) {
      const host = hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) && isRefused(host)) throw new AddressRefused();
    },
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, found) => {
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

/** `public`: the Internet; `private`: a private network or this machine; `never`: always forbidden. */
type Reachability = 'public' | 'private' | 'never';

/** The reach of an IP address; `never` for any other text. */
export function reachabilityOf(address: string): Reachability {
  const withoutZone = address.replace(/%.*$/, '');
  const version = isIP(withoutZone);
  if (version === 4) return reachabilityOfV4(withoutZone);
  if (version === 0) return 'never';
  if (privateV6.check(withoutZone, 'ipv6')) return neverV6.check(withoutZone, 'ipv6') ? 'never' : 'private';
  const inner = embeddedV4(groupsOf(withoutZone));
  if (inner !== undefined) return reachabilityOfV4(inner);
  // All but global unicast (RFC 4291, 2.4) is forbidden: link-local, site-local, multicast, discard, unassigned.
  return globalV6.check(withoutZone, 'ipv6') && !neverV6.check(withoutZone, 'ipv6') ? 'public' : 'never';
}

function reachabilityOfV4(address: string): Reachability {
  if (neverV4.check(address)) return 'never';
  return privateV4.check(address) ? 'private' : 'public';
}

/**
 * Returns the IPv4 address that is embedded in an IPv6 address and is the real destination; undefined when there is
 * none.
 */
function embeddedV4(groups: readonly number[]): string | undefined {
  const [a = 0, b = 0, c = 0, , , f = 0] = groups;
  const starts = (...prefix: number[]): boolean => prefix.every((group, at) => groups[at] === group);
  // IPv4-compatible and IPv4-mapped (RFC 4291, 2.5.5), NAT64 (RFC 6052, RFC 8215 with a prefix of 96 bits).
  const isAtEnd =
    starts(0, 0, 0, 0, 0, 0) ||
    starts(0, 0, 0, 0, 0, 0xffff) ||
    starts(0x64, 0xff9b, 0, 0, 0, 0) ||
    (starts(0x64, 0xff9b, 1) && groups[4] === 0 && f === 0);
  if (isAtEnd) return dotted(groups[6], groups[7]);
  // 6to4 (RFC 3056).
  return a === 0x2002 ? dotted(b, c) : undefined;
}

const dotted = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/**
 * IPv4 networks that are always forbidden: link-local and other addresses of cloud metadata services, which return
 * credentials, and addresses that are not unicast (RFC 6890, IANA IPv4 Special-Purpose Address Registry).
 */
const neverV4 = blocks('ipv4', [
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** Private IPv4: private networks, carrier-grade NAT, loopback, benchmark networks. */
const privateV4 = blocks('ipv4', [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
]);

const globalV6 = blocks('ipv6', [['2000::', 3]]);

/** Global or unique-local IPv6 that is always forbidden: protocols and Teredo, documentation, cloud metadata services. */
const neverV6 = blocks('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
]);

/** Private IPv6: loopback, unique local. */
const privateV6 = blocks('ipv6', [
  ['::1', 128],
  ['fc00::', 7],
]);

function blocks(family: 'ipv4' | 'ipv6', networks: readonly [network: string, prefix: number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}
