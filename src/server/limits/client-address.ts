// Where a request comes from, as a name to count by. It believes X-Forwarded-For only as far as it was told to.
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Context } from 'hono';

/** Gives the network that a request comes from; '' where that cannot be told. */
export type AddressReader = (c: Context) => string;

/**
 * `trustProxy`: proxies that stand before this server, each of which appends to X-Forwarded-For the address that it was
 * called from. So many entries, from the right, are true; what stands left of them anybody may have written.
 */
export function createAddressReader(trustProxy: number): AddressReader {
  return (c) => {
    const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
    const peer = incoming?.socket?.remoteAddress ?? '';
    if (trustProxy === 0) return networkOf(peer) ?? '';
    const hops = (c.req.header('x-forwarded-for') ?? '').split(',');
    const entry = hops[Math.max(0, hops.length - trustProxy)] ?? '';
    // What is no address ("unknown") counts as the proxy that says so: one bucket, and not a free one for each spelling.
    return networkOf(entry) ?? networkOf(peer) ?? '';
  };
}

/**
 * Gives a keyed hash of a network, base64url. Without the secret nobody finds out the address by hashing all there are.
 */
export function createNetworkDigest(secret: string): (network: string) => string {
  // A key of its own: what is signed here has dots, as user keys do.
  const key = createHmac('sha256', secret).update('digests of networks').digest();
  return (network) => createHmac('sha256', key).update(network).digest('base64url');
}

/**
 * The network that stands for one visitor: an IPv4 address, of IPv6 the /64 that a household gets (RFC 6177), because
 * its devices change the rest at will. Undefined for what is no address. Takes ports, brackets and zones.
 */
export function networkOf(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  // IPv4 on an IPv6 socket (RFC 4291, 2.5.5.2).
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** A /48 may have so many times as much as a /64: who has one has 65,536 of the others. */
export const wideShare = 4;

/**
 * The /48 around an IPv6 network that `networkOf` gave, which is what a site gets (RFC 6177); undefined for IPv4, and
 * for ''. What is limited by network counts against both.
 */
export function wideNetworkOf(network: string): string | undefined {
  const [, wide] = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(network) ?? [];
  return wide === undefined ? undefined : `${wide}::/48`;
}

/** The eight numbers of an IPv6 address. */
export function groupsOf(address: string): number[] {
  // A URL writes them all in hexadecimal, also the IPv4 form at the end.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(left), read(right)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
